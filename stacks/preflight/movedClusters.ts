import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import { resourcesInState } from './stackState';

/** The component that has everything of a cluster. */
const clusterType = 'aks-workload-identity:stacks:Cluster';

/**
 * Returns a problem if the state of the stack still has clusters that now belong to another stack of the environment: an update
 * would remove them here before the other stack has them.
 */
export async function movedClusterProblems({ environment, cells, cell }: Configuration): Promise<Problem[]> {
  if (cells.length === 0) return [];
  const before = await clustersInState();
  const elsewhere = cells.filter(({ name }) => name !== cell?.name);
  const moved = before.filter((cluster) => elsewhere.some(({ clusters }) => clusters.includes(cluster)));
  if (moved.length === 0) return [];
  return [
    {
      path: ['cells'],
      what: `assigns ${moved.join(', ')} to another stack, but the resources are still in the state of this one`,
      allowed: 'clusters whose resources are in the state of their stack',
      hint: `Move them first, which changes nothing in Azure: \`npx aks-wi fleet move --stack ${environment}\`.`,
    },
  ];
}

/** Returns the names of the clusters whose resources are in the state of this stack. */
async function clustersInState(): Promise<string[]> {
  const resources = await resourcesInState();
  return resources.filter(({ type }) => type === clusterType).map(({ name }) => name);
}
