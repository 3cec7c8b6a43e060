import { declared } from '../../../policy/declared';
import { trustedIssuer } from '../../../policy/rules/credentials';
import { operatorTypes } from '../../../policy/rules/operator';
import { registeredBy } from '../stacks/settledAccess';
import { application, configurationOf, validInput } from '../stacks/settings';
import { found, nobody, usual } from './found';

// What Azure Service Operator makes. What of it no rule looks at: notJudged.test.ts.

describe('a custom resource of the operator is held to the rules of its Azure resource', () => {
  it.each([
    ['access-mode', { properties: {} }, 'enableRbacAuthorization is not set'],
    ['no-inline-policies', { properties: { accessPolicies: [{}] } }, 'accessPolicies is not empty'],
    [
      'vault-firewall',
      { properties: { networkAcls: { ipRules: [{ value: '0.0.0.0/0' }] } } },
      'networkAcls lets 4294967296 addresses through',
    ],
  ])('a vault: %s', (name, spec, what) => {
    expect(found(name, operatorTypes.vault, { spec })).toEqual([expect.stringContaining(what)]);
    const right = { properties: { enableRbacAuthorization: true } };
    expect(found(name, operatorTypes.vault, { spec: right })).toEqual([]);
  });

  it('a credential', () => {
    const spec = { issuerFromConfig: { name: 'a', key: 'b' }, audiences: ['sts.amazonaws.com'] };
    expect(found('issuer-form', operatorTypes.credential, { spec })).toHaveLength(1);
    expect(found('trusted-audience', operatorTypes.credential, { spec })).toHaveLength(1);
  });

  it("a credential that an application's settings make of any custom resource", async () => {
    const credential = (issuer: string) => ({
      ...{ apiVersion: 'managedidentity.azure.com/v1api20230131', kind: 'FederatedIdentityCredential' },
      spec: { owner: { armId: '/of/somebody' }, issuer, subject: 's', audiences: [] },
    });
    const found = async (issuer: string) => {
      const dependencies = [{ name: 'door', resource: credential(issuer) }];
      const settings = validInput({ applications: [application('shop', { dependencies })] });
      const { resources } = await registeredBy(configurationOf(settings));
      const all = resources.map(({ urn, outputs }) =>
        declared({ urn, name: urn.split('::').at(-1) ?? '', props: outputs }),
      );
      return trustedIssuer.checkAll(all, usual, nobody);
    };
    const findings = await found('https://theirs.test/');
    // One on each cluster.
    expect(findings.map(({ resource }) => resource.type)).toEqual(Array(2).fill(operatorTypes.credential));
    for (const { problem } of findings)
      expect(problem).toContain('It trusts https://theirs.test/, which is ');
  });
});
