import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { GrantedRole } from './granted';
import type { ClusterIdentities } from './clusterIdentities';
import { planRoles } from './roles';

/** An Entra group with its grant and its members. */
export interface GroupPlan {
  /** Name in the stack. */
  readonly name: string;
  /** Display name in Entra, if the stack creates the group. */
  readonly displayName: string;
  /** Object id of an existing group, which the stack only uses. */
  readonly existing?: string | undefined;
  /** Name of its grant on the vault. */
  readonly grantee: string;
  /** Name of the vault with its secrets. */
  readonly vault: string;
  /** Secrets that its members may read there. */
  readonly secrets: readonly string[];
  /** The roles that its members have. */
  readonly roles: readonly GrantedRole[];
  readonly retainOnDelete: boolean;
  /** The identities that become members. */
  readonly members: readonly {
    readonly cluster: string;
    /** Key of the identity. */
    readonly identity: string;
    readonly azureName: string;
  }[];
}

/** Returns the prefix of the display names of a stack's groups in Entra. */
export function groupPrefix(environment: string): string {
  return `sg-${environment}-`;
}

/** Returns the groups of the environment, each with the identities that become its members. */
export function planGroups(
  environment: string,
  { groups, applications, vault, retainOnDelete }: StackSettings,
  clusters: readonly (Pick<ClusterIdentities, 'identities'> & {
    readonly settings: Pick<ClusterSettings, 'name'>;
  })[],
): GroupPlan[] {
  return groups.map((group) => {
    const naming = applications
      .filter((application) => application.groups.includes(group.name))
      .map(({ name }) => name);
    return {
      name: group.name,
      displayName: `${groupPrefix(environment)}${group.name}`,
      existing: group.existing,
      // Identity names contain no underscore, so the names cannot collide.
      grantee: `group_${group.name}`,
      vault: vault.name,
      secrets: group.secrets,
      roles: planRoles(group.roles),
      retainOnDelete: group.retainOnDelete ?? retainOnDelete,
      members: clusters.flatMap(({ settings, identities }) =>
        identities
          .filter(({ applications: here, revoked }) =>
            here.some((name) => naming.includes(name) && revoked?.includes(name) !== true),
          )
          .map(({ key, azureName, existing }) => ({
            cluster: settings.name,
            identity: key,
            azureName: existing?.name ?? azureName,
          })),
      ),
    };
  });
}
