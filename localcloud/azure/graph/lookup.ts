import type { ApplicationDocument, GroupDocument, PrincipalDocument } from '../store/documents';
import type { GraphCall, GraphContext } from './context';
import { notFound } from './errors';

const ALTERNATE_KEY = /^appId='([^']*)'$/;

/** The id in a path, and how to look it up: by object id, or by the alternate key of `applications(appId='…')`. */
function keyOf({ params }: GraphCall): { id: string; isClientId: boolean } {
  const idOrKey = params['id'] ?? '';
  const clientId = ALTERNATE_KEY.exec(idOrKey)?.[1];
  return { id: clientId ?? idOrKey, isClientId: clientId !== undefined };
}

/** The application in the path. */
export function findApplication({ store }: GraphContext, call: GraphCall): ApplicationDocument {
  const { id, isClientId } = keyOf(call);
  const application = isClientId ? store.applicationByClientId(id) : store.applications.get(id);
  if (application === undefined) throw notFound(id);
  return application;
}

/** The service principal in the path. */
export function findPrincipal({ store }: GraphContext, call: GraphCall): PrincipalDocument {
  const { id, isClientId } = keyOf(call);
  const principal = isClientId ? store.principalByClientId(id) : store.principals.get(id);
  if (principal === undefined) throw notFound(id);
  return principal;
}

/** The group in the path. */
export function findGroup({ store }: GraphContext, { params }: GraphCall): GroupDocument {
  const id = params['id'] ?? '';
  const group = store.groups.get(id);
  if (group === undefined) throw notFound(id);
  return group;
}
