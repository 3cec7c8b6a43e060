import { mergedOutputs } from '../../../stacks/outputs/merged';
import type { StackOutputs } from '../../../stacks/outputs/outputs';
import { twoClusters } from '../verification/outputs.fixture';

const whole = {
  ...twoClusters(),
  dependencies: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as unknown as StackOutputs['dependencies'],
  hostedClusters: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as unknown as StackOutputs['hostedClusters'],
  identities: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as StackOutputs['identities'],
  groups: [{ name: 'readers', members: ['on aks-1', 'on aks-2'] }] as unknown as StackOutputs['groups'],
  reconcilers: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as StackOutputs['reconcilers'],
  connectionWriters: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as StackOutputs['connectionWriters'],
  identityBindings: [{ cluster: 'aks-1' }, { cluster: 'aks-2' }] as StackOutputs['identityBindings'],
  tokenEvents: ['aks-1', 'aks-2'],
} as StackOutputs;

/** The part of a value that is of one cluster; without a cluster, what no cluster has. */
function partOf(value: unknown, cluster: string | undefined): unknown {
  if (cluster === undefined) return Array.isArray(value) ? [] : {};
  const isOf = (entry: unknown) => entry === cluster || (entry as { cluster?: string }).cluster === cluster;
  if (Array.isArray(value)) return value.filter(isOf);
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name === cluster));
}

const byCluster = [
  ...['clusters', 'kubeconfigs', 'workloads', 'identities', 'dependencies', 'hostedClusters'],
  ...['reconcilers', 'connectionWriters', 'identityBindings', 'tokenEvents'],
] as const satisfies readonly string[];

/** The outputs of the stack with one cluster, or of the environment's own stack. */
const outputsOf = (cluster?: string): StackOutputs => ({
  ...whole,
  ...Object.fromEntries(byCluster.map((key) => [key, partOf(whole[key as keyof StackOutputs], cluster)])),
  groups: whole.groups.map((group) => ({
    ...group,
    members: group.members.filter((member) => (member as unknown) === `on ${cluster ?? ''}`),
  })),
});

it('the outputs of an environment and of its cells are those of one stack', () => {
  expect(outputsOf().workloads).toEqual([]);
  const merged = mergedOutputs(outputsOf(), [outputsOf('aks-1'), outputsOf('aks-2')]);
  const inOrder = <T extends { cluster: string }>(list: readonly T[]) =>
    list.toSorted((one, other) => one.cluster.localeCompare(other.cluster));
  expect({ ...merged, workloads: [] }).toEqual({ ...whole, workloads: [] });
  expect(inOrder(merged.workloads)).toEqual(inOrder(whole.workloads));
});
