import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { TENANT_ID } from '../../../identity';
import { MOST_CREDENTIALS } from '../../identity/federatedCredentialRules';
import type { CloudReply } from '../../server/exchange';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import { body, readBody, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { checkPreconditions } from '../etag';
import { sameId } from '../resourceId';
import { ChildResource } from './childResource';
import { following, refuseWhileDeleting } from './clusterOperations';
import { managedClusters } from './clusterWrite';
import { IDENTITY_TYPE } from './identities';
import { checkLinkedAccess } from './linkedAccess';
import { checkName } from './nameRules';

const bindings = new ChildResource(managedClusters, 'identityBindings', 'identityBindingName');

const CREDENTIAL_TYPE = `${IDENTITY_TYPE}/federatedIdentityCredentials`;

/** Audience of the service account tokens with which pods use a binding. */
export const BINDING_AUDIENCE = 'api://AKSIdentityBinding';

/** The local cloud's credential, without the issuer. Azure's subject and audience are not known. */
const CREDENTIAL = {
  name: 'aks-identity-binding',
  subject: 'aks-identity-binding',
  audience: BINDING_AUDIENCE,
};

/** Source: azure-rest-api-specs `…/Microsoft.ContainerService/aks/IdentityBinding.tsp`. */
const IDENTITY_ID =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[a-z0-9-]{1,90}\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/[a-z0-9-]{3,128}$/i;

const managedIdentity = withReadOnly(
  {
    resourceId: z
      .string()
      .regex(
        IDENTITY_ID,
        "the id of a user-assigned identity is needed, with only letters, digits and '-' in the names of its group and itself",
      ),
  },
  ['objectId', 'clientId', 'tenantId'],
);
const properties = withReadOnly({ managedIdentity }, ['oidcIssuer', 'provisioningState']);
const bindingBody = body(withReadOnly({ properties }, ['eTag']).shape);

/** Issuer of the credential that all bindings of an identity share. */
const issuerOf = (clientId: string): string => `https://ib.oic.prod-aks.azure.com/${TENANT_ID}/${clientId}`;

/** The assertion with which AKS signs in as the identity of a binding. */
export const presentedFor = (clientId: string) => ({
  issuer: issuerOf(clientId),
  subject: CREDENTIAL.subject,
  audience: CREDENTIAL.audience,
});

/** Returns the usable binding of a cluster for the client id of an identity; undefined if there is none. */
export function bindingFor(
  context: Pick<ArmContext, 'store'>,
  cluster: ResourceDocument,
  clientId: string,
): ResourceDocument | undefined {
  return bindings.within(context, cluster).find(({ properties }) => {
    const { managedIdentity, provisioningState } = properties as {
      managedIdentity: { clientId: string };
      provisioningState: string;
    };
    return (
      ['Succeeded', 'Updating'].includes(provisioningState) && sameId(managedIdentity.clientId, clientId)
    );
  });
}

/** Returns the identity that a request names. Refuses a missing one, with an assumed code and text. */
function identityOf(context: ArmContext, resourceId: string): ResourceDocument {
  const identity = context.store.resources.get(resourceId);
  if (identity?.type === IDENTITY_TYPE) return identity;
  throw badRequest(
    `The managed identity '${resourceId}' was not found. An identity binding needs an existing user-assigned identity.`,
    'properties.managedIdentity.resourceId',
  );
}

/**
 * Creates the shared credential of an identity, or leaves an existing one alone. It counts to the limit of credentials, which is
 * assumed; the code is that of the identity's own service.
 */
function ensureCredential(context: ArmContext, call: ArmCall, identity: ResourceDocument): void {
  const id = `${identity.id}/federatedIdentityCredentials/${CREDENTIAL.name}`;
  const issuer = issuerOf(String(identity.properties['clientId']));
  const existing = context.store.resources.get(id);
  if (existing?.properties['issuer'] === issuer) return;
  const count = context.store.below(identity.id).length;
  if (existing === undefined && count >= MOST_CREDENTIALS) {
    throw badRequest(
      `The managed identity '${identity.name}' has ${count} federated identity credentials, so '${CREDENTIAL.name}' cannot be created; at most ${MOST_CREDENTIALS} are allowed.`,
    );
  }
  context.store.resources.set(id, {
    id,
    name: CREDENTIAL.name,
    type: CREDENTIAL_TYPE,
    properties: { issuer, subject: CREDENTIAL.subject, audiences: [CREDENTIAL.audience] },
    internal: { writtenAt: context.clock.now() },
    systemData: systemData(context, call.caller),
  });
}

/** Source: MicrosoftDocs/azure-aks-docs `identity-bindings.md`, limitations; code and text are assumed. */
function refuseVnetIntegration(cluster: ResourceDocument): void {
  const profile = cluster.properties['apiServerAccessProfile'] as
    { enableVnetIntegration?: boolean } | undefined;
  if (profile?.enableVnetIntegration !== true) return;
  throw badRequest(
    `The managed cluster '${cluster.name}' has API server VNet integration, with which identity bindings do not work.`,
  );
}

/** Stores a binding in a state that lasts until the operation ends, and answers with it. */
function begin(
  context: ArmContext,
  binding: ResourceDocument,
  state: string,
  outcome: OperationDocument['outcome'] & object,
): { shown: ResourceDocument; operation: OperationDocument } {
  const shown = { ...binding, properties: { ...binding.properties, provisioningState: state } };
  context.operations.cancel(binding.id);
  context.store.resources.set(binding.id, shown);
  return { shown, operation: context.longRunning.begin(binding.id, outcome) };
}

function put(context: ArmContext, call: ArmCall): CloudReply {
  checkName(bindings.type, bindings.nameIn(call));
  const { parent, id, name, existing } = bindings.target(context, call);
  checkEtag(call, name, existing);
  const { resourceId } = readBody(bindingBody, call.body, bindings.type).properties.managedIdentity;
  refuseWhileDeleting(parent);
  refuseVnetIntegration(parent);
  const bound = existing?.properties['managedIdentity'] as { resourceId: string } | undefined;
  if (bound !== undefined && !sameId(bound.resourceId, resourceId)) {
    // Code and text are those of other create-only properties of AKS.
    throw new ArmError(
      400,
      'PropertyChangeNotAllowed',
      `Changing property 'properties.managedIdentity.resourceId' is not allowed: it is '${bound.resourceId}'.`,
      { target: 'properties.managedIdentity.resourceId' },
    );
  }
  const identity = identityOf(context, resourceId);
  for (const right of ['read', 'write', 'delete']) {
    checkLinkedAccess(
      context,
      call,
      { action: `${bindings.type}/write`, scope: id },
      { action: `${CREDENTIAL_TYPE}/${right}`, scopes: [identity.id] },
    );
  }
  ensureCredential(context, call, identity);
  const clientId = String(identity.properties['clientId']);
  const created: ResourceDocument = {
    id,
    name,
    type: bindings.type,
    extra: { eTag: randomUUID() },
    systemData: systemData(context, call.caller, existing?.systemData),
    properties: {
      managedIdentity: {
        resourceId: identity.id,
        objectId: identity.properties['principalId'],
        clientId,
        tenantId: TENANT_ID,
      },
      oidcIssuer: { oidcIssuerUrl: issuerOf(clientId) },
      provisioningState: 'Succeeded',
    },
  };
  const failed = { ...created, properties: { ...created.properties, provisioningState: 'Failed' } };
  const { shown, operation } = begin(context, created, existing === undefined ? 'Creating' : 'Updating', {
    succeeded: created,
    failed,
  });
  return {
    status: existing === undefined ? 201 : 200,
    headers: following(call, parent.location, operation),
    body: present(shown),
  };
}

function checkEtag(call: ArmCall, name: string, existing: ResourceDocument | undefined): void {
  const tag = existing === undefined ? undefined : String(existing.extra?.['eTag']);
  checkPreconditions(call.headers, `the identity binding '${name}'`, tag);
}

/** Identity bindings of managed clusters: they let a cluster get tokens of an identity for its pods. */
export function identityBindingEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    bindings.endpoint('PUT', 'IdentityBindings_CreateOrUpdate', (call) => put(context, call)),
    ...bindings.reads(context, {
      get: 'IdentityBindings_Get',
      list: 'IdentityBindings_ListByManagedCluster',
    }),
    bindings.endpoint('DELETE', 'IdentityBindings_Delete', (call) => {
      const { parent, existing } = bindings.find(context, call, 'delete');
      checkEtag(call, bindings.nameIn(call), existing);
      if (existing === undefined) return { status: 204 };
      const outcome = { succeeded: null, failed: existing };
      const { operation } = begin(context, existing, 'Deleting', outcome);
      return { status: 202, headers: following(call, parent.location, operation) };
    }),
  ];
}
