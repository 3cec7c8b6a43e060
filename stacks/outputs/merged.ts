import type { StackOutputs } from './outputs';

/** Returns the outputs of an environment as a whole: those of its own stack with those of its cells. */
export function mergedOutputs(environment: StackOutputs, cells: readonly StackOutputs[]): StackOutputs {
  const all = [environment, ...cells];
  const reconcilers = all.flatMap((outputs) => outputs.reconcilers ?? []);
  const connectionWriters = all.flatMap((outputs) => outputs.connectionWriters ?? []);
  const identityBindings = all.flatMap((outputs) => outputs.identityBindings ?? []);
  const tokenEvents = all.flatMap((outputs) => outputs.tokenEvents ?? []);
  return {
    ...environment,
    clusters: Object.assign({}, ...all.map(({ clusters }) => clusters)) as StackOutputs['clusters'],
    kubeconfigs: Object.assign(
      {},
      ...all.map(({ kubeconfigs }) => kubeconfigs),
    ) as StackOutputs['kubeconfigs'],
    workloads: all.flatMap(({ workloads }) => workloads),
    identities: all.flatMap(({ identities }) => identities),
    groups: environment.groups.map((group) => ({
      ...group,
      members: all.flatMap(({ groups }) => groups.find(({ name }) => name === group.name)?.members ?? []),
    })),
    dependencies: all.flatMap(({ dependencies }) => dependencies),
    hostedClusters: all.flatMap(({ hostedClusters }) => hostedClusters),
    ...(reconcilers.length > 0 && { reconcilers }),
    ...(connectionWriters.length > 0 && { connectionWriters }),
    ...(identityBindings.length > 0 && { identityBindings }),
    ...(tokenEvents.length > 0 && { tokenEvents }),
  };
}
