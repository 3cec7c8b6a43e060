import type { ApplicationDocument, GroupDocument, PrincipalDocument } from '../store/documents';
import type { GraphCall, GraphContext } from './context';
import { notFound } from './errors';

const ALTERNATE_KEY = /^appId='([^']*)'$/;

/** The id in a path, and how to look it up: by object id, or by the alternate key of `applications(appId='…')`. */
function keyOf({ params }: GraphCall): { id: string; isClientId: boolean } {
  const given = params['id'] ?? '';
  const clientId = ALTERNATE_KEY.exec(given)?.[1];
  return { id: clientId ?? given, isClientId: clientId !== undefined };
}

/** The application in the path. */
export function findApplication({ store }: GraphContext, call: GraphCall): ApplicationDocument {
  const { id, isClientId } = keyOf(call);
  const found = isClientId ? store.applicationByClientId(id) : store.applications.get(id);
  if (found === undefined) throw notFound(id);
  return found;
}

/** The service principal in the path. */
export function findPrincipal({ store }: GraphContext, call: GraphCall): PrincipalDocument {
  const { id, isClientId } = keyOf(call);
  const found = isClientId ? store.principalByClientId(id) : store.principals.get(id);
  if (found === undefined) throw notFound(id);
  return found;
}

/** The group in the path. */
export function findGroup({ store }: GraphContext, { params }: GraphCall): GroupDocument {
  const id = params['id'] ?? '';
  const found = store.groups.get(id);
  if (found === undefined) throw notFound(id);
  return found;
}
