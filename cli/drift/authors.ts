import pLimit from 'p-limit';
import { activityEvent, activityEvents } from '../activityLog';
import type { ReadService } from '../azureReader';
import { UserError } from '../userError';

/** Who changed something, and when. */
export interface Authored {
  /** An identity of the stack, another one's object id, or the name of a user. */
  readonly by: string;
  readonly time: Date;
}

/** A change of which it is asked who made it. */
export interface Asked {
  /** Resource id, or another one's. */
  readonly id?: string | undefined;
  readonly change: 'changed' | 'deleted' | 'added';
  /** When the stack itself last wrote it. */
  readonly since?: Date | undefined;
}

/** Requests at a time. */
const parallel = 4;

/**
 * The last who wrote or deleted each, as far as Azure's activity log tells; undefined where it does not.
 * @param note says why the log could not be read
 */
export async function authorsOf(
  manager: Pick<ReadService, 'endpoint' | 'read'>,
  asked: readonly Asked[],
  now: Date,
  note: (text: string) => void,
): Promise<(Authored | undefined)[]> {
  const limited = pLimit(parallel);
  const find = async ({ id = '', change, since = new Date(0) }: Asked): Promise<Authored | undefined> => {
    // What is in Entra or in a cluster is not in the log.
    if (!/^\/subscriptions\/./i.test(id)) return undefined;
    const filter = `resourceUri eq '${id}'`;
    return lastIn(await activityEvents(manager, [id], { since, now, filter }), change);
  };
  try {
    return await Promise.all(asked.map((one) => limited(() => find(one))));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`Who made the changes is not known: ${error.message} ${error.hint ?? ''}`.trimEnd());
    return asked.map(() => undefined);
  }
}

/** The last event that did it; exported for tests. */
export function lastIn(found: readonly unknown[], change: Asked['change']): Authored | undefined {
  const action = change === 'deleted' ? '/delete' : '/write';
  return (
    found
      .flatMap((one) => activityEvent.safeParse(one).data ?? [])
      // A long operation ends later, as its own event. NoContent: there was nothing to delete.
      .filter(
        ({ status, properties }) =>
          ['Accepted', 'Succeeded'].includes(status.value) && properties?.['statusCode'] !== 'NoContent',
      )
      .filter(({ operationName }) => operationName.value.toLowerCase().endsWith(action))
      .map(({ eventTimestamp: time, caller }) => ({ by: caller ?? '', time }))
      .filter(({ by }) => by !== '')
      .sort((one, other) => other.time.getTime() - one.time.getTime())[0]
  );
}
