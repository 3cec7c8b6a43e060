import * as pulumi from '@pulumi/pulumi';
import { startCommand } from '../../components/cluster/existingCluster';
import { parseResourceId } from '../../components/azure/resourceId';
import { fieldsOf } from '../../components/resource/fields';
import { skipsUnreachable, skipUnreachable } from '../../components/waiting/unreachable';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import type { ManagedClusters } from './managedClusters';

/**
 * Clusters that somebody stopped: nothing in them can be read or written. With the variable of Pulumi's provider, the rest is
 * updated, and they are named.
 */
export async function stoppedProblems(
  { plan }: Configuration,
  clusters: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async ({ settings: cluster }, index): Promise<Problem[]> => {
      if (cluster.mode === 'external') return [];
      // One that cannot be read is a problem of its own, or yet to be made.
      const answer = await clusters.read(cluster).catch(() => undefined);
      // After a stop, Azure has answered null (MicrosoftDocs/azure-docs #63152).
      if (answer === undefined || fieldsOf(answer.powerState).code !== 'Stopped') return [];
      const start = startCommand(parseResourceId(answer.id));
      if (skipsUnreachable()) {
        void pulumi.log.warn(
          `The cluster ${cluster.name} is stopped. What is in it stays as it is, until an update after \`${start}\`.`,
        );
        return [];
      }
      return [
        {
          path: ['clusters', index, 'name'],
          value: JSON.stringify(cluster.name),
          what: 'is a cluster that is stopped, so that nothing in it can be updated',
          hint: `Start it: \`${start}\`. To update the rest meanwhile, set ${skipUnreachable}=true.`,
        },
      ];
    }),
  );
  return found.flat();
}
