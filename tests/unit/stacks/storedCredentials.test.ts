import * as pulumi from '@pulumi/pulumi';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { planEnvironment } from '../../../stacks/plan';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { problemsOf, validInput } from './settings';

// What mocks do not prove: that Entra accepts what is stored, and that pods sign in with it; the end-to-end test does.

const vaultSecret = 'azure-native:keyvault:Secret';
const day = 24 * 60 * 60 * 1000;
const byCertificate = { servicePrincipal: { credential: 'certificate' } };
const byPassword = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
const orders = { name: 'orders', image: 'x:1', secrets: ['db'], identity: byPassword };

const input = (more: object = {}, application: object = {}) =>
  validInput({
    clusters: [{ name: 'aks-1', operatorIdentity: byCertificate }],
    applications: [{ ...orders, ...application }],
    secretValues: {},
    ...more,
  });

function configurationOf(given = input()) {
  const validation = validate('test', given);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

const deploy = (given = input()) => {
  const configuration = configurationOf(given);
  return record(() => deployed(configuration));
};

let warn: jest.SpyInstance;
beforeEach(() => {
  warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue(undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('an identity that signs in by what is stored', () => {
  it('trusts no service account, and its secrets are in the central vault', async () => {
    const { names, registrations } = await deploy();
    expect(registrations.filter(({ type }) => /FederatedIdentityCredential/.test(type))).toEqual([]);
    expect(names(vaultSecret).sort()).toEqual([
      'kv-test/aks-1-aso-certificate',
      'kv-test/aks-1-orders-password',
    ]);
    expect(names('azuread:index/applicationPassword:ApplicationPassword').length).toBeGreaterThan(0);
    expect(names('kubernetes:core/v1:Secret')).toEqual(['aks-1-orders-credential']);
  });

  it('is granted the secrets that it names, and not the one that it signs in with', async () => {
    const { names } = await deploy();
    expect(names('azure-native:authorization:RoleAssignment').filter((one) => one.includes('/'))).toContain(
      'kv-test/aks-1-orders/db',
    );
    expect(names('azure-native:authorization:RoleAssignment').join()).not.toContain('-password');
  });

  it('has the central vault made where every application has its own', async () => {
    const { names } = await deploy(input({ vaults: 'perApplication' }));
    expect(names('azure-native:keyvault:Vault').sort()).toEqual(['kv-test', 'kv-test-orders']);
    expect(names(vaultSecret)).toContain('kv-test/aks-1-orders-password');
  });

  it('is in the outputs with its keys and its end, and without what is secret', async () => {
    const { result } = await deploy();
    const identities = await valueOf(result.identities);
    expect(identities.map(({ name, credential }) => [name, credential?.kind])).toEqual([
      ['id-test-aks-1', undefined],
      ['id-test-aks-1-orders', 'password'],
      ['id-test-aks-1-aso', 'certificate'],
    ]);
    expect(identities[1]?.credential).toMatchObject({ vault: 'kv-test', secret: 'aks-1-orders-password' });
    expect(await pulumi.isSecret(result.identities)).toBe(false);
    const [workload] = await valueOf(result.workloads);
    expect(workload?.credentialSecret).toMatch(/^orders\.password-\d{4}-\d\d-\d\d-90d$/);
    expect(await pulumi.isSecret(result.workloads)).toBe(false);
  });

  it('is warned of if it is a password, and not if it is a certificate', async () => {
    await deploy();
    const warnings = warn.mock.calls.map(([text]) => String(text));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^orders signs in as id-test-aks-1-orders by a stored password, which ends on \d{4}-\d\d-\d\dT00:00:00Z; an update from \d{4}/,
      ),
    ]);
  });

  it('has no use for an audience of the environment', async () => {
    const { find } = await deploy(input({ audience: 'api://other' }));
    expect(JSON.stringify(find('kubernetes:apps/v1:Deployment', 'aks-1-orders').inputs)).not.toContain(
      'azure-identity-token',
    );
  });

  it('has two credentials during the overlap, and one after it', () => {
    const { settings } = configurationOf();
    const at = (days: number) => {
      const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (60 * day)) * 60 * day;
      const plan = planEnvironment('test', settings, undefined, new Date(start + days * day));
      return plan.clusters[0]?.identities.at(-1)?.credential?.certificates.map(({ name }) => name);
    };
    expect(at(10)).toHaveLength(2);
    expect(at(40)).toEqual(at(10)?.slice(-1));
  });

  it('has nothing to sign in with once it is revoked', async () => {
    const revoked = { applications: { orders: 'INC-1' }, clusters: {}, identities: {} };
    const { names } = await deploy(input({ revoked }));
    expect(names('azuread:index/applicationPassword:ApplicationPassword')).toEqual([]);
    expect(names('kubernetes:core/v1:Secret')).toEqual([]);
    expect(names(vaultSecret)).toEqual(['kv-test/aks-1-aso-certificate']);
    const ofCluster = await deploy(
      input({ revoked: { applications: {}, clusters: { 'aks-1': 'INC-1' }, identities: {} } }),
    );
    expect(ofCluster.names(vaultSecret)).toEqual([]);
  });
});

