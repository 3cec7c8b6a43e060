import {
  builtInRoles,
  type Granted,
  type GrantedRole,
  roleAssignmentName,
  rolesIn,
} from '../../stacks/offline';
import { activityEvent } from '../activityLog';
import type { DeployedOutputs } from '../stackOutputs';
import { knownReaders } from './readers';
import type { Selection } from './selection';

/** A role assignment that was made, changed or removed on a vault or a secret, or on what a role of the stack is on. */
export interface AccessChange {
  readonly time: Date;
  /** `changed`: its description or its condition. */
  readonly change: 'granted' | 'changed' | 'removed';
  /** Undefined: on what else a role of the stack is. */
  readonly vault: string | undefined;
  /** Undefined: the whole vault. */
  readonly secret: string | undefined;
  /** Name of the role assignment. */
  readonly assignment: string;
  /** Resource id of the vault, of the secret or of what else it is. */
  readonly scope: string;
  /** Object id of who got or lost the role, and who of the stack that is; undefined if nothing tells. */
  readonly principalId: string | undefined;
  readonly holder: string | undefined;
  /** What whoever gave it wrote: of access on demand, its end and its reason; undefined if nothing tells. */
  readonly description: string | undefined;
  /** GUID of the role; undefined if nothing tells. */
  readonly role: string | undefined;
  /** Who did it: an identity of the stack, another one's object id, or the name of a user. */
  readonly by: string;
}

/** A role assignment, as far as the log tells. */
interface Grant {
  readonly principalId: string;
  readonly role: string | undefined;
  readonly description?: string | undefined;
}

/** Whom the body of a request or an answer gives which role. Names may begin with a capital, and it may be cut off. */
function grantIn(body: unknown): Grant | undefined {
  const textOf = (name: string) => new RegExp(`"${name}":\\s*"([^"]*)"`, 'i').exec(String(body))?.[1];
  const [principalId, role] = ['principalId', 'roleDefinitionId'].map((name) =>
    textOf(name)?.split('/').at(-1)?.toLowerCase(),
  );
  return principalId === undefined ? undefined : { principalId, role, description: textOf('description') };
}

const assignmentId =
  /^((.*?)(?:\/secrets\/([^/]+))?)\/providers\/Microsoft\.Authorization\/roleAssignments\/([^/]+)$/i;

/**
 * What was done to role assignments on vaults and their secrets, and on what roles of the stack are on, the latest first. The body of a request is in the event of
 * its beginning. Of a removal, Azure may log the answer, which has the assignment; else it is known from when it was made if
 * that is in the log, or from its name if it was a grant of the stack.
 */
export function changesIn(
  found: readonly unknown[],
  outputs: DeployedOutputs,
  { vaults, secret: wanted, readers }: Selection,
): AccessChange[] {
  // The provider's other events, those of Azure Policy among them, may have other fields.
  const events = found
    .map((one) => activityEvent.safeParse(one).data)
    .filter((one) => one !== undefined)
    .sort((one, other) => one.eventTimestamp.getTime() - other.eventTimestamp.getTime());
  const requestOf = (one: (typeof events)[number]) => `${one.operationId ?? ''} ${one.resourceId}`;
  const asked = new Map(
    events.flatMap((one) => {
      const grant = grantIn(one.properties?.['requestbody']);
      return grant === undefined ? [] : [[requestOf(one), grant]];
    }),
  );
  const holders = holdersIn(outputs);
  const roles = rolesOfStack(outputs);
  const scopes = new Set(roles.map(({ scope }) => scope.toLowerCase()));
  const made = new Map<string, Grant | undefined>();
  const changes = events.flatMap((one): AccessChange[] => {
    const { statusCode, responseBody } = one.properties ?? {};
    const action = /\/roleAssignments\/(write|delete)$/i.exec(one.operationName.value)?.[1]?.toLowerCase();
    const [, scope = '', parent = '', secret, assignment = ''] = assignmentId.exec(one.resourceId) ?? [];
    const vault = vaults.find((each) => outputs.vaults[each]?.id.toLowerCase() === parent.toLowerCase());
    // NoContent: there was nothing to delete.
    const isDone = one.status.value === 'Succeeded' && statusCode !== 'NoContent';
    const isKnown = vault !== undefined || scopes.has(scope.toLowerCase());
    if (action === undefined || !isKnown || !isDone) return [];
    const name = assignment.toLowerCase();
    const grant =
      asked.get(requestOf(one)) ??
      grantIn(responseBody) ??
      made.get(name) ??
      grantNamed(name, scope, [...holders.keys()], roles);
    if (action === 'write') made.set(name, grant);
    const change = action === 'delete' ? 'removed' : statusCode === 'OK' ? 'changed' : 'granted';
    const [by, holder] = [one.caller ?? '', grant?.principalId ?? ''].map((id) =>
      holders.get(id.toLowerCase()),
    );
    return [
      {
        ...{ time: one.eventTimestamp, change, vault, secret, assignment, scope, holder },
        ...{ principalId: grant?.principalId, role: grant?.role, by: by ?? one.caller ?? '' },
        description: grant?.description,
      },
    ];
  });
  // The role of a group is that of its members.
  const groups = outputs.groups.filter(({ members }) =>
    members.some(({ principalId }) => readers?.includes(principalId.toLowerCase())),
  );
  const ids = [...(readers ?? []), ...groups.map(({ objectId }) => objectId)].map((id) => id.toLowerCase());
  return changes
    .filter(
      ({ vault, secret, principalId }) =>
        (wanted === undefined ||
          (vault !== undefined && (secret === undefined || secret.toLowerCase() === wanted.toLowerCase()))) &&
        // If nothing tells whose it was, it may have been theirs.
        (readers === undefined || principalId === undefined || ids.includes(principalId)),
    )
    .reverse();
}

/** The grant of the stack with this name, which is made of scope, identity and role. */
function grantNamed(
  name: string,
  scope: string,
  holders: readonly string[],
  roles: readonly GrantedRole[],
): Grant | undefined {
  // What opens and closes access windows has the second; the log cuts its request off in the condition.
  const guids = [builtInRoles.keyVaultSecretsUser, builtInRoles.rbacAdministrator];
  for (const guid of new Set([...guids, ...roles.map(({ role }) => role)])) {
    const principalId = holders.find((id) => roleAssignmentName(scope, id, { guid }) === name);
    if (principalId !== undefined) return { principalId, role: guid };
  }
  return undefined;
}

/** The roles of applications and groups, at all times and in access windows. */
export function rolesOfStack({
  workloads,
  groups,
}: Pick<DeployedOutputs, 'workloads' | 'groups'>): GrantedRole[] {
  return [
    ...workloads.flatMap(({ grants, windows }) => rolesIn<Granted>([...grants, ...windows])),
    ...groups.flatMap(({ grants }) => rolesIn(grants)),
  ];
}

/** The identities and groups of the stack in words, by object id in lower case. */
export const holdersIn = (outputs: DeployedOutputs): ReadonlyMap<string, string> =>
  new Map([
    // Such as what opens and closes access windows.
    ...outputs.identities.flatMap(({ principalId, name }) =>
      principalId === undefined ? [] : [[principalId.toLowerCase(), name] as const],
    ),
    ...knownReaders(outputs).map(
      ({ objectId, identity, cluster, applications }) =>
        [objectId, `${applications.join(', ')} on ${cluster} (${identity})`] as const,
    ),
    ...outputs.groups.map(({ objectId, name }) => [objectId.toLowerCase(), `group ${name}`] as const),
  ]);
