import { builtInRoles, roleAssignmentName } from '../../components/azure/roles';
import { everGranted, type GrantedRole, rolesIn } from '../../stacks/plan/granted';
import { secretsNamedOn } from '../../stacks/access/vaults';
import { activityEvent } from '../activityLog';
import type { DeployedOutputs } from '../stackOutputs';
import { knownReaders } from './readers';
import type { Selection } from './selection';

/** A role assignment that was created, changed or removed on a vault, on a secret, or on a scope of the stack's roles. */
export interface AccessChange {
  readonly time: Date;
  /** `changed` refers to the description or the condition. */
  readonly change: 'granted' | 'changed' | 'removed';
  /** Undefined for another scope. */
  readonly vault: string | undefined;
  /** Undefined for a whole vault. */
  readonly secret: string | undefined;
  /** Secrets to which a condition limits reading the vault; undefined without such a condition, or if it is unknown. */
  readonly named: readonly string[] | undefined;
  /** Name of the role assignment. */
  readonly assignment: string;
  /** Resource id of the vault, the secret or the other scope. */
  readonly scope: string;
  /** Object id of the assignee; undefined if unknown. */
  readonly principalId: string | undefined;
  /** The stack's identity or group with that object id. */
  readonly holder: string | undefined;
  /** Description of the assignment; for access on demand, its end and its reason. Undefined if unknown. */
  readonly description: string | undefined;
  /** GUID of the role; undefined if unknown. */
  readonly role: string | undefined;
  /** The author: an identity of the stack, another object id, or the name of a user. */
  readonly by: string;
}

/** A role assignment as recorded in the log. */
interface Grant {
  readonly principalId: string;
  readonly role: string | undefined;
  readonly description?: string | undefined;
  readonly condition?: string | undefined;
}

/** Extracts a role assignment from the body of a request or an answer. Names may be capitalized, and the body may be cut off. */
function grantIn(body: unknown): Grant | undefined {
  const textOf = (name: string) => new RegExp(`"${name}":\\s*"([^"]*)"`, 'i').exec(String(body))?.[1];
  const [principalId, role] = ['principalId', 'roleDefinitionId'].map((name) =>
    textOf(name)?.split('/').at(-1)?.toLowerCase(),
  );
  if (principalId === undefined) return undefined;
  return { principalId, role, description: textOf('description'), condition: textOf('condition') };
}

const assignmentId =
  /^((.*?)(?:\/secrets\/([^/]+))?)\/providers\/Microsoft\.Authorization\/roleAssignments\/([^/]+)$/i;

/**
 * Returns the changes of role assignments on vaults, secrets and the scopes of the stack's roles, the latest first. A
 * request's body is in the event of its start. A removed assignment is in the answer or in the event of its creation; a
 * grant of the stack is derived from its name.
 */
