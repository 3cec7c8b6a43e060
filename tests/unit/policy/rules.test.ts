import { RoleAssignment, RoleDefinition } from '@pulumi/azure-native/authorization';
import { ManagedCluster } from '@pulumi/azure-native/containerservice';
import { AccessPolicy, Vault } from '@pulumi/azure-native/keyvault';
import { FederatedIdentityCredential, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import { Workspace } from '@pulumi/azure-native/operationalinsights';
import { ResourceGroup } from '@pulumi/azure-native/resources';
import * as azuread from '@pulumi/azuread';
import * as kubernetes from '@pulumi/kubernetes';
import { policyNames } from '../../../stacks/settings/schema/policies';
import { rules, stackRules } from '../../../policy/rules';
import { operatorTypes } from '../../../policy/rules/operator';
import type { Declared } from '../../../policy/rules/rule';
import { found, nobody, usual } from './found';

// What each rule refuses, and what it does not. That the engine asks the rules is proved by tests/engine/policyPack.test.ts.

const production = { ...usual, production: true };

it('has a rule for each name that settings may have, and no other', () => {
  expect([...rules, ...stackRules].map(({ name }) => name).sort()).toEqual([...policyNames].sort());
});

it('the types that rules are about are those of the providers', () => {
  const { ApplicationFederatedIdentityCredential, ApplicationFlexibleFederatedIdentityCredential } = azuread;
  const { ApplicationPassword, ServicePrincipalPassword } = azuread;
  const known = [
    ...[RoleAssignment, RoleDefinition, ManagedCluster, AccessPolicy, Vault, FederatedIdentityCredential],
    ...[UserAssignedIdentity, Workspace, ResourceGroup],
    ...[ApplicationFederatedIdentityCredential, ApplicationFlexibleFederatedIdentityCredential],
    ...[ApplicationPassword, ServicePrincipalPassword, azuread.Application],
    ...[kubernetes.rbac.v1.Role, kubernetes.rbac.v1.ClusterRole],
    ...[kubernetes.rbac.v1.RoleBinding, kubernetes.rbac.v1.ClusterRoleBinding],
  ].map((resourceType) => Reflect.get(resourceType, '__pulumiType') as string);
  const own = 'aks-workload-identity:';
  const types = rules
    .flatMap(({ types }) => (types === 'all' ? [] : types))
    .filter((type) => !type.startsWith(own));
  // Of the operator's custom resources, no package has types.
  const ofOperator = Object.values(operatorTypes);
  expect([...new Set(types)].sort()).toEqual([...known, ...ofOperator].sort());
});

describe('access policies', () => {
  const type = 'azure-native:keyvault:AccessPolicy';
  const policy = (permissions: object) => ({ policy: { permissions } });

  it.each([[{ secrets: ['get'] }], [{ secrets: ['get', 'set'] }], [{}]])('may give %j', (permissions) => {
    expect(found('least-permissions', type, policy(permissions))).toEqual([]);
  });

  it.each([
    [{ secrets: ['get', 'list'] }, 'secrets has "list"'],
    [{ secrets: ['All'] }, 'secrets has "All"'],
    [{ secrets: ['get'], keys: ['all'] }, 'keys has "all"'],
    [{ secrets: ['get', 'backup'] }, 'secrets has "backup"'],
    [{ certificates: ['Restore'] }, 'certificates has "Restore"'],
    [{ secrets: ['purge'] }, 'secrets has "purge"'],
  ])('may not give %j', (permissions, what) => {
    expect(found('least-permissions', type, policy(permissions))).toEqual([
      `${what}. Name what is needed, such as get.`,
    ]);
  });
});

describe('a vault', () => {
  const type = 'azure-native:keyvault:Vault';
  const firewall = (...ranges: string[]) => ({
    networkAcls: { defaultAction: 'Deny', ipRules: ranges.map((value) => ({ value })) },
  });
  const checked = (name: string, properties: object, environment = usual) =>
    found(name, type, { properties }, environment);

  it.each([
    ['access-mode', { enableRbacAuthorization: true }, usual],
    ['access-mode', { enableRbacAuthorization: false }, usual],
    ['no-inline-policies', {}, usual],
    ['no-inline-policies', { accessPolicies: [] }, usual],
    ['kept-in-production', { enablePurgeProtection: true }, production],
    ['kept-in-production', { enablePurgeProtection: true, softDeleteRetentionInDays: 90 }, production],
    ['kept-in-production', { softDeleteRetentionInDays: 7 }, usual],
    ['no-public-vault', { publicNetworkAccess: 'Enabled' }, usual],
    ['no-public-vault', { publicNetworkAccess: 'disabled' }, production],
    ['no-public-vault', { networkAcls: { defaultAction: 'Deny' } }, production],
    ['no-public-vault', firewall('198.51.100.0/24'), production],
    ['vault-firewall', firewall('198.51.100.0/24', '203.0.113.7'), usual],
    ['vault-firewall', firewall('17.0.0.0/8'), usual],
    ['vault-firewall', { publicNetworkAccess: 'Enabled' }, usual],
  ])('is right for %s: %j', (name, properties, environment) => {
    expect(checked(name, properties, environment)).toEqual([]);
  });

  it.each([
    ['access-mode', {}, usual, 'enableRbacAuthorization is not set'],
    ['no-inline-policies', { accessPolicies: [{}, {}] }, usual, 'accessPolicies is not empty'],
    ['kept-in-production', {}, production, 'enablePurgeProtection is not true'],
    ['kept-in-production', { enablePurgeProtection: true, softDeleteRetentionInDays: 7 }, production, 'is 7'],
    ['no-public-vault', {}, production, 'The vault is reachable from every network'],
    [
      'no-public-vault',
      { networkAcls: { defaultAction: 'Allow' } },
      production,
      'The vault is reachable from every network',
    ],
    ['no-public-vault', firewall('0.0.0.0/0'), production, 'The vault is reachable from every network'],
    ['vault-firewall', firewall('0.0.0.0/0'), usual, 'networkAcls lets 4294967296 addresses through'],
    ['vault-firewall', firewall('0.0.0.0/1', '128.0.0.0/1'), usual, 'lets 4294967296 addresses through'],
    ['vault-firewall', firewall('17.0.0.0/8', '198.51.100.0/24'), usual, 'lets 16777472 addresses through'],
  ])('is wrong for %s: %j', (name, properties, environment, what) => {
    const all = checked(name, properties, environment);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(what);
  });
});

const flexible =
  'azuread:index/applicationFlexibleFederatedIdentityCredential:ApplicationFlexibleFederatedIdentityCredential';

it('a flexible credential has one audience, that is meant for it alone', () => {
  const audience = (value: string) => found('trusted-audience', flexible, { audience: value });
  expect(audience('api://AzureADTokenExchange')).toEqual([]);
  expect(audience('sts.amazonaws.com')).toEqual([
    expect.stringContaining('The audience is "sts.amazonaws.com". Allowed: '),
  ]);
});

it.each([
  ["claims['sub'] eq 'repo:owner/name:environment:prod'", true],
  ["claims['sub'] matches 'repo:owner/*:environment:prod'", false],
  ["claims['sub'] eq 'a' and claims['job_workflow_ref'] matches 'owner/?'", false],
])('a flexible credential trusts those that it names: %s', (claimsMatchingExpression, allowed) => {
  const issuer = 'https://token.actions.githubusercontent.com';
  const findings = found('exact-claims', flexible, { issuer, claimsMatchingExpression });
  expect(findings).toEqual(
    allowed
      ? []
      : [expect.stringContaining(`The expression is "${claimsMatchingExpression}", with a wildcard.`)],
  );
});

describe.each([
  'azure-native:managedidentity:FederatedIdentityCredential',
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
  flexible,
])('%s', (type) => {
  it.each([
    ['https://westeurope.oic.prod-aks.azure.com/t/c/'],
    ['https://token.actions.githubusercontent.com'],
  ])('may have the issuer %s', (issuer) => {
    expect(found('issuer-form', type, { issuer })).toEqual([]);
  });

  it.each([
    ['http://issuer.test/'],
    ['issuer.test'],
    ['https://issuer.test/?a=b'],
    ['https://issuer.test/#a'],
    ['https://*.test/'],
    ['https://user@issuer.test/'],
    [''],
  ])('may not have the issuer %j', (issuer) => {
    expect(found('issuer-form', type, { issuer })[0]).toContain(`The issuer is "${issuer}".`);
  });

  it.each([['api://AzureADTokenExchange'], ['api://AzureADTokenExchangeUSGov']])(
    'may have the audience %s',
    (audience) => {
      expect(found('trusted-audience', type, { audiences: [audience] })).toEqual([]);
    },
  );

  it.each([
    ['in a hosted cluster', {}, { within: ['aks-workload-identity:hypershift:HostedClusterIdentities'] }],
    ['for what a hosted cluster signs', { issuers: ['https://hosted.test'] }, {}],
  ])('may have the audience openshift %s, and nowhere else', (_, environment, more) => {
    const properties = { audiences: ['openshift'], issuer: 'https://hosted.test' };
    expect(found('trusted-audience', type, properties, environment, more)).toEqual([]);
    expect(found('trusted-audience', type, properties)).toEqual([
      expect.stringMatching(/^The audience is "openshift"\. Allowed: (?!.*openshift)/),
    ]);
  });

  it.each([['sts.amazonaws.com'], ['api://AzureADTokenExchange/'], ['https://kubernetes.default.svc']])(
    'may not have the audience %s',
    (audience) => {
      expect(
        found('trusted-audience', type, { audiences: ['api://AzureADTokenExchange', audience] }),
      ).toEqual([
        expect.stringContaining(`The audience is "${audience}". Allowed: api://AzureADTokenExchange, `),
      ]);
    },
  );

  const cluster = (issuerUrl?: string): Declared => ({
    ...{
      type: 'aks-workload-identity:cluster:WorkloadIdentityCluster',
      name: 'aks-1',
      isCustom: false,
      within: [],
    },
    properties: { issuerUrl },
  });
  const credential = (issuer?: string): Declared => ({
    ...{ type, name: 'aks-1/orders', isCustom: true, within: [], properties: { issuer } },
  });
  const ours = 'https://oidc.test/ours/';
  const untrusted = (resources: Declared[], environment = usual) =>
    stackRules.flatMap(({ checkAll }) => checkAll(resources, environment, nobody));

  it.each([
    ['of a cluster of the stack', [cluster(ours), credential(ours)], usual],
    [
      'of a hosted cluster',
      [credential('https://hosted.test')],
      { ...usual, issuers: ['https://hosted.test'] },
    ],
    ['that is not known yet', [cluster(), credential()], usual],
    ['of another type', [cluster(ours), { ...credential('https://other.test'), type: 'x:y:Z' }], usual],
  ])('trusts an issuer %s', (_, resources, environment) => {
    expect(untrusted(resources, environment)).toEqual([]);
  });

  it.each([
    ['of no cluster of the stack', 'https://oidc.test/theirs/'],
    ["without the slash of the cluster's", 'https://oidc.test/ours'],
    ['in another case', 'https://oidc.test/Ours/'],
  ])('may not trust an issuer %s', (_, issuer) => {
    const foreign = credential(issuer);
    const [finding, ...others] = untrusted([cluster(ours), cluster(), credential(ours), foreign]);
    expect(others).toEqual([]);
    expect(finding?.resource).toBe(foreign);
    expect(finding?.problem).toContain(
      `It trusts ${issuer}, which is not the issuer of a cluster of this stack.`,
    );
  });
});

describe('no-password', () => {
  const type = 'azuread:index/applicationPassword:ApplicationPassword';
  const named = (name: string) =>
    found('no-password', type, {}, { acceptedPasswords: ['aks-1-orders'] }, { name });

  it('allows what the settings accept', () => expect(named('aks-1-orders/2027-01')).toEqual([]));

  it.each([['aks-1-billing/2027-01'], ['aks-1-orders-2/2027-01']])('refuses another: %s', (name) => {
    expect(named(name)[0]).toContain('storedPassword: accepted');
  });

  it('refuses one that is written in the application, whatever the settings accept', () => {
    const within = (properties: object) =>
      found(
        'no-password',
        'azuread:index/application:Application',
        { ...properties },
        { acceptedPasswords: ['aks-1-orders'] },
        { name: 'aks-1-orders/one' },
      );
    expect(within({ password: { displayName: 'one' } })).toEqual([
      expect.stringContaining('It has a `password`. Remove it'),
    ]);
    expect(within({})).toEqual([]);
  });
});

describe('tags', () => {
  const type = 'azure-native:keyvault:Vault';

  it.each([
    [{ 'pulumi-stack': 'a/b' }, []],
    [{ 'PULUMI-stack': 'a/b', 'Cost-Center': '1', more: '' }, ['COST-center']],
  ])('allows %j', (tags, requiredTags) => {
    expect(found('tags', type, { tags }, { requiredTags })).toEqual([]);
  });

  it.each([
    [undefined, [], 'pulumi-stack'],
    [{ 'pulumi-stack': 'a/b', cost: '1' }, ['cost-center'], 'cost-center'],
  ])('refuses %j', (tags, requiredTags, missing) => {
    expect(found('tags', type, { tags }, { requiredTags })).toEqual([
      `The tag ${missing} is missing. Add it to \`tags\`.`,
    ]);
  });
});
