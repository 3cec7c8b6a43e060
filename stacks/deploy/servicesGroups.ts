import { getResourceGroupOutput, ResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import type { StackSettings } from '../settings/schema';
import type { ServicesGroupPlan } from '../plan';
import type { EnvironmentGroup } from './resourceGroup';
import type { Tags } from '../plan/tags';

/** A resource group of what applications depend on, made or existing. */
export interface ServicesGroup {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
}

/**
 * The groups of what applications depend on, by name, in the subscription of the environment's. What is in them is made by
 * the operator.
 */
export function servicesGroups(
  settings: StackSettings,
  plans: readonly ServicesGroupPlan[],
  { opts }: EnvironmentGroup,
  tags: Tags,
): ReadonlyMap<string, ServicesGroup> {
  const { location } = settings;
  return new Map(
    plans.map(({ name, existing, retainOnDelete }): [string, ServicesGroup] => {
      if (existing !== undefined) {
        const { id, name: found } = getResourceGroupOutput({ resourceGroupName: name }, opts);
        return [name, { id, name: found }];
      }
      const group = new ResourceGroup(
        name,
        { resourceGroupName: name, location, tags },
        { ...opts, retainOnDelete },
      );
      return [name, { id: group.id, name: group.name }];
    }),
  );
}
