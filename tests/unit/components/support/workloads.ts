import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { WorkloadArgs, WorkloadChart } from '../../../../components/application/arguments';
import { Workload } from '../../../../components/application/workload';
import { record } from './recorder';
import { guidOf } from './azure';

export const deployment = 'kubernetes:apps/v1:Deployment';
export const release = 'kubernetes:helm.sh/v3:Release';

const common = () => ({
  application: 'orders',
  namespace: new kubernetes.core.v1.Namespace('aks-1-shop', { metadata: { name: 'shop' } }).metadata.name,
  identity: { clientId: pulumi.output(guidOf('client')), tenantId: pulumi.output(guidOf('tenant')) },
  vault: { name: 'kv-a', uri: 'https://kv.vault.azure.net/', secretNames: ['orders-db', 'shared'] },
  kubeconfig: 'kubeconfig',
});

/** @param args a function, where they have resources */
export const withImage = (args: Partial<WorkloadArgs> | (() => Partial<WorkloadArgs>) = {}) =>
  record(() => {
    const changes = typeof args === 'function' ? args() : args;
    return new Workload('aks-1-orders', { ...common(), image: { reference: 'reader:1' }, ...changes });
  });
export const withChart = (chart: WorkloadChart, args: Partial<WorkloadArgs> = {}) =>
  record(() => new Workload('aks-1-orders', { ...common(), chart, ...args }));
