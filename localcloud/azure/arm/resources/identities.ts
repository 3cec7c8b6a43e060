import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { managedPrincipal, present, systemData } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { removeIdentity } from './deletion';
import { GroupResource } from './groupResource';

const TYPE = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** Where identities are found and listed; what is in one is below its path. */
export const identities = new GroupResource(TYPE, 'resourceName');

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

/** User-assigned identities. Each has a service principal in the directory. */
export function identityEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  return [
    {
      operation: 'UserAssignedIdentities_CreateOrUpdate',
      method: 'PUT',
      path: identities.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const asked = readBody(createBody, call.body, TYPE);
        const target = identities.target(context, call);
        checkName(target.name);
        const { existing } = target;
        const base = identities.written(context, call, target, asked);
        const ids = existing?.properties ?? {
          tenantId: TENANT_ID,
          principalId: randomUUID(),
          clientId: randomUUID(),
        };
        const identity: ResourceDocument = {
          ...base,
          properties: {
            ...ids,
            ...(asked.properties?.isolationScope === undefined
              ? {}
              : { isolationScope: asked.properties.isolationScope }),
          },
        };
        const principalId = String(ids['principalId']);
        // The principal first: an identity that is on disk can always sign in.
        store.principals.set(
          principalId,
          managedPrincipal(principalId, String(ids['clientId']), identity.name, identity.id),
        );
        store.resources.set(identity.id, identity);
        return { status: existing === undefined ? 201 : 200, body: present(identity) };
      },
    },
    {
      operation: 'UserAssignedIdentities_Update',
      method: 'PATCH',
      path: identities.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = identities.required(context, call);
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
        return { status: 200, body: present(identity) };
      },
    },
    ...identities.reads(context, {
      get: 'UserAssignedIdentities_Get',
      listInGroup: 'UserAssignedIdentities_ListByResourceGroup',
      listInSubscription: 'UserAssignedIdentities_ListBySubscription',
    }),
    {
      operation: 'UserAssignedIdentities_Delete',
      method: 'DELETE',
      path: identities.path,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: (call) => {
        const identity = store.resources.get(identities.idOf(context, call));
        if (identity === undefined) return { status: 204 };
        removeIdentity(context, identity);
        return { status: 200 };
      },
    },
  ];
}
