import { everyIdentity } from '../../../stacks/plan';
import { secretsByGrantee, summarizeConfiguration } from '../../../stacks/plan/summary';
import { renderSummary } from '../../../cli/validate/summary';
import { valueOf } from '../components/support/recorder';
import { depending } from './depending';
import { deploy } from './deployed';
import type { Input } from './settings';
import { configurationOf, planOf, validInput } from './settings';

// What mocks do not prove: that Azure then refuses; tests/e2e/revocation.test.ts does.

const withRevoked = (revoked: unknown, more: Input = {}) => validInput({ revoked, ...more });

/** What the identities of the clusters trust and read. */
function accessOf(revoked: unknown) {
  const plan = planOf(withRevoked(revoked));
  const granted = secretsByGrantee(plan);
  return Object.fromEntries(
    plan.clusters
      .flatMap(everyIdentity)
      .map(({ key, subjects }) => [
        key,
        [subjects.map(({ serviceAccount }) => serviceAccount).join(), (granted.get(key) ?? []).join()].join(
          ': ',
        ),
      ]),
  );
}
const whole = accessOf(undefined);
const operator = 'azureserviceoperator-default: ';

describe('what is revoked', () => {
  it('is an application on all its clusters, and nothing of others', () => {
    expect(whole).toMatchObject({
      'aks-1-billing': 'billing: kv-test/billing-db,kv-test/shared-api-key',
      'aks-2-billing': 'billing: kv-test/billing-db,kv-test/shared-api-key',
    });
    expect(accessOf({ applications: { billing: 'a test' } })).toEqual({
      ...whole,
      'aks-1-billing': ': ',
      'aks-2-billing': ': ',
    });
  });

  it('is the trust of an application that shares its identity, and the secrets that no other reads', () => {
    const shop = { name: 'shop', image: 'x:1', secrets: ['shop-db', 'shared-api-key'] };
    const { applications } = validInput() as { applications: unknown[] };
    const plan = planOf(
      withRevoked({ applications: { shop: 'a test' } }, { applications: [...applications, shop] }),
    );
    const [first] = plan.clusters;

    expect(first?.identities[0]).toMatchObject({
      applications: ['orders', 'shop'],
      revoked: ['shop'],
      subjects: [{ serviceAccount: 'orders' }],
    });
    expect(secretsByGrantee(plan).get('aks-1')).toEqual(['kv-test/orders-db', 'kv-test/shared-api-key']);
    expect(plan.vaults[0]?.secrets).toContain('shop-db');
  });

  it('is every identity of a cluster, also that of the operator', () => {
    expect(whole).toMatchObject({ 'aks-2-aso': operator });
    expect(accessOf({ clusters: { 'aks-2': 'a test' } })).toEqual({
      ...whole,
      'aks-2': ': ',
      'aks-2-billing': ': ',
      'aks-2-reports': ': ',
      'aks-2-aso': ': ',
    });
  });

  it('is one identity by its name in Azure', () => {
    expect(accessOf({ identities: { 'id-test-aks-1': 'a test' } })).toEqual({ ...whole, 'aks-1': ': ' });
  });

  it('is one identity that exists, by its name', () => {
    const id =
      '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/theirs';
    const clusters = [{ name: 'aks-1', identity: { existing: id } }, { name: 'aks-2' }];
    const plan = planOf(withRevoked({ identities: { theirs: 'a test' } }, { clusters }));

    expect(plan.clusters[0]?.identities[0]).toMatchObject({ subjects: [], revoked: ['orders'] });
    expect(secretsByGrantee(plan).get('aks-1')).toBeUndefined();
  });

  it('is in the summary', () => {
    const revoked = { applications: { billing: 'leaked' }, clusters: { 'aks-2': 'rebuilt' } };
    const lines = renderSummary(summarizeConfiguration(configurationOf(withRevoked(revoked)))).split('\n');

    expect(lines).toContain('  revoked applications: billing (leaked)');
    expect(lines).toContain('  revoked clusters: aks-2 (rebuilt)');
  });
});

describe('a deployment with what is revoked', () => {
  const skipAwait = { metadata: { annotations: { 'pulumi.com/skipAwait': 'true' } } };

  it('has no trust, no grant and no wait, and leaves the rest as it is', async () => {
    const revoked = { clusters: { 'aks-2': 'a test' } };
    const { registrations, find, result } = await deploy(withRevoked(revoked));
    const names = (type: string) =>
      registrations.filter((registration) => registration.type.endsWith(type)).map(({ name }) => name);

    for (const type of [':FederatedIdentityCredential', ':RoleAssignment', ':AccessPolicy'])
      expect(names(type).filter((name) => name.includes('aks-2'))).toEqual([]);
    expect(names(':RoleAssignment')).toContain('kv-test/aks-1/orders-db');
    expect(names(':UserAssignedIdentity')).toEqual(
      expect.arrayContaining(['aks-2', 'aks-2-aso', 'aks-2-billing', 'aks-2-reports']),
    );
    expect(names('apps/v1:Deployment')).toEqual(expect.arrayContaining(['aks-1-orders', 'aks-2-orders']));
    expect(find('kubernetes:apps/v1:Deployment', 'aks-2-orders').inputs).toMatchObject(skipAwait);
    expect(find('kubernetes:apps/v1:Deployment', 'aks-1-orders').inputs).not.toMatchObject(skipAwait);
    expect(find('kubernetes:helm.sh/v3:Release', 'aks-2-reports').inputs).toMatchObject({ skipAwait: true });
    const workloads = await valueOf(result.workloads);
    expect(workloads.map(({ cluster, revoked: is, grants }) => [cluster, is, grants.length])).toEqual([
      ['aks-1', undefined, 2],
      ['aks-1', undefined, 2],
      ['aks-2', true, 0],
      ['aks-2', true, 0],
      ['aks-2', true, 0],
    ]);
  });

  it('assigns it no role on services that it depends on', async () => {
    const more = { applications: [depending()], secretValues: {} };
    const assignments = async (revoked: unknown) => {
      const { registrations } = await deploy(withRevoked(revoked, more));
      return registrations.filter(({ type }) => type.endsWith(':RoleAssignment')).map(({ name }) => name);
    };
    const role = 'aks-1/storageAccount/stfiles/storageBlobDataContributor';
    const provisioning = 'aks-1-aso/rg-test-services/storageAccountContributor';

    expect(await assignments(undefined)).toEqual(expect.arrayContaining([role, provisioning]));
    const without = await assignments({ applications: { orders: 'a test' } });
    expect(without).not.toContain(role);
    expect(without).toContain(provisioning);
    expect(await assignments({ clusters: { 'aks-1': 'a test' } })).not.toContain(provisioning);
  });
});
