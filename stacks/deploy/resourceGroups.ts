import type { Provider } from '@pulumi/azure-native/provider';
import { getResourceGroupOutput, ResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import type { ServicesGroupPlan } from '../plan';
import type { Tags } from '../plan/tags';
import type { Subscriptions } from '../preflight/subscriptions';
import type { StackSettings } from '../settings/schema';

/** A resource group, made or existing. */
export interface ResourceGroupReference {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
}

/** The environment's resource group. */
export interface EnvironmentGroup extends ResourceGroupReference {
  /** For what is made in the group: the provider of its subscription; none if that is the one deployed to. */
  readonly opts: { readonly provider?: Provider };
}

/** The group is read if it is an existing one: nothing is made before it is known to be there. */
export function environmentGroup(
  settings: StackSettings,
  subscriptions: Subscriptions,
  tags: Tags,
  retainOnDelete: boolean,
): EnvironmentGroup {
  const { resourceGroup, location, protect } = settings;
  const { name: resourceGroupName, existing } = resourceGroup;
  if (existing !== undefined) {
    const opts = { provider: subscriptions.provider(existing.subscriptionId) };
    const { id, name } = getResourceGroupOutput({ resourceGroupName }, opts);
    return { id, name, opts };
  }
  const { id, name } = new ResourceGroup(
    resourceGroupName,
    { resourceGroupName, location, tags },
    { retainOnDelete, protect },
  );
  return { id, name, opts: {} };
}

/**
 * The groups of what applications depend on, by name, in the subscription of the environment's. What is in them is made by
 * the operator.
 */
export function servicesGroups(
  { location }: StackSettings,
  plans: readonly ServicesGroupPlan[],
  { opts }: EnvironmentGroup,
  tags: Tags,
): ReadonlyMap<string, ResourceGroupReference> {
  return new Map(
    plans.map(({ name: resourceGroupName, existing, retainOnDelete }) => {
      const { id, name } =
        existing === undefined
          ? new ResourceGroup(
              resourceGroupName,
              { resourceGroupName, location, tags },
              { ...opts, retainOnDelete },
            )
          : getResourceGroupOutput({ resourceGroupName }, opts);
      return [resourceGroupName, { id, name }];
    }),
  );
}
