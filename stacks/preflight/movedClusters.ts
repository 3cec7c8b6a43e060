import * as pulumi from '@pulumi/pulumi';
import { fieldsOf } from '../../components/resource/fields';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';

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
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const answer: unknown = await pulumi.runtime.invoke('pulumi:pulumi:readStackResourceOutputs', {
    stackName,
  });
  const urns = Object.keys(fieldsOf(fieldsOf(answer).outputs)).sort();
  return urns.flatMap((urn) => {
    const [, , type, name] = urn.split('::');
    return type === clusterType && name !== undefined ? [name] : [];
  });
}
