import type { AssignedRole } from '../../../stacks/access/assigned';
import { builtInRoles } from '../../../components/azure/roles';
import type { AccessPolicy, RoleAssignment } from '../../../verification/access';
import { checkGrants } from '../../../verification/foreignGrants';
import { identity, twoClusters } from './outputs.fixture';
import { shownChecks, shownUnlisted } from './shown.fixture';

type Role = keyof typeof builtInRoles;

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run();
export const group = '/subscriptions/s/resourceGroups/rg';
export const vaultId = (name: string) => `${group}/providers/Microsoft.KeyVault/vaults/${name}`;
export const central = vaultId('kv-central');
export const cluster = (name: string) =>
  `${group}/providers/Microsoft.ContainerService/managedClusters/${name}`;
export const account = `${group}-services/providers/Microsoft.Storage/storageAccounts/stfiles`;
export const orders = identity('id-aks-1');
export const operator = identity('id-aks-1-aso');

/** A role assignment. */
export const assigned = (principalId: string, role: Role, scope: string): RoleAssignment => ({
  ...{ id: `${scope}/assignments/${role}`, name: 'random', scope, role: builtInRoles[role], principalId },
});

/** A stack that made its vaults and two identities, and what Azure lists of it. */
export class GrantedStack {
  readonly outputs = twoClusters();
  /** What the state has. */
  made: (Omit<AssignedRole, 'isGrant'> & Partial<Pick<AssignedRole, 'isGrant'>>)[] = [];
  tags: Record<string, string> = { 'pulumi-stack': 'aks-workload-identity/test' };
  policies: AccessPolicy[] = [];
  /** Scopes at which nothing may be listed. */
  readonly closed = new Set<string>();

  constructor(readonly assignments: RoleAssignment[] = []) {
    for (const [name, vault] of Object.entries(this.outputs.vaults)) vault.id = vaultId(name);
    this.outputs.identities = [orders, operator].map(({ name, id }) => ({
      ...{ cluster: 'aks-1', name, id },
      trusts: [{ issuer: 'https://issuer.example/', subject: name, audience: 'a' }],
    }));
    this.outputs.resourceGroups = [group, `${group}-services`].map((id) => ({ id }));
  }

  private check() {
    const principals = [orders, operator].map(
      ({ id, principalId }) => [id.toLowerCase(), principalId] as const,
    );
    const open = <T>(scope: string, found: T) =>
      this.closed.has(scope) ? Promise.reject(new Error('403')) : Promise.resolve(found);
    return checkGrants(
      this.outputs,
      this.made.map((assignment) => ({
        isGrant: assignment.role === builtInRoles.keyVaultSecretsUser,
        ...assignment,
      })),
      {
        listAssignments: (scope) => open(scope, this.assignments),
        listPrincipals: (scope) => open(`${scope}/identities`, new Map(principals)),
        readVault: (id) =>
          open(id, { tags: this.tags, policies: id === vaultId('kv-reports') ? this.policies : [] }),
      },
      atOnce,
    );
  }

  async shown(): Promise<string[]> {
    const { checks, unlisted } = await this.check();
    const lines = [...shownChecks(checks), ...shownUnlisted(unlisted)];
    return lines.map((line) => line.replaceAll(group, '<rg>').replaceAll('/providers/Microsoft.', ' '));
  }
}
