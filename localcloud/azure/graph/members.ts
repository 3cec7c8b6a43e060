import { allMembersOf, groupsOf } from '../identity/groups';
import { LIST } from './answer';
import type { GraphContext, GraphEndpoint } from './context';
import { listObjects } from './directoryObjects';
import { badRequest, notFound } from './errors';
import { findGroup, findPrincipal } from './lookup';
import { idIn, referenceEndpoints } from './references';

/** Returns the object id in a reference to a member of a group: a service principal or another group. */
function memberIn({ store }: GraphContext, group: string, reference: string): string {
  const id = idIn(reference);
  if (!store.principals.has(id) && !store.groups.has(id)) throw notFound(id);
  // That Graph refuses this, and its message, are assumed.
  if (id === group) throw badRequest(`The group '${id}' cannot be a member of itself.`);
  return id;
}

/** Members of groups, and the groups that a service principal is in. */
export const memberEndpoints: GraphEndpoint[] = [
  ...referenceEndpoints('groups', 'members', (context, call) => {
    const group = findGroup(context, call);
    return {
      ids: group.members,
      // "A known issue where service principals are not listed as group members in v1.0"
      // (https://learn.microsoft.com/graph/api/group-list-members).
      ...(call.version === 'v1.0' && {
        listed: group.members.filter((id) => !context.store.principals.has(id)),
      }),
      save: (members) => context.store.groups.set(group.objectId, { ...group, members }),
      accept: (reference) => memberIn(context, group.objectId, reference),
    };
  }),
  {
    operation: 'ListTransitiveMembers',
    method: 'GET',
    path: 'groups/{id}/transitiveMembers',
    query: LIST,
    handle: (context, call) =>
      listObjects(context, call, allMembersOf(context.store, findGroup(context, call).objectId)),
  },
  {
    operation: 'ListTransitiveMemberOf',
    method: 'GET',
    path: 'servicePrincipals/{id}/transitiveMemberOf',
    query: LIST,
    handle: (context, call) =>
      listObjects(context, call, groupsOf(context.store, findPrincipal(context, call).objectId)),
  },
];
