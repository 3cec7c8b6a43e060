import { hasOwnVault } from '../plan';
import type { GrantList } from '../settings/grantLists';
import { didYouMean } from '../settings/nearest';
import { slowRemoval } from '../settings/schema/groups';
import type { Check, CheckInput } from './context';
import { inCase, repeated } from './context';
import { keyOf } from './roles';

/** Returns secrets and roles, each with its place and a key that is equal for equal ones. */
function keysOf({ secrets, roles }: Pick<GrantList, 'secrets' | 'roles'>) {
  return [
    ...secrets.map((value, place) => ({ at: ['secrets', place], key: value.toLowerCase(), value })),
    ...roles.map((role, place) => ({ at: ['roles', place], key: keyOf(role), value: role.role })),
  ];
}

/** Yields the groups that applications name, each with its path. */
function* placedGroups({ applications, groups }: CheckInput) {
  for (const application of applications)
    for (const [place, name] of application.groups.entries()) {
      const group = groups.find((other) => other.name === name);
      const path = [...application.path, 'groups', place];
      yield { application, name, group, path };
    }
}

export const groupChecks: readonly Check[] = [
  function* (input) {
    const known = input.groups.map(({ name }) => name);
    for (const { name, group, path } of placedGroups(input)) {
      if (group !== undefined) continue;
      yield {
        path,
        what: 'is not a group of this stack',
        allowed: known.join(', ') || 'none: there are no `groups`',
        hint: didYouMean(name, known, 'Add it to `groups`, or remove it.'),
      };
    }
  },

  function* ({ groups }) {
    for (const { path, existing, retainOnDelete } of groups)
      if (existing !== undefined && retainOnDelete !== undefined)
        yield {
          path: [...path, 'retainOnDelete'],
          what: 'has no effect on an existing group, which is never deleted',
          hint: 'Remove it.',
        };
    const existing = groups.flatMap(({ path, existing: id }) =>
      id === undefined ? [] : [{ path: [...path, 'existing'], id }],
    );
    for (const { item, first } of repeated(existing, ({ id }) => id.toLowerCase()))
      yield {
        path: item.path,
        what: `is already the object id of another group in the list${inCase(item.id, first.id)}`,
        hint: 'Merge the two groups into one.',
      };
  },

  /** An existing group without an application of the stack: the stack does not know who gets the access of the group. */
  function* ({ applications, groups }) {
    for (const { path, name, existing, unknownMembers, secrets, roles } of groups) {
      const granted = [...secrets, ...roles];
      const isOthers =
        existing !== undefined &&
        granted.length > 0 &&
        applications.every((application) => !application.groups.includes(name));
      if (isOthers && unknownMembers === undefined)
        yield {
          path: [...path, 'unknownMembers'],
          what: 'is missing: no application of the stack is in this existing group, so its `secrets` and `roles` go to members that the stack does not know',
          allowed: 'accepted',
          hint: `Name ${name} in \`groups\` of an application, or remove its \`secrets\` and \`roles\`. If they are meant for its members, add \`unknownMembers: accepted\`.`,
        };
      if (!isOthers && unknownMembers !== undefined)
        yield {
          path: [...path, 'unknownMembers'],
          what: 'has no effect: it is only for an existing group that has `secrets` or `roles` and no application of the stack in it',
          hint: 'Remove it.',
        };
    }
  },

  /** The pods of an application know only one vault. */
  function* (settings) {
    for (const { application, name, group, path } of placedGroups(settings))
      if (group !== undefined && group.secrets.length > 0 && hasOwnVault(settings, application))
        yield {
          path,
          what: `has secrets in the central vault, but the pods of ${application.name} know only its own vault`,
          allowed: 'groups without `secrets`, for an application with its own vault',
          hint: `Remove ${name}, or set \`vault: { placement: central }\` on the application.`,
        };
  },

  /** A grant to the identity itself is revoked within minutes. The same grant to its group would leave the access in place. */
  function* (settings) {
    for (const { application, name, group } of placedGroups(settings)) {
      // Secrets of a group beside a vault of the application's own are reported above.
      const secrets = group === undefined || hasOwnVault(settings, application) ? [] : group.secrets;
      const ofGroup = new Set(keysOf({ secrets, roles: group?.roles ?? [] }).map(({ key }) => key));
      for (const { at, key, value } of keysOf(application))
        if (ofGroup.has(key))
          yield {
            path: [...application.path, ...at],
            value: JSON.stringify(value),
            what: `is also granted to the group ${name}: removing it here would revoke nothing, and ${slowRemoval}`,
            hint: `Remove it here. If it must be revocable within minutes, remove it from the group ${name} instead.`,
          };
    }
  },

  /** The identity is the member of the group, so every application that runs as it gets the access. */
  function* (input) {
    const identities = input.plan.clusters.flatMap((cluster) => cluster.identities);
    for (const { application, name, path } of placedGroups(input)) {
      const sharing = identities
        .filter((identity) => identity.applications.includes(application.name))
        .flatMap((identity) => identity.applications);
      const others = input.applications.filter(
        (other) => sharing.includes(other.name) && !other.groups.includes(name),
      );
      if (others.length > 0)
        yield {
          path,
          what: `would also apply to ${others.map((other) => other.name).join(', ')}, which runs as the same identity; ${slowRemoval}`,
          hint: `Set \`identity: application\` on ${application.name}, or name the group in each of them.`,
        };
    }
  },
];
