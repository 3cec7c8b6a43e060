import type * as pulumi from '@pulumi/pulumi';
import { EntraGroup, type EntraGroupMember } from '../../components/entra/entraGroup';
import type { KeyVault } from '../../components/vault/keyVault';
import type { GroupPlan, WorkloadPlan } from '../plan';
import { groupDescription } from '../plan/tags';
import type { EnvironmentContext } from './context';

/** An Entra group with its plan. */
export interface DeployedEntraGroup {
  readonly plan: GroupPlan;
  readonly group: EntraGroup;
}

/** Roles of groups, by name of the group. */
export type RolesOfGroups = ReadonlyMap<string, readonly pulumi.Resource[]>;

/** Deploys the group, or adds members to an existing one. */
export function deployEntraGroup(
  { stack, central }: Pick<EnvironmentContext, 'stack' | 'central'>,
  plan: GroupPlan,
  members: EntraGroupMember[],
): DeployedEntraGroup {
  const { name, displayName, retainOnDelete } = plan;
  const existing = plan.existing ?? central?.groups.get(name);
  const create = { displayName, description: groupDescription(stack), retainOnDelete };
  return {
    plan,
    group: new EntraGroup(name, { ...(existing === undefined ? { create } : { existing }), members }),
  };
}

/**
 * Returns what a workload waits for before it can use its groups' access: the memberships, and the groups' grants and roles.
 */
export function readableByGroups(
  groups: readonly DeployedEntraGroup[],
  { application, identity, byGroup }: WorkloadPlan,
  vault: KeyVault,
  roles: RolesOfGroups,
  { central }: Pick<EnvironmentContext, 'central'>,
): pulumi.Resource[] {
  return groups
    .filter(({ plan }) => application.groups.includes(plan.name))
    .flatMap(({ plan: { name, grantee }, group }) => [
      ...group.membership(identity),
      ...(roles.get(name) ?? []),
      // In a cell, the environment's stack has granted them.
      ...byGroup
        .filter((secret) => secret.group === name && central === undefined)
        .flatMap(({ secret }) => vault.readableBy(grantee, [secret])),
    ]);
}
