import type * as pulumi from '@pulumi/pulumi';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { SharedIdentityPlan } from '../plan';
import type { EnvironmentContext } from './context';
import { providerOf } from './context';
import { deployRoleGrants } from './roleGrants';

/** An existing identity of an application on all its clusters. */
export interface DeployedSharedIdentity {
  readonly plan: SharedIdentityPlan;
  readonly principalId: pulumi.Output<string>;
  readonly roles: readonly pulumi.Resource[];
}

/** Reads the shared identities and assigns their roles. In a cell, the environment's stack has done that. */
export function deploySharedIdentities(
  context: EnvironmentContext,
  plans: readonly SharedIdentityPlan[],
): DeployedSharedIdentity[] {
  if (context.central !== undefined) return [];
  return plans.map((plan) => {
    const { key, existing, roleGrants } = plan;
    const { principalId } = new ManagedIdentity(
      key,
      { existing: existing.id },
      providerOf(context, existing),
    );
    return { plan, principalId, roles: deployRoleGrants(context, { key, principalId }, roleGrants) };
  });
}
