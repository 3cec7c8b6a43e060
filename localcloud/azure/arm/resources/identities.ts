import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import {
  managedPrincipal,
  present,
  requireGroup,
  requireLiveGroup,
  requireResource,
  systemData,
} from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { removeIdentity } from './deletion';
import { checkSameLocation, normaliseLocation } from './locations';

const TYPE = 'Microsoft.ManagedIdentity/userAssignedIdentities';
const IN_GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const PATH = `${IN_GROUP}/providers/${TYPE}/{resourceName}`;

const properties = withReadOnly({ isolationScope: z.enum(['None', 'Regional']).optional() }, [
  'tenantId',
  'principalId',
  'clientId',
]).optional();
const createBody = body({ location: z.string(), tags, properties });
const patchBody = body({ location: z.string().optional(), tags, properties });

/** Source: MicrosoftDocs/azure-docs, resource-name-rules.md, Microsoft.ManagedIdentity. */
function checkName(name: string): void {
  if (/^[a-zA-Z0-9][a-zA-Z0-9_-]{2,127}$/.test(name)) return;
  throw badRequest(
    `The resource name '${name}' is invalid. Identity names have 3 to 128 letters, digits, '-' and '_', beginning with a letter or digit.`,
    'resourceName',
  );
}

const answer = (resource: ResourceDocument): Record<string, unknown> => present(resource);

/** User-assigned identities. Each has a service principal in the directory. */
export function identityEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  const required = (call: ArmCall): ResourceDocument =>
    requireResource(context, call.params, TYPE, call.params['resourceName'] ?? '');
  const list = (scope: string): Record<string, unknown>[] =>
    store
      .ofType(TYPE)
      .filter((identity) => identity.id.toLowerCase().startsWith(`${scope.toLowerCase()}/`))
      .map(answer);
  return [
    {
      operation: 'UserAssignedIdentities_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const asked = readBody(createBody, call.body, TYPE);
        const group = requireLiveGroup(context, call.params);
        const name = call.params['resourceName'] ?? '';
        checkName(name);
        const id = `${group.id}/providers/${TYPE}/${name}`;
        const existing = store.resources.get(id);
        const location = normaliseLocation(asked.location, TYPE);
        checkSameLocation(name, existing?.location, location);
        const ids = existing?.properties ?? {
          tenantId: TENANT_ID,
          principalId: randomUUID(),
          clientId: randomUUID(),
        };
        const identity: ResourceDocument = {
          id: existing?.id ?? id,
          name: existing?.name ?? name,
          type: TYPE,
          location,
          tags: asked.tags ?? {},
          properties: {
            ...ids,
            ...(asked.properties?.isolationScope === undefined
              ? {}
              : { isolationScope: asked.properties.isolationScope }),
          },
          systemData: systemData(context, call.caller, existing?.systemData),
        };
        const principalId = String(ids['principalId']);
        // The principal first: an identity that is on disk can always sign in.
        store.principals.set(
          principalId,
          managedPrincipal(principalId, String(ids['clientId']), identity.name, identity.id),
        );
        store.resources.set(identity.id, identity);
        return { status: existing === undefined ? 201 : 200, body: answer(identity) };
      },
    },
    {
      operation: 'UserAssignedIdentities_Update',
      method: 'PATCH',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = required(call);
        const asked = readBody(patchBody, call.body, TYPE);
        const identity: ResourceDocument = {
          ...existing,
          tags: asked.tags ?? existing.tags,
          properties: {
            ...existing.properties,
            ...(asked.properties?.isolationScope === undefined
              ? {}
              : { isolationScope: asked.properties.isolationScope }),
          },
          systemData: systemData(context, call.caller, existing.systemData),
        };
        store.resources.set(identity.id, identity);
        return { status: 200, body: answer(identity) };
      },
    },
    {
      operation: 'UserAssignedIdentities_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: answer(required(call)) }),
    },
    {
      operation: 'UserAssignedIdentities_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: (call) => {
        const group = requireGroup(context, call.params);
        const identity = store.resources.get(
          `${group.id}/providers/${TYPE}/${call.params['resourceName'] ?? ''}`,
        );
        if (identity === undefined) return { status: 204 };
        removeIdentity(context, identity);
        return { status: 200 };
      },
    },
    {
      operation: 'UserAssignedIdentities_ListByResourceGroup',
      method: 'GET',
      path: `${IN_GROUP}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: { value: list(requireGroup(context, call.params).id) } }),
    },
    {
      operation: 'UserAssignedIdentities_ListBySubscription',
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({
        status: 200,
        body: { value: list(`/subscriptions/${call.params['subscriptionId'] ?? ''}`) },
      }),
    },
  ];
}
