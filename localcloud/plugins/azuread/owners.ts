import { revealAll, type Properties } from '../protocol';
import { sorted } from './rules';
import { graphRoot } from './graph/client';
import type { Session } from './session';

/** Most owners that a request to create an application or service principal can have, with the caller. */
const mostAtCreation = 20;

/** A reference to a principal. */
function reference(objectId: string): string {
  return `${graphRoot}/directoryObjects/${objectId}`;
}

/** The owners that the program asks for. */
export function wantedOwners(inputs: Properties): string[] {
  const { owners = [] } = revealAll(inputs);
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === 'string') : [];
}

/** Object ids of the owners of an entity, in order. */
export async function ownersOf(session: Session, path: string, signal: AbortSignal): Promise<string[]> {
  const owners = await session.graph.list(`${path}/owners`, signal);
  const ids = owners.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return sorted(ids).filter((id) => typeof id === 'string');
}

/**
 * References to the first owners, for a request to create: the caller, who has to own what it goes on to change,
 * and those that the program asks for. {@link settleOwners} does the rest, as the official provider does it
 * (internal/services/applications/application_resource.go).
 */
export function firstOwners(callerId: string, wanted: readonly string[]): string[] {
  const others = wanted.filter((owner) => !sameId(owner, callerId));
  return [callerId, ...others].slice(0, mostAtCreation).map(reference);
}

/** Adds and removes owners until the entity has exactly the wanted ones. */
export async function settleOwners(
  session: Session,
  path: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const current = await ownersOf(session, path, signal);
  for (const owner of wanted.filter((one) => !current.some((other) => sameId(one, other)))) {
    await session.graph.post(`${path}/owners/$ref`, { '@odata.id': reference(owner) }, signal);
  }
  for (const owner of current.filter((one) => !wanted.some((other) => sameId(one, other)))) {
    await session.graph.delete(`${path}/owners/${owner}/$ref`, signal);
  }
}

function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
