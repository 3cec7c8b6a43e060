import * as pulumi from '@pulumi/pulumi';
import { shardOf } from '../../../stacks/plan/shards';
import { guidOf, ids } from '../components/support/azure';
import { deploy as deployInput } from './deployed';
import { application, input } from './settings';

// What mocks do not prove: that what exists already stays as it is, and that pods get their secrets; the end-to-end
// test of applications does.

const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignment = 'azure-native:authorization:RoleAssignment';
const namespace = 'kubernetes:core/v1:Namespace';

const deploy = (...args: Parameters<typeof input>) => deployInput(input(...args));

describe('names from before the stack', () => {
  it('are kept for federated credentials and role assignments', async () => {
    const name = '99999999-9999-4999-8999-999999999999';
    const { find } = await deploy([application('orders', { secrets: ['orders-db', 'shared'] })], {
      imported: {
        federatedCredentials: { 'aks-1/orders_orders': 'by-hand' },
        roleAssignments: { 'kv-test/aks-1/orders-db': name },
      },
    });

    expect(find(credential, 'aks-1/orders_orders').inputs).toMatchObject({
      federatedIdentityCredentialResourceName: 'by-hand',
    });
    expect(find(assignment, 'kv-test/aks-1/orders-db').inputs.roleAssignmentName).toBe(name);
    const other = find(assignment, 'kv-test/aks-1/shared').inputs.roleAssignmentName;
    expect(other).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(other).not.toBe(name);
  });
});

describe('an existing namespace', () => {
  it('is read, and has the workload in it', async () => {
    const recording = await deploy([
      application('orders', {
        namespace: { name: 'shop', existing: true },
        serviceAccount: { name: 'front', existing: true },
        serviceAccounts: ['worker'],
      }),
      application('billing'),
    ]);

    // What is read is not registered: it is in no way the stack's.
    expect(recording.names(namespace)).toEqual(['aks-1/billing']);
    expect(
      recording.find('kubernetes:core/v1:ServiceAccountPatch', 'aks-1-orders-account').inputs,
    ).toMatchObject({
      metadata: { name: 'front', namespace: 'shop' },
    });
    expect(
      recording.find('kubernetes:core/v1:ServiceAccount', 'aks-1-orders-account/worker').inputs,
    ).toMatchObject({ metadata: { name: 'worker', namespace: 'shop' } });
    expect(recording.names(credential).filter((name) => name.startsWith('aks-1/'))).toEqual([
      'aks-1/billing_billing',
      'aks-1/shop_front',
      'aks-1/shop_worker',
    ]);
  });
});

describe('secrets that the driver delivers', () => {
  const parameters = async () => {
    const { find } = await deploy([application('orders', { secrets: ['db'], delivery: 'files' })]);
    const type = 'kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass';
    return (find(type, 'aks-1-orders-secrets').inputs.spec as { parameters: object }).parameters;
  };
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
  });

  it('are fetched in the cloud of the deployment, which is named where it is not the public one', async () => {
    expect(await parameters()).not.toHaveProperty('cloudName');
    pulumi.runtime.setAllConfig({ 'azure-native:environment': 'china' });
    expect(await parameters()).toMatchObject({ cloudName: 'AzureChinaCloud' });
  });
});

describe('a sharded environment', () => {
  it('runs each application as the identity of its shard, which alone is granted its secrets', async () => {
    const { find, names } = await deploy(
      [application('orders', { secrets: ['a'] }), application('billing', { secrets: ['b'] })],
      { shard: true },
    );
    const [orders, billing] = ['orders', 'billing'].map((name) => `aks-1-${shardOf(name)}`);

    expect(
      names(assignment)
        .filter((name) => name.startsWith('kv-test/'))
        .sort(),
    ).toEqual([`kv-test/${orders ?? ''}/a`, `kv-test/${billing ?? ''}/b`].sort());
    expect(find('kubernetes:core/v1:ServiceAccount', 'aks-1-orders-account').inputs).toMatchObject({
      metadata: {
        annotations: {
          'azure.workload.identity/client-id': guidOf(`client-id-test-${orders ?? ''}`),
          'azure.workload.identity/tenant-id': ids.tenant,
        },
      },
    });
  });

  it('gets only the resources of an application when one is added, and of its shard if it is the first', async () => {
    const before = await deploy([application('orders')], { shard: true });
    const after = await deploy([application('orders'), application('billing')], { shard: true });
    const listed = ({ registrations }: typeof before) =>
      registrations
        .filter(({ type }) => !type.startsWith('aks-workload-identity:'))
        .map(({ type, name, inputs }) => `${type} ${name} ${JSON.stringify(inputs)}`);
    const shard = `aks-1-${shardOf('billing')}`;

    expect(listed(before).filter((line) => !listed(after).includes(line))).toEqual([]);
    expect(
      listed(after)
        .filter((line) => !listed(before).includes(line))
        .map((line) =>
          line
            .split(' ')
            .slice(0, 2)
            .join(' ')
            .replace(/^.*[:/]/, ''),
        )
        .sort(),
    ).toHaveLength(5);
    expect(after.names(credential)).toContain(`${shard}/billing_billing`);
  });
});

describe('a workload', () => {
  it('reads from the vault that has its secrets, by its name in Azure', async () => {
    const { find } = await deploy([
      application('orders', {
        secrets: ['a'],
        delivery: 'files',
        vault: { placement: 'perApplication', name: 'kv-orders' },
      }),
    ]);

    expect(
      find('kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass', 'aks-1-orders-secrets').inputs,
    ).toMatchObject({ spec: { parameters: { keyvaultName: 'kv-orders', tenantId: ids.tenant } } });
  });
});
