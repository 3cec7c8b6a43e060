import pLimit from 'p-limit';
import { activityEvent, activityEvents } from '../activityLog';
import type { ReadService } from '../azureReader';
import { UserError } from '../userError';

/** The author and the time of a change. */
export interface Authored {
  /** Name of an identity of the stack, object id of another identity, or name of a user. */
  readonly by: string;
  readonly time: Date;
}

/** A change by an unknown author. */
export interface ForeignChange {
  /** Resource id in Azure, or an id of another kind. */
  readonly id?: string | undefined;
  readonly change: 'changed' | 'deleted' | 'added';
  /** Time of the stack's own last write. */
  readonly since?: Date | undefined;
}

/** Maximum number of concurrent requests. */
const parallel = 4;

/**
 * Returns who last wrote or deleted each resource, according to Azure's activity log; undefined if the log does not show it.
 * @param note called with the reason if the log cannot be read
 */
export async function authorsOf(
  manager: Pick<ReadService, 'endpoint' | 'read'>,
  changes: readonly ForeignChange[],
  now: Date,
  note: (text: string) => void,
): Promise<(Authored | undefined)[]> {
  const limited = pLimit(parallel);
  const find = async ({
    id = '',
    change,
    since = new Date(0),
  }: ForeignChange): Promise<Authored | undefined> => {
    // The log does not cover Entra and clusters.
    if (!/^\/subscriptions\/./i.test(id)) return undefined;
    const filter = `resourceUri eq '${id}'`;
    return lastIn(await activityEvents(manager, [id], { since, now, filter }), change);
  };
  try {
    return await Promise.all(changes.map((change) => limited(() => find(change))));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`The authors of the changes are unknown: ${error.message} ${error.hint ?? ''}`.trimEnd());
    return changes.map(() => undefined);
  }
}

/** Returns the author of the last event that made the change; exported for tests. */
export function lastIn(events: readonly unknown[], change: ForeignChange['change']): Authored | undefined {
  const action = change === 'deleted' ? '/delete' : '/write';
  return (
    events
      .flatMap((event) => activityEvent.safeParse(event).data ?? [])
      // The end of a long operation is a separate event. NoContent: there was nothing to delete.
      .filter(
        ({ status, properties }) =>
          ['Accepted', 'Succeeded'].includes(status.value) && properties?.['statusCode'] !== 'NoContent',
      )
      .filter(({ operationName }) => operationName.value.toLowerCase().endsWith(action))
      .map(({ eventTimestamp: time, caller }) => ({ by: caller ?? '', time }))
      .filter(({ by }) => by !== '')
      .sort((a, b) => b.time.getTime() - a.time.getTime())[0]
  );
}
