import * as pulumi from '@pulumi/pulumi';
import { startCommand } from '../../components/cluster/existingCluster';
import { parseResourceId } from '../../components/azure/resourceId';
import { fieldsOf } from '../../components/resource/fields';
import { skipsUnreachable, skipUnreachable } from '../../components/waiting/unreachable';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import type { ManagedClusters } from './managedClusters';

/**
 * Returns problems of stopped clusters: nothing in them can be read or written. If the variable of Pulumi's provider that skips
 * unreachable clusters is set, the rest is updated and a warning names these clusters.
 */
export async function stoppedProblems(
  { plan }: Configuration,
  clusters: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async ({ settings: cluster }, index): Promise<Problem[]> => {
      if (cluster.mode === 'external') return [];
      // A cluster that cannot be read is reported elsewhere, or does not exist yet.
      const answer = await clusters.find(cluster);
      // After a stop, Azure has answered null (MicrosoftDocs/azure-docs #63152).
      if (answer === undefined || fieldsOf(answer.powerState).code !== 'Stopped') return [];
      const start = startCommand(parseResourceId(answer.id));
      if (skipsUnreachable()) {
        void pulumi.log.warn(
          `The cluster ${cluster.name} is stopped. Its contents stay as they are until an update after \`${start}\`.`,
        );
        return [];
      }
      return [
        {
          path: ['clusters', index, 'name'],
          value: JSON.stringify(cluster.name),
          what: 'is a stopped cluster, in which nothing can be updated',
          hint: `Start it: \`${start}\`. To update everything else now, set ${skipUnreachable}=true.`,
        },
      ];
    }),
  );
  return found.flat();
}
