import type { Provider } from '@pulumi/azure-native/provider';
import { getResourceGroupOutput, ResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import type { StackSettings } from '../settings/schema';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';

/** The environment's resource group, made or existing. */
export interface EnvironmentGroup {
  readonly name: pulumi.Output<string>;
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
  if (existing === undefined) {
    const group = new ResourceGroup(
      resourceGroupName,
      { resourceGroupName, location, tags },
      { retainOnDelete, protect },
    );
    return { name: group.name, opts: {} };
  }
  const provider = subscriptions.provider(existing.subscriptionId);
  const { name } = getResourceGroupOutput({ resourceGroupName }, { provider });
  return { name, opts: { provider } };
}