describe('settings of a stored credential are refused', () => {
  const at = 'aks-workload-identity:applications[0].';
  it.each([
    [
      'without consent to a password',
      input({}, { identity: { servicePrincipal: { credential: 'password' } } }),
      `${at}identity.servicePrincipal.storedPassword: is missing: whoever reads a stored password can sign in as the application from anywhere. Allowed: accepted. Write \`identity: servicePrincipal\`, which needs no password, or \`credential: certificate\`; or, if a stored password is meant, add \`storedPassword: accepted\`.`,
    ],
    [
      'with consent that nothing needs',
      input(
        {},
        { identity: { servicePrincipal: { credential: 'certificate', storedPassword: 'accepted' } } },
      ),
      `${at}identity.servicePrincipal.storedPassword: "accepted" has no meaning with \`credential: certificate\`, which stores no password. Remove it, or set \`credential: password\`.`,
    ],
    [
      'with another consent',
      input({}, { identity: { servicePrincipal: { credential: 'password', storedPassword: true } } }),
      `${at}identity.servicePrincipal.storedPassword: true is not allowed. Allowed: accepted.`,
    ],
    [
      'with a longer renewal than half of the validity',
      input({}, { identity: { servicePrincipal: { ...byPassword.servicePrincipal, validityDays: 30 } } }),
      `${at}identity.servicePrincipal.renewBeforeDays: 30 is more than half of the 30 days for which each password is valid: more than two would be valid at a time. Allowed: at most 15 with this \`validityDays\`. Lower it, or raise \`validityDays\`.`,
    ],
    [
      'with an existing identity beside it',
      input({}, { identity: { ...byPassword, existing: {} } }),
      `${at}identity.existing: `,
    ],
    [
      'with delivery by the driver',
      input({}, { delivery: 'files' }),
      `${at}delivery: "files" does not go with a stored credential: the Secrets Store driver signs in by the token of the service account. Allowed: application. Remove it, or write \`identity: servicePrincipal\`, which signs in by federation.`,
    ],
    [
      'with an audience of tokens',
      input({}, { audience: 'api://other' }),
      `${at}audience: "api://other" has no meaning with a stored credential: no service account is trusted.`,
    ],
    [
      'with an identity beside it that trusts the service accounts',
      input({}, { dependencies: [{ name: 'further', identity: { name: 'id-further' } }] }),
      `${at}dependencies[0].identity: `,
    ],
    [
      'with further service accounts',
      input({}, { serviceAccounts: ['worker'] }),
      `${at}serviceAccounts: a list of 1 has no meaning with a stored credential: no service account is trusted.`,
    ],
    [
      'with generations',
      input({}, { identityGenerations: [1] }),
      `${at}identityGenerations: [1] is for identities that sign in by federation, and this one has a stored credential, which is renewed. Remove it.`,
    ],
    [
      'with several generations',
      input({}, { identityGenerations: [1, 2] }),
      `${at}identityGenerations: [1,2] is for identities that sign in by federation`,
    ],
    [
      'in a vault with access policies',
      input({ vault: { name: 'kv-test', access: 'accessPolicy' } }),
      'aks-workload-identity:vault.access: "accessPolicy" does not do for the credential of aks-workload-identity:clusters[0].operatorIdentity.servicePrincipal: whoever reads the vault would read it as well.',
    ],
    [
      'with a secret of the same name',
      input({}, { secrets: ['db', 'AKS-1-orders-password'] }),
      `${at}identity: an object has its credential in the secret "aks-1-orders-password", which is the name of another one already`,
    ],
    [
      'of an operator without consent',
      input({
        clusters: [{ name: 'aks-1', operatorIdentity: { servicePrincipal: { credential: 'password' } } }],
      }),
      'aks-workload-identity:clusters[0].operatorIdentity.servicePrincipal.storedPassword: is missing',
    ],
    [
      'of an operator that is not installed',
      input({ serviceOperator: { install: false } }),
      'aks-workload-identity:clusters[0].operatorIdentity.servicePrincipal: an object has no meaning where the operator is not installed',
    ],
  ])('%s', (_, given, message) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(message)]);
  });
});
