import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { Workload } from '../../../components/application/workload';
import { WorkloadIdentityCluster } from '../../../components/cluster/workloadIdentityCluster';
import { CertManager } from '../../../components/platform/certManager';
import { record } from './support/recorder';
import { guidOf } from './support/azure';

// What this does not prove: that the engine then leaves the deletions out; the end-to-end test destroys a stack.

const clusterKey = 'azure-native:containerservice:ManagedCluster::aks-1';

function program(deletedWithCluster: boolean): void {
  const cluster = new WorkloadIdentityCluster('aks-1', { create: { resourceGroupName: 'rg' } });
  const opts: pulumi.ComponentResourceOptions = {
    providers: [cluster.provider],
    ...(deletedWithCluster && { deletedWith: cluster.managedCluster }),
  };
  new CertManager('cert-manager', {}, opts);
  const namespace = kubernetes.core.v1.Namespace.get('orders', 'orders', { provider: cluster.provider });
  const identity = { clientId: pulumi.output(guidOf('client')), tenantId: pulumi.output(guidOf('tenant')) };
  const common = {
    namespace: namespace.metadata.name,
    identity,
    vault: { name: 'kv-a', uri: 'https://kv.vault.azure.net/', secretNames: ['db'] },
  };
  new Workload('orders', { application: 'orders', image: { reference: 'x:1' }, ...common }, opts);
  new Workload(
    'reports',
    { application: 'reports', chart: { source: { chart: './reports' } }, ...common },
    opts,
  );
}

const installed = [
  'kubernetes:helm.sh/v3:Release::cert-manager',
  'kubernetes:core/v1:ServiceAccount::orders-account',
  'kubernetes:apps/v1:Deployment::orders',
  'kubernetes:core/v1:ServiceAccount::reports-account',
  'kubernetes:helm.sh/v3:Release::reports',
];

describe('what is installed in a cluster', () => {
  it.each([
    ['goes with the cluster where its component is said to', true, clusterKey],
    ['is deleted on its own otherwise', false, undefined],
  ])('%s', async (_what, deletedWithCluster, expected) => {
    const { registrations } = await record(() => program(deletedWithCluster));

    const fates = Object.fromEntries(
      registrations
        .filter(({ type, name }) => installed.includes(`${type}::${name}`))
        .map(({ type, name, deletedWith }) => [`${type}::${name}`, deletedWith]),
    );
    expect(fates).toEqual(Object.fromEntries(installed.map((key) => [key, expected])));
  });
});