export function changesIn(
  loggedEvents: readonly unknown[],
  outputs: DeployedOutputs,
  { vaults, secret: selectedSecret, readers }: Selection,
): AccessChange[] {
  // Other events of the provider, such as those of Azure Policy, may have other fields.
  const events = loggedEvents
    .map((event) => activityEvent.safeParse(event).data)
    .filter((event) => event !== undefined)
    .sort((a, b) => a.eventTimestamp.getTime() - b.eventTimestamp.getTime());
  const requestOf = (event: (typeof events)[number]) => `${event.operationId ?? ''} ${event.resourceId}`;
  const requested = new Map(
    events.flatMap((event) => {
      const grant = grantIn(event.properties?.['requestbody']);
      return grant === undefined ? [] : [[requestOf(event), grant]];
    }),
  );
  const holders = holdersIn(outputs);
  const roles = rolesOfStack(outputs);
  const scopes = new Set(roles.map(({ scope }) => scope.toLowerCase()));
  const created = new Map<string, Grant | undefined>();
  const changes = events.flatMap((event): AccessChange[] => {
    const { statusCode, responseBody } = event.properties ?? {};
    const action = /\/roleAssignments\/(write|delete)$/i.exec(event.operationName.value)?.[1]?.toLowerCase();
    const [, scope = '', parent = '', secret, assignment = ''] = assignmentId.exec(event.resourceId) ?? [];
    const vault = vaults.find((name) => outputs.vaults[name]?.id.toLowerCase() === parent.toLowerCase());
    // NoContent: there was nothing to delete.
    const isDone = event.status.value === 'Succeeded' && statusCode !== 'NoContent';
    const isKnown = vault !== undefined || scopes.has(scope.toLowerCase());
    if (action === undefined || !isKnown || !isDone) return [];
    const name = assignment.toLowerCase();
    const grant =
      requested.get(requestOf(event)) ??
      grantIn(responseBody) ??
      created.get(name) ??
      grantNamed(name, scope, [...holders.keys()], roles);
    if (action === 'write') created.set(name, grant);
    const change = action === 'delete' ? 'removed' : statusCode === 'OK' ? 'changed' : 'granted';
    const [by, holder] = [event.caller ?? '', grant?.principalId ?? ''].map((id) =>
      holders.get(id.toLowerCase()),
    );
    return [
      {
        ...{ time: event.eventTimestamp, change, vault, secret, assignment, scope, holder },
        ...{ principalId: grant?.principalId, role: grant?.role, by: by ?? event.caller ?? '' },
        description: grant?.description,
        named: secretsNamedOn({ role: grant?.role ?? '', scope, condition: grant?.condition }),
      },
    ];
  });
  // Roles of a group are also roles of its members.
  const groups = outputs.groups.filter(({ members }) =>
    members.some(({ principalId }) => readers?.includes(principalId.toLowerCase())),
  );
  const ids = [...(readers ?? []), ...groups.map(({ objectId }) => objectId)].map((id) => id.toLowerCase());
  return changes
    .filter(
      ({ vault, secret, principalId }) =>
        (selectedSecret === undefined ||
          (vault !== undefined &&
            (secret === undefined || secret.toLowerCase() === selectedSecret.toLowerCase()))) &&
        // An assignment of an unknown principal may be theirs.
        (readers === undefined || principalId === undefined || ids.includes(principalId)),
    )
    .reverse();
}

/** Finds the stack's grant with this name, which is derived from scope, identity and role. Outputs lack the grants of the past. */
function grantNamed(
  name: string,
  scope: string,
  holders: readonly string[],
  roles: readonly GrantedRole[],
): Grant | undefined {
  // The second is the role of a reconciler. Its request's body is cut off in the condition.
  const guids = [builtInRoles.keyVaultSecretsUser, builtInRoles.rbacAdministrator];
  for (const guid of new Set([...guids, ...roles.map(({ role }) => role)])) {
    const principalId = holders.find((id) => roleAssignmentName(scope, id, { guid }) === name);
    if (principalId !== undefined) return { principalId, role: guid };
  }
  return undefined;
}

/** Returns the roles of applications and groups, permanent ones and those in access windows. */
export function rolesOfStack({
  workloads,
  groups,
}: Pick<DeployedOutputs, 'workloads' | 'groups'>): GrantedRole[] {
  return [...rolesIn(workloads.flatMap(everGranted)), ...groups.flatMap(({ grants }) => rolesIn(grants))];
}

/** Descriptions of the stack's identities and groups by object id in lower case. */
export const holdersIn = (outputs: DeployedOutputs): ReadonlyMap<string, string> =>
  new Map([
    // Identities without an application, such as those of reconcilers.
    ...outputs.identities.flatMap(({ principalId, name }) =>
      principalId === undefined ? [] : [[principalId.toLowerCase(), name] as const],
    ),
    ...knownReaders(outputs).map(
      ({ objectId, identity, cluster, applications }) =>
        [objectId, `${applications.join(', ')} on ${cluster} (${identity})`] as const,
    ),
    ...outputs.groups.map(({ objectId, name }) => [objectId.toLowerCase(), `group ${name}`] as const),
  ]);
