import type { Provider } from '@pulumi/azure-native/provider';
import { getResourceGroupOutput, ResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import type { ServicesGroupPlan } from '../plan';
import type { Tags } from '../plan/tags';
import type { Subscriptions } from '../subscriptions';
import type { StackSettings } from '../settings/schema';

/** A resource group, made or existing. */
export interface DeployedGroup {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  /** The stack makes it; otherwise it exists. */
  readonly isMade: boolean;
}

/** The environment's resource group. */
export interface EnvironmentGroup extends DeployedGroup {
  /** For resources in the group: the provider of its subscription; none if that is the one deployed to. */
  readonly opts: { readonly provider?: Provider };
}

/** A group that exists is read: nothing is made before it is known to be there. */
function deployResourceGroup(
  { name: resourceGroupName, existing }: Pick<ServicesGroupPlan, 'name' | 'existing'>,
  args: { readonly location: string; readonly tags: Tags },
  { provider, ...opts }: pulumi.CustomResourceOptions,
): DeployedGroup {
  const { id, name } =
    existing === undefined
      ? new ResourceGroup(resourceGroupName, { resourceGroupName, ...args }, { provider, ...opts })
      : getResourceGroupOutput({ resourceGroupName }, { provider });
  return { id, name, isMade: existing === undefined };
}

export function environmentGroup(
  { resourceGroup: given, location, protect }: StackSettings,
  subscriptions: Subscriptions,
  tags: Tags,
  retainOnDelete: boolean,
): EnvironmentGroup {
  const { existing } = given;
  const opts = existing && { provider: subscriptions.provider(existing.subscriptionId) };
  return {
    ...deployResourceGroup(given, { location, tags }, { ...opts, retainOnDelete, protect }),
    opts: opts ?? {},
  };
}

/** The resource groups of the applications' dependencies, by name. What is in them is made by the operator. */
export function servicesGroups(
  { location }: StackSettings,
  plans: readonly ServicesGroupPlan[],
  { opts }: EnvironmentGroup,
  tags: Tags,
): ReadonlyMap<string, DeployedGroup> {
  return new Map(
    plans.map((plan) => [
      plan.name,
      deployResourceGroup(plan, { location, tags }, { ...opts, retainOnDelete: plan.retainOnDelete }),
    ]),
  );
}
