import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { notFound } from './errors';
import { findApplication, findGroup, findPrincipal } from './lookup';
import { idIn, referenceEndpoints } from './references';

/** Returns the object id in a reference to an owner. Only service principals can be owners: there are no users. */
export function ownerIn({ store }: GraphContext, reference: string): string {
  const id = idIn(reference);
  if (!store.principals.has(id)) throw notFound(id);
  return id;
}

/** An object with owners. */
interface Owned {
  owners: readonly string[];
  save: (owners: string[]) => void;
}

const sets: Record<string, (context: GraphContext, call: GraphCall) => Owned> = {
  applications(context, call) {
    const application = findApplication(context, call);
    const save = (owners: string[]): void =>
      context.store.applications.set(application.objectId, { ...application, owners });
    return { owners: application.owners, save };
  },
  servicePrincipals(context, call) {
    const principal = findPrincipal(context, call);
    const save = (owners: string[]): void =>
      context.store.principals.set(principal.objectId, { ...principal, owners });
    return { owners: principal.owners ?? [], save };
  },
  groups(context, call) {
    const group = findGroup(context, call);
    const save = (owners: string[]): void => context.store.groups.set(group.objectId, { ...group, owners });
    return { owners: group.owners, save };
  },
};

/** Owners of applications, service principals and groups. They have no effect in the local cloud. */
export const ownerEndpoints: GraphEndpoint[] = Object.entries(sets).flatMap(([set, find]) =>
  referenceEndpoints(set, 'owners', (context, call) => {
    const { owners, save } = find(context, call);
    return { ids: owners, save, accept: (reference) => ownerIn(context, reference) };
  }),
);
