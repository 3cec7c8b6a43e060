import type { ApplicationSettings, ExistingId, StackSettings } from '../settings/schema';
import type { ClusterIdentities } from './clusterIdentities';
import { existingForAll } from './existingIdentity';
import type { GrantedRole } from './granted';
import { isBound } from './identityBinding';
import { sharedKey } from './identityKeys';
import { planRoles } from './roles';

/** An existing identity of an application on all its clusters. The stack of the environment grants its access, only once. */
export interface SharedIdentityPlan {
  /** Name in the stack. */
  readonly key: string;
  readonly existing: ExistingId;
  readonly application: string;
  /** True if its application uses it through AKS identity bindings. */
  readonly isBound: boolean;
  /** True if the application is revoked on all its clusters. */
  readonly revoked: boolean;
  /** The roles that it has. */
  readonly roleGrants: readonly GrantedRole[];
}

/** Returns the existing identities that applications have on all their clusters. */
export function planSharedIdentities(
  settings: StackSettings,
  clusters: readonly Pick<ClusterIdentities, 'identities'>[],
): SharedIdentityPlan[] {
  const planOf = (application: ApplicationSettings): SharedIdentityPlan[] => {
    const existing = existingForAll(application);
    if (existing === undefined) return [];
    const key = sharedKey(application);
    const revoked = !clusters
      .flatMap(({ identities }) => identities)
      .some((identity) => identity.sharedAs === key && (identity.revoked ?? []).length === 0);
    return [
      {
        ...{ key, existing, application: application.name, isBound: isBound(application), revoked },
        roleGrants: planRoles(revoked ? [] : application.roles),
      },
    ];
  };
  return settings.applications.flatMap(planOf);
}
