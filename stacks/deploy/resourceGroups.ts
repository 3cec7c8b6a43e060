import type { Provider } from '@pulumi/azure-native/provider';
import { getResourceGroupOutput, ResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import type { ServicesGroupPlan } from '../plan';
import type { Tags } from '../plan/tags';
import type { Subscriptions } from '../subscriptions';
import type { StackSettings } from '../settings/schema';
import type { Central } from './central';

/** A resource group, created or existing. */
export interface DeployedGroup {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  /** True if the stack creates it; otherwise it exists. */
  readonly isCreated: boolean;
}

/** The environment's resource group. */
export interface EnvironmentGroup extends DeployedGroup {
  /**
   * Options of resources in the group: the provider of its subscription; empty if that is the subscription that is deployed to.
   */
  readonly opts: { readonly provider?: Provider };
}

/** Creates the group, or reads one that exists: nothing is created before it is known to exist. In a cell, all exist. */
function deployResourceGroup(
  { name: resourceGroupName, existing }: Pick<ServicesGroupPlan, 'name' | 'existing'>,
  args: { readonly location: string; readonly tags: Tags },
  { provider, ...opts }: pulumi.CustomResourceOptions,
  central: Central | undefined,
): DeployedGroup {
  const isCreated = existing === undefined && central === undefined;
  const { id, name } = isCreated
    ? new ResourceGroup(resourceGroupName, { resourceGroupName, ...args }, { provider, ...opts })
    : getResourceGroupOutput({ resourceGroupName }, { provider });
  return { id, name, isCreated };
}

export function environmentGroup(
  { resourceGroup, location, protect }: StackSettings,
  subscriptions: Subscriptions,
  tags: Tags,
  retainOnDelete: boolean,
  central?: Central,
): EnvironmentGroup {
  const { existing } = resourceGroup;
  const opts = existing && { provider: subscriptions.provider(existing.subscriptionId) };
  return {
    ...deployResourceGroup(resourceGroup, { location, tags }, { ...opts, retainOnDelete, protect }, central),
    opts: opts ?? {},
  };
}

/** Deploys the resource groups of the applications' dependencies, by name. The operator creates what is in them. */
export function servicesGroups(
  { location }: StackSettings,
  plans: readonly ServicesGroupPlan[],
  { opts }: EnvironmentGroup,
  tags: Tags,
  central?: Central,
): ReadonlyMap<string, DeployedGroup> {
  return new Map(
    plans.map((plan) => [
      plan.name,
      deployResourceGroup(
        plan,
        { location, tags },
        { ...opts, retainOnDelete: plan.retainOnDelete },
        central,
      ),
    ]),
  );
}
