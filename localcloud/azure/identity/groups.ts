import type { Store } from '../store/store';

/** Everything that can be reached from an id, without the id itself. */
function reachable(start: string, next: (id: string) => readonly string[]): string[] {
  const ids = new Set<string>();
  const waiting = [...next(start)];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === start || ids.has(id)) continue;
    ids.add(id);
    waiting.push(...next(id));
  }
  return [...ids];
}

/** Object ids of the groups of which a service principal or a group is a member, directly or through other groups. */
export const groupsOf = (store: Store, objectId: string): string[] =>
  reachable(objectId, (id) =>
    store.groups
      .values()
      .filter(({ members }) => members.includes(id))
      .map((group) => group.objectId),
  );

/** Object ids of the members of a group, directly or through groups in it. */
export const allMembersOf = (store: Store, objectId: string): string[] =>
  reachable(objectId, (id) => store.groups.get(id)?.members ?? []);
