import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { TENANT_ID } from '../../../identity';
import { body, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { managedPrincipal } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { removeIdentity } from './deletion';
import { GroupResource } from './groupResource';

export const IDENTITY_TYPE = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** The resource type of user-assigned identities. */
export const identities = new GroupResource(IDENTITY_TYPE, 'resourceName');

const properties = withReadOnly({ isolationScope: z.enum(['None', 'Regional']).optional() }, [
  'tenantId',
  'principalId',
  'clientId',
]).optional();
const createBody = body({ location: z.string(), tags, properties });
const patchBody = body({ location: z.string().optional(), tags, properties });

const isolation = (requested: z.infer<typeof properties>): { isolationScope?: string } =>
  requested?.isolationScope === undefined ? {} : { isolationScope: requested.isolationScope };

/** User-assigned identities. Each has a service principal in the directory. */
export function identityEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    identities.put(context, {
      operation: 'UserAssignedIdentities_CreateOrUpdate',
      body: createBody,
      resource: (_context, call, body, target) => {
        const base = identities.written(context, call, target, body);
        const ids = target.existing?.properties ?? {
          tenantId: TENANT_ID,
          principalId: randomUUID(),
          clientId: randomUUID(),
        };
        const principalId = String(ids['principalId']);
        // The principal is stored first, so that every stored identity can sign in.
        context.store.principals.set(
          principalId,
          managedPrincipal(principalId, String(ids['clientId']), base.name, base.id),
        );
        return { ...base, properties: { ...ids, ...isolation(body.properties) } };
      },
    }),
    identities.patch(context, {
      operation: 'UserAssignedIdentities_Update',
      body: patchBody,
      change: (_context, _call, body, existing) => ({
        properties: { ...existing.properties, ...isolation(body.properties) },
      }),
    }),
    ...identities.reads(context, {
      get: 'UserAssignedIdentities_Get',
      listInGroup: 'UserAssignedIdentities_ListByResourceGroup',
      listInSubscription: 'UserAssignedIdentities_ListBySubscription',
    }),
    identities.delete(context, { operation: 'UserAssignedIdentities_Delete', remove: removeIdentity }),
  ];
}
