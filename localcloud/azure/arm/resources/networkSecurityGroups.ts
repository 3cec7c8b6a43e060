import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { defined } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { sameId } from '../resourceId';
import { GroupResource } from './groupResource';
import { SUBNET_TYPE } from './networkRules';
import { securityGroupBody } from './networkSchema';
import { removePlain } from './deletion';

const TYPE = 'Microsoft.Network/networkSecurityGroups';

type Rules = NonNullable<NonNullable<z.infer<typeof securityGroupBody>['properties']>['securityRules']>;

/** The subnets that refer to the group. */
function subnetsWith(store: Store, groupId: string): ResourceDocument[] {
  return store.ofType(SUBNET_TYPE).filter(({ properties }) => {
    const group = properties['networkSecurityGroup'];
    return typeof group === 'object' && group !== null && 'id' in group && sameId(String(group.id), groupId);
  });
}

function shown(group: ResourceDocument, store: Store): Record<string, unknown> {
  const subnets = subnetsWith(store, group.id).map(({ id }) => ({ id }));
  const used = subnets.length === 0 ? {} : { subnets };
  return present({ ...group, properties: { ...group.properties, ...used } });
}

const groups = new GroupResource(TYPE, 'networkSecurityGroupName', shown);

/**
 * Refuses rules with the same name, or with the same direction and priority. Source of the rule: the specification that
 * networkSchema.ts names. Code and text are assumed.
 */
function checkRules(rules: Rules): void {
  for (const [index, { name, properties }] of rules.entries()) {
    const { direction, priority } = properties;
    const twin = rules
      .slice(0, index)
      .find(
        (other) =>
          sameId(other.name, name) ||
          (other.properties.direction === direction && other.properties.priority === priority),
      );
    if (twin === undefined) continue;
    throw new ArmError(
      400,
      'SecurityRuleConflict',
      `Security rule ${name} conflicts with rule ${twin.name}. Rules cannot have the same name, or the same Priority and Direction.`,
    );
  }
}

/**
 * Refuses to delete a group that subnets use. Source of code and text: the log of a failed deletion in
 * hashicorp/terraform-provider-azurerm.
 */
function checkUnused(store: Store, group: ResourceDocument): void {
  const users = subnetsWith(store, group.id);
  if (users.length === 0) return;
  throw new ArmError(
    400,
    'InUseNetworkSecurityGroupCannotBeDeleted',
    `Network security group ${group.id} cannot be deleted because it is in use by the following resources: ${users.map(({ id }) => id).join(', ')}. In order to delete the Network security group, remove the association with the resource(s). To learn how to do this, see aka.ms/deletensg.`,
  );
}

/** Network security groups. Their rules are stored but filter nothing. */
export function networkSecurityGroupEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    groups.put(context, {
      operation: 'NetworkSecurityGroups_CreateOrUpdate',
      body: securityGroupBody,
      resource: (_context, call, body, target) => {
        const { securityRules = [], ...settings } = body.properties ?? {};
        checkRules(securityRules);
        const base = groups.written(context, call, target, body);
        const etag = `W/"${randomUUID()}"`;
        return {
          ...base,
          extra: { etag },
          properties: {
            ...defined(settings),
            securityRules: securityRules.map(({ name, properties }) => ({
              name,
              id: `${base.id}/securityRules/${name}`,
              type: `${TYPE}/securityRules`,
              etag,
              properties: { ...defined(properties), provisioningState: 'Succeeded' },
            })),
            resourceGuid: target.existing?.properties['resourceGuid'] ?? randomUUID(),
            provisioningState: 'Succeeded',
          },
        };
      },
    }),
    groups.patchTags(context, 'NetworkSecurityGroups_UpdateTags'),
    ...groups.reads(context, {
      get: 'NetworkSecurityGroups_Get',
      listInGroup: 'NetworkSecurityGroups_List',
      listInSubscription: 'NetworkSecurityGroups_ListAll',
    }),
    groups.delete(context, {
      operation: 'NetworkSecurityGroups_Delete',
      remove: (_context, group) => {
        checkUnused(context.store, group);
        removePlain(context, group);
      },
    }),
  ];
}
