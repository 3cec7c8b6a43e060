import { revealAll, type Properties } from '../protocol';
import { idsAt, reference, sameId, settle } from './references';
import type { Session } from './session';

/** Most owners that a request to create something can have, with the caller. */
const mostAtCreation = 20;

/** The owners that the program asks for. */
export function wantedOwners(inputs: Properties): string[] {
  const { owners = [] } = revealAll(inputs);
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === 'string') : [];
}

/** Object ids of the owners of an entity, in order. */
export function ownersOf(session: Session, path: string, signal: AbortSignal): Promise<string[]> {
  return idsAt(session, `${path}/owners`, signal);
}

/**
 * The owners of a group, and references to the first of them for the request to create it. Without any in the program
 * it is the caller; with some, the caller is one only if it is among them, and the first then
 * (internal/services/groups/group_resource.go).
 */
export function ownersOfGroup(callerId: string, inputs: Properties): { owners: string[]; first: string[] } {
  const wanted = wantedOwners(inputs);
  const owners = wanted.length === 0 ? [callerId] : wanted;
  const isCaller = (owner: string): boolean => sameId(owner, callerId);
  const ordered = [...owners.filter(isCaller), ...owners.filter((owner) => !isCaller(owner))];
  return { owners, first: ordered.slice(0, mostAtCreation).map(reference) };
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
export function settleOwners(
  session: Session,
  path: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  return settle(session, `${path}/owners`, wanted, signal);
}
