import type { AzureResource } from '../azureReader';
import type { Ask } from '../ask';
import { printProblem } from '../print';
import { shownInLine } from '../shownOnTerminal';
import { UserError } from '../userError';
import { nameIn } from './fromAzureFound';

/**
 * Returns the answer of a person, or the default for an empty one. Nobody is asked if `ask` is undefined.
 * @param option option that has the same effect
 * @throws UserError without an answer and a default
 */
export async function askFor(
  ask: Ask | undefined,
  what: string,
  option: string,
  suggested: string | undefined,
): Promise<string> {
  const answer =
    ask === undefined ? '' : await ask(`${what}${suggested === undefined ? '' : ` [${suggested}]`}: `);
  if (answer === undefined) throw new UserError('Nothing was written.');
  const chosen = answer === '' ? suggested : answer;
  if (chosen !== undefined) return chosen;
  throw new UserError(`${what} is missing.`, `Add ${option}.`);
}

/** Returns the clusters that a person chooses by number from a list; all for an empty answer. */
export async function askClusters(
  ask: Ask,
  clusters: readonly AzureResource[],
): Promise<readonly AzureResource[]> {
  if (clusters.length < 2) return clusters;
  for (const [index, { id }] of clusters.entries())
    printProblem(`  ${index + 1}  ${shownInLine(`${nameIn(id)}  ${id}`)}\n`);
  const answer = await askFor(ask, 'Numbers of the clusters', '--cluster', 'all');
  if (answer === 'all') return clusters;
  return answer.split(/[\s,]+/).map((number) => {
    const cluster = clusters[Number(number) - 1];
    if (cluster !== undefined) return cluster;
    throw new UserError(`"${number}" is not the number of a cluster.`, 'Name numbers of the list, or all.');
  });
}
