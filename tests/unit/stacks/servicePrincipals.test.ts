import * as pulumi from '@pulumi/pulumi';
import { planEnvironment } from '../../../stacks/plan';
import { valueOf } from '../components/support/recorder';
import type { Deployment } from './deployed';
import { deploy } from './deployed';
import type { Input } from './settings';
import { configurationOf, input } from './settings';

// What mocks do not prove: that pods sign in as applications in Entra, by what is stored as well; the end-to-end tests do.

const vaultSecret = 'azure-native:keyvault:Secret';
const day = 24 * 60 * 60 * 1000;
const byCertificate = { servicePrincipal: { credential: 'certificate' } };
const byPassword = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
const orders = { name: 'orders', image: 'x:1', secrets: ['db'], identity: byPassword };

const application = 'azuread:index/application:Application';
const managedIdentity = 'azure-native:managedidentity:UserAssignedIdentity';

describe('an identity that is a service principal', () => {
  let whole: Deployment;
  beforeAll(async () => {
    const clusters = [{ name: 'aks-1', operatorIdentity: 'servicePrincipal' }];
    whole = await deploy(input([{ ...orders, identity: 'servicePrincipal' }], { clusters }));
  });

  it('is an application in Entra with the tag of the stack, for the application and for the operator', () => {
    const { find, names } = whole;

    expect(names(application).sort()).toEqual(['aks-1-aso', 'aks-1-orders']);
    expect(names(managedIdentity)).toEqual(['aks-1']);
    expect(find(application, 'aks-1-orders').inputs).toMatchObject({
      displayName: 'id-test-aks-1-orders',
      tags: ['aks-workload-identity/test'],
    });
  });

  it('is granted the secrets, and the pods wait for its trust', () => {
    const { find } = whole;

    expect(
      find('azure-native:authorization:RoleAssignment', 'kv-test/aks-1-orders/db').dependencies,
    ).toContain('azuread:index/servicePrincipal:ServicePrincipal::aks-1-orders');
    expect(find('aks-workload-identity:application:Workload', 'aks-1-orders').dependencies).toContain(
      'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential::aks-1-orders/orders_orders',
    );
  });

  it('is in the outputs with its ids in Entra', async () => {
    const identities = await valueOf(whole.result.identities);

    expect(identities.map(({ name, clientId }) => [name, clientId === undefined])).toEqual([
      ['id-test-aks-1', true],
      ['id-test-aks-1-orders', false],
      ['id-test-aks-1-aso', false],
    ]);
  });
});

const stored = (more: Input = {}) =>
  input([orders], { clusters: [{ name: 'aks-1', operatorIdentity: byCertificate }], ...more });

const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue(undefined);

describe('an identity that signs in with a stored credential', () => {
  let whole: Deployment;
  let warnings: string[];
  beforeAll(async () => {
    whole = await deploy(stored());
    warnings = warn.mock.calls.map(([text]) => text);
  });

  it('trusts no service account, and its secrets are in the central vault', () => {
    const { names, registrations } = whole;
    expect(registrations.filter(({ type }) => /FederatedIdentityCredential/.test(type))).toEqual([]);
    expect(names(vaultSecret).sort()).toEqual([
      'kv-test/aks-1-aso-certificate',
      'kv-test/aks-1-orders-password',
    ]);
    expect(names('azuread:index/applicationPassword:ApplicationPassword').length).toBeGreaterThan(0);
    expect(names('kubernetes:core/v1:Secret')).toEqual(['aks-1-orders-credential']);
  });

  it('is granted the secrets that it names, and not the one that it signs in with', () => {
    const assignments = whole.names('azure-native:authorization:RoleAssignment');
    expect(assignments).toContain('kv-test/aks-1-orders/db');
    expect(assignments.join()).not.toContain('-password');
  });

  it('creates the central vault where every application has its own', async () => {
    const { names } = await deploy(stored({ vaults: 'perApplication' }));
    expect(names('azure-native:keyvault:Vault').sort()).toEqual(['kv-test', 'kv-test-orders']);
    expect(names(vaultSecret)).toContain('kv-test/aks-1-orders-password');
  });

  it('is in the outputs with its keys and its end, and without what is secret', async () => {
    const { result } = whole;
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

  it('causes a warning if it is a password, and none if it is a certificate', () => {
    expect(warnings).toEqual([
      expect.stringMatching(
        /^orders signs in as id-test-aks-1-orders with a stored password, which expires on \d{4}-\d\d-\d\dT00:00:00Z; an update from \d{4}/,
      ),
    ]);
  });

  it('has no use for an audience of the environment', async () => {
    const { find } = await deploy(stored({ audience: 'api://other' }));
    expect(JSON.stringify(find('kubernetes:apps/v1:Deployment', 'aks-1-orders').inputs)).not.toContain(
      'azure-identity-token',
    );
  });

  it('has two credentials during the overlap, and one after it', () => {
    const { settings } = configurationOf(stored());
    const at = (days: number) => {
      const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (60 * day)) * 60 * day;
      const plan = planEnvironment('test', settings, undefined, new Date(start + days * day));
      return plan.clusters[0]?.identities.at(-1)?.credential?.certificates.map(({ name }) => name);
    };
    expect(at(10)).toHaveLength(2);
    expect(at(40)).toEqual(at(10)?.slice(-1));
  });

  it('has nothing to sign in with once it is revoked', async () => {
    const { names } = await deploy(stored({ revoked: { applications: { orders: 'INC-1' } } }));
    expect(names('azuread:index/applicationPassword:ApplicationPassword')).toEqual([]);
    expect(names('kubernetes:core/v1:Secret')).toEqual([]);
    expect(names(vaultSecret)).toEqual(['kv-test/aks-1-aso-certificate']);
    const ofCluster = await deploy(stored({ revoked: { clusters: { 'aks-1': 'INC-1' } } }));
    expect(ofCluster.names(vaultSecret)).toEqual([]);
  });
});
