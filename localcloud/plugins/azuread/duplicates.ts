import * as z from 'zod';
import { isUnknown, type Properties } from '../protocol';
import { quoted } from './graph/client';
import { entityId, type EntitySet } from './ids';
import type { Session } from './session';

const named = z.object({ id: z.string(), displayName: z.string().nullish() });

/** Names of an entity of each set, for messages. */
const names: Readonly<Record<EntitySet, string>> = {
  applications: 'an application',
  groups: 'a group',
  servicePrincipals: 'a service principal',
};

/**
 * Refuses a name that another entity has, if the program sets `preventDuplicateNames`.
 *
 * @param own id of the entity itself. @default the entity does not exist yet
 */
export async function refuseDuplicate(
  session: Session,
  set: EntitySet,
  { displayName = '', preventDuplicateNames }: Properties,
  own: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (preventDuplicateNames !== true || isUnknown(displayName) || typeof displayName !== 'string') return;
  const duplicates = await session.graph.list(`/${set}`, signal, `displayName eq ${quoted(displayName)}`);
  const same = duplicates
    .map((other) => named.parse(other))
    .find((other) => other.displayName === displayName && entityId(set, other.id) !== own);
  if (same === undefined) return;
  throw new Error(
    `${names[set]} with the name '${displayName}' exists, and preventDuplicateNames is set: import '${entityId(set, same.id)}', or choose another name`,
  );
}
