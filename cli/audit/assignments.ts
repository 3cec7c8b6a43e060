import type { RoleAssignment } from '../../verification/access';
import type { GroupOutput } from '../../verification/checks';
import { apiVersions } from '../../components/azure/resourceManager';
import { builtInRoles } from '../../components/azure/roles';
import { secretsNamedOn } from '../../stacks/access/vaults';
import type { AzureReader } from '../azureReader';
import { azureLists } from '../azureLists';
import { UserError } from '../userError';
import type { ReadBy } from './readers';

/** Role assignments on vaults, above them and in them, by name. */
export type Assignments = ReadonlyMap<string, RoleAssignment>;

/**
 * Reads the role assignments that apply to vaults.
 * @param note receives a message if they could not be read
 */
export async function assignmentsOn(
  azure: AzureReader,
  vaults: readonly string[],
  note: (text: string) => void,
): Promise<Assignments | undefined> {
  const lists = azureLists(() => Promise.resolve(azure));
  try {
    const assignments = (await Promise.all(vaults.map((vault) => lists.listAssignments(vault)))).flat();
    return new Map(assignments.map((assignment) => [assignment.name.toLowerCase(), assignment]));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`Role assignments are shown by their names only: ${error.message}`);
    return undefined;
  }
}

/** Reads the names of roles, by GUID. */
export async function roleNames(
  azure: AzureReader,
  assignments: readonly Pick<RoleAssignment, 'role' | 'scope'>[],
): Promise<ReadonlyMap<string, string>> {
  const scopes = new Map(assignments.map(({ role, scope }) => [role, scope]));
  const named = [...scopes].map(async ([role, scope]): Promise<[string, string]> => {
    const id = `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
    const definition = await azure.get(id, apiVersions.roles).catch(() => undefined);
    const { roleName } = definition?.properties ?? {};
    return [role, typeof roleName === 'string' ? roleName : role];
  });
  return new Map(await Promise.all(named));
}

/** Returns the assignments that allowed the requests. */
export function appliedTo(reads: readonly ReadBy[], assignments: Assignments | undefined): RoleAssignment[] {
  const names = new Set(reads.map(({ assignment }) => assignment));
  return [...names].flatMap((name) => assignments?.get(name) ?? []);
}

/** Describes what allowed a request; empty if nothing did. */
export function allowedBy(
  read: ReadBy,
  assignments: Assignments | undefined,
  roles: ReadonlyMap<string, string>,
  groups: readonly GroupOutput[],
): string {
  // For a refused request, the log may contain the assignment that denied it.
  if (read.status >= 400) return '';
  if (read.assignment === '') return read.byPolicy ? 'access policy of the vault' : '';
  const applied = assignments?.get(read.assignment);
  if (applied === undefined) {
    return `assignment ${read.assignment}${assignments === undefined ? '' : ', which no longer exists'}`;
  }
  const { scope, role, principalId } = applied;
  const own = principalId.toLowerCase() === read.objectId;
  const granted = `${read.vault}/${read.secret ?? ''}`.toLowerCase();
  const secret = read.secret?.toLowerCase() ?? '';
  const onSecret =
    scope.toLowerCase().endsWith(`/secrets/${secret}`) || secretsNamedOn(applied)?.includes(secret) === true;
  const isStackGrant =
    read.reader?.grants.some((grant) => grant.toLowerCase() === granted) === true &&
    role === builtInRoles.keyVaultSecretsUser;
  const group = groups.find(({ objectId }) => objectId.toLowerCase() === principalId.toLowerCase());
  if (isStackGrant && onSecret && own) return 'grant of the stack';
  if (isStackGrant && onSecret && group !== undefined) return `grant of the stack to the group ${group.name}`;
  const member = own ? '' : `, as a member of ${group?.name ?? principalId}`;
  return `${roles.get(role) ?? role} on ${placeOf(scope)}${member}`;
}

/** Describes a scope briefly. */
function placeOf(scope: string): string {
  const [kind = '', name = ''] = scope.split('/').slice(-2);
  const words: Record<string, string> = {
    secrets: `secret ${name}`,
    vaults: `vault ${name}`,
    resourcegroups: `resource group ${name}`,
    subscriptions: 'the subscription',
  };
  return words[kind.toLowerCase()] ?? scope;
}
