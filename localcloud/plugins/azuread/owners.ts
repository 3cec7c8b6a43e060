import { revealAll, type Properties } from '../protocol';
import { idsAt, reference, sameId, settle } from './references';
import type { Session } from './session';

/** Largest number of owners in a request that creates something, including the caller. */
const mostAtCreation = 20;

/** Returns the owners that the program sets. */
export function declaredOwners(inputs: Properties): string[] {
  const { owners = [] } = revealAll(inputs);
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === 'string') : [];
}

/** Returns the object ids of an entity's owners, sorted. */
export function ownersOf(session: Session, path: string, signal: AbortSignal): Promise<string[]> {
  return idsAt(session, `${path}/owners`, signal);
}

/**
 * Returns the owners of a group, and references to the first of them for the request that creates it. If the program sets
 * no owners, the caller is the owner. Otherwise the caller is an owner only if the program names it, and then the first
 * one (internal/services/groups/group_resource.go).
 */
export function ownersOfGroup(callerId: string, inputs: Properties): { owners: string[]; first: string[] } {
  const declared = declaredOwners(inputs);
  const owners = declared.length === 0 ? [callerId] : declared;
  const isCaller = (owner: string): boolean => sameId(owner, callerId);
  const ordered = [...owners.filter(isCaller), ...owners.filter((owner) => !isCaller(owner))];
  return { owners, first: ordered.slice(0, mostAtCreation).map(reference) };
}

/**
 * Returns references to the first owners, for a request that creates an entity: the caller, which must own the entity to
 * change it afterwards, and owners that the program sets. {@link settleOwners} does the rest, as the official provider
 * does (internal/services/applications/application_resource.go).
 */
export function firstOwners(callerId: string, declared: readonly string[]): string[] {
  const others = declared.filter((owner) => !sameId(owner, callerId));
  return [callerId, ...others].slice(0, mostAtCreation).map(reference);
}

/** Adds and removes owners until the entity has exactly the wanted ones. */
export function settleOwners(
  session: Session,
  path: string,
  declared: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  return settle(session, `${path}/owners`, declared, signal);
}
