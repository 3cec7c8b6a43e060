import * as z from 'zod';
import { newServicePrincipal } from '../identity/application';
import type { PrincipalDocument } from '../store/documents';
import { backingApplication } from './backing';
import { empty, guid, merged, none, odataType, off, readBody, tags, text } from './body';
import type { GraphCall, GraphContext } from './context';
import { softDelete } from './deletedItems';
import { entityEndpoints } from './entityEndpoints';
import { denied } from './errors';
import { findPrincipal } from './lookup';
import { ownerIn } from './owners';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

/**
 * The members that clients can write, as for applications. Those that concern what the local cloud does not emulate accept only
 * the value that hashicorp/terraform-provider-azuread sends
 * (`internal/services/serviceprincipals/service_principal_resource.go`). Source of the limits:
 * microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/resources/serviceprincipal.md`.
 */
const members = {
  '@odata.type': odataType,
  accountEnabled: z.boolean().nullish(),
  alternativeNames: empty,
  appRoleAssignmentRequired: off,
  description: text(1024),
  loginUrl: none,
  notes: text(1024),
  notificationEmailAddresses: empty,
  preferredSingleSignOnMode: none,
  samlSingleSignOnSettings: z.strictObject({ '@odata.type': odataType, relayState: none }).nullish(),
  tags,
};
const createBody = z.strictObject({
  ...members,
  appId: guid,
  'owners@odata.bind': z.array(z.string()).optional(),
});
const patchBody = z.strictObject(members);

function create(context: GraphContext, call: GraphCall): PrincipalDocument {
  const {
    appId,
    accountEnabled,
    'owners@odata.bind': references,
    ...properties
  } = readBody(createBody, call.body, 'ServicePrincipal');
  const application = backingApplication(context, appId);
  const owners = references?.map((reference) => ownerIn(context, reference)) ?? [call.caller.objectId];
  const principal = {
    ...newServicePrincipal(application, context.clock.now()),
    accountEnabled: accountEnabled ?? true,
    owners: [...new Set(owners)],
    properties: merged({}, properties),
  };
  context.store.principals.set(principal.objectId, principal);
  return principal;
}

/** Returns the service principal in the path. Refuses a managed identity's, which changes only with its resource. */
function findOwn(context: GraphContext, call: GraphCall): PrincipalDocument {
  const principal = findPrincipal(context, call);
  if (principal.kind === 'managedIdentity') throw denied();
  return principal;
}

function update(context: GraphContext, call: GraphCall): void {
  const principal = findOwn(context, call);
  const { accountEnabled, ...properties } = readBody(patchBody, call.body, 'ServicePrincipal');
  context.store.principals.set(principal.objectId, {
    ...principal,
    accountEnabled: accountEnabled ?? principal.accountEnabled,
    properties: merged(principal.properties ?? {}, properties),
  });
}

/** Service principals: at most one for each application, and those of managed identities. */
export const servicePrincipalEndpoints = entityEndpoints(SERVICE_PRINCIPAL, {
  create: (context, call) => presentPrincipal(context, create(context, call)),
  list: (context) =>
    context.store.principals.values().map((principal) => presentPrincipal(context, principal)),
  find: (context, call) => presentPrincipal(context, findPrincipal(context, call)),
  update,
  remove: (context, call) =>
    softDelete(context, { type: 'servicePrincipal', principal: findOwn(context, call) }),
});
