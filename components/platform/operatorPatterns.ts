import type { ClusterDiscovery } from '../cluster/clusterObjects';
import { waitUntil } from '../cluster/waiting';
import { messageOf, VisibleError } from '../resource/errors';
import { partsOf } from './crdPattern';
import type { Waiting } from './operatorWaiting';
import { minutes, operatorLogs, startLimitMs } from './operatorWaiting';

/** Waits until the cluster serves custom resources for each of the patterns. */
export async function patternsServed(
  component: string,
  cluster: ClusterDiscovery,
  patterns: readonly string[],
  waiting: Waiting,
): Promise<void> {
  const missing = await waitUntil(
    async () => {
      const unserved = await unservedPatterns(cluster, patterns).catch(
        (error: unknown) => `none (${messageOf(error)})`,
      );
      if (unserved === '') return undefined;
      return `the operator's custom resources are not served yet: ${unserved}`;
    },
    { ...waiting, limitMs: startLimitMs },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: ${missing.replace(' yet', '')} (for ${minutes(startLimitMs)}). Allowed in \`crdPattern\`: groups and kinds that this version of the operator has, such as "storage.azure.com/*"; a pattern without any makes it exit. Correct the pattern, or see ${operatorLogs}, and run the update again.`,
  );
}

/** Patterns that no served kind matches, as a text. */
async function unservedPatterns(cluster: ClusterDiscovery, patterns: readonly string[]): Promise<string> {
  const groups = await cluster.groups();
  const served = await Promise.all(
    patterns.map(async (pattern) => {
      const { group, kind } = partsOf(pattern);
      const matching = groups.filter((name) => group.test(name));
      const kinds = await Promise.all(matching.map((name) => cluster.kinds(name)));
      return kinds.flat().some((name) => kind.test(name));
    }),
  );
  return patterns.filter((_, index) => served[index] !== true).join(', ');
}
