import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { GroupDocument } from '../store/documents';
import { empty, merged, none, odataType, off, readBody, text } from './body';
import type { GraphCall, GraphContext } from './context';
import { softDelete } from './deletedItems';
import { entityEndpoints } from './entityEndpoints';
import { GROUP, presentGroup } from './groupView';
import { findGroup } from './lookup';
import { ownerIn } from './owners';

/**
 * The members that clients can write: those of a security group. The others accept only the value that
 * hashicorp/terraform-provider-azuread sends (`internal/services/groups/group_resource.go`). Source of the limits:
 * microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/api/group-post-groups.md`; the limit of the description is
 * assumed to be that of an application's.
 */
const members = {
  '@odata.type': odataType,
  description: text(1024),
  groupTypes: empty,
  isAssignableToRole: off,
  membershipRule: none,
  membershipRuleProcessingState: none,
  resourceBehaviorOptions: empty,
  resourceProvisioningOptions: empty,
  theme: none,
  visibility: none,
};
const displayName = z
  .string()
  .min(1, 'a name has 1 to 256 characters')
  .max(256, 'a name has 1 to 256 characters');
const mailEnabled = z.literal(false, 'only false is possible in the local cloud');
const securityEnabled = z.literal(true, 'only true is possible in the local cloud');
const mailNickname = z
  .string()
  .regex(
    /^(?:(?![@()\\[\]";:.<>, ])[\x00-\x7f]){1,64}$/,
    String.raw`1 to 64 characters of ASCII are needed, without @ ( ) \ [ ] " ; : . < > , and space`,
  );

const createBody = z.strictObject({
  ...members,
  displayName,
  mailEnabled,
  mailNickname,
  securityEnabled,
  'owners@odata.bind': z
    .array(z.string())
    .max(20, 'at most 20 owners are possible at the creation')
    .optional(),
});
const patchBody = z.strictObject({
  ...members,
  displayName: displayName.optional(),
  mailEnabled: mailEnabled.optional(),
  mailNickname: mailNickname.optional(),
  securityEnabled: securityEnabled.optional(),
});

function create(context: GraphContext, call: GraphCall): GroupDocument {
  const {
    displayName,
    mailNickname,
    'owners@odata.bind': references,
    ...properties
  } = readBody(createBody, call.body, 'Group');
  const owners = references?.map((reference) => ownerIn(context, reference)) ?? [call.caller.objectId];
  const group = {
    objectId: randomUUID(),
    displayName,
    mailNickname,
    createdAt: new Date(context.clock.now()).toISOString(),
    owners: [...new Set(owners)],
    members: [],
    properties: merged({}, properties),
  };
  context.store.groups.set(group.objectId, group);
  return group;
}

function update(context: GraphContext, call: GraphCall): void {
  const group = findGroup(context, call);
  const {
    displayName = group.displayName,
    mailNickname = group.mailNickname,
    ...properties
  } = readBody(patchBody, call.body, 'Group');
  context.store.groups.set(group.objectId, {
    ...group,
    displayName,
    mailNickname,
    properties: merged(group.properties, properties),
  });
}

/** Security groups with assigned members. */
export const groupEndpoints = entityEndpoints(GROUP, {
  create: (context, call) => presentGroup(create(context, call)),
  list: ({ store }) => store.groups.values().map((group) => presentGroup(group)),
  find: (context, call) => presentGroup(findGroup(context, call)),
  update,
  remove: (context, call) => softDelete(context, { type: 'group', group: findGroup(context, call) }),
});
