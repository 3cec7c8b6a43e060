import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { GroupResource } from './groupResource';

export const WORKSPACE_TYPE = 'Microsoft.OperationalInsights/workspaces';
const TYPE = WORKSPACE_TYPE;
const workspaces = new GroupResource(TYPE, 'workspaceName');

const SKUS = [
  'PerGB2018',
  'CapacityReservation',
  'LACluster',
  'Free',
  'Standalone',
  'PerNode',
  'Premium',
  'Standard',
];

/** Source: azure-rest-api-specs `…/operationalinsights/…/stable/2023-09-01/Workspaces.json`. */
const settings = withReadOnly(
  {
    sku: withReadOnly(
      {
        name: z
          .string()
          .transform((value) => SKUS.find((sku) => sku.toLowerCase() === value.toLowerCase()) ?? value)
          .refine((value) => SKUS.includes(value), `the pricing tier is one of ${SKUS.join(', ')}`),
        capacityReservationLevel: z.int().optional(),
      },
      ['lastSkuUpdate'],
    ).optional(),
    retentionInDays: z.int().nullish(),
    workspaceCapping: withReadOnly({ dailyQuotaGb: z.number().optional() }, [
      'quotaNextResetTime',
      'dataIngestionStatus',
    ]).optional(),
    publicNetworkAccessForIngestion: z.enum(['Enabled', 'Disabled', 'SecuredByPerimeter']).optional(),
    publicNetworkAccessForQuery: z.enum(['Enabled', 'Disabled', 'SecuredByPerimeter']).optional(),
    forceCmkForQuery: z.boolean().optional(),
    features: z.record(z.string(), z.unknown()).nullish(),
    defaultDataCollectionRuleResourceId: z.string().optional(),
  },
  ['provisioningState', 'customerId', 'createdDate', 'modifiedDate', 'privateLinkScopedResources'],
).optional();

const createBody = body({
  location: z.string(),
  tags,
  identity: z.unknown().optional(),
  properties: settings,
});
const patchBody = body({ location: z.string().optional(), tags, properties: settings });

type Settings = NonNullable<z.infer<typeof settings>>;

function propertiesOf(
  context: ArmContext,
  requested: Settings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const current = existing?.properties['retentionInDays'] as number | undefined;
  const retention = requested.retentionInDays ?? current ?? 30;
  const sku =
    requested.sku?.name ??
    (existing?.properties['sku'] as { name?: string } | undefined)?.name ??
    'PerGB2018';
  const lowest = sku === 'Free' ? 7 : 30;
  if (retention < lowest || retention > 730) {
    throw badRequest(
      `'RetentionInDays' property doesn't match the SKU limits: it is ${retention}, and ${sku} allows ${lowest} to 730.`,
      'properties.retentionInDays',
    );
  }
  const now = stamp(context);
  return {
    customerId: randomUUID(),
    createdDate: now,
    publicNetworkAccessForIngestion: 'Enabled',
    publicNetworkAccessForQuery: 'Enabled',
    ...existing?.properties,
    ...defined(requested),
    sku: { name: sku, lastSkuUpdate: now, ...requested.sku },
    features: {
      legacy: 0,
      searchVersion: 1,
      enableLogAccessUsingOnlyResourcePermissions: true,
      ...requested.features,
    },
    workspaceCapping: { dailyQuotaGb: -1, ...defined(requested.workspaceCapping ?? {}) },
    retentionInDays: retention,
    modifiedDate: now,
    provisioningState: 'Succeeded',
  };
}

/** Log Analytics workspaces, the data sinks of diagnostic settings. */
export function workspaceEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    workspaces.put(context, {
      operation: 'Workspaces_CreateOrUpdate',
      body: createBody,
      resource: (_context, call, body, target) => ({
        ...workspaces.written(context, call, target, body),
        properties: propertiesOf(context, body.properties ?? {}, target.existing),
      }),
    }),
    workspaces.patch(context, {
      operation: 'Workspaces_Update',
      body: patchBody,
      change: (_context, _call, body, existing) => ({
        properties: propertiesOf(context, body.properties ?? {}, existing),
      }),
    }),
    ...workspaces.reads(context, {
      get: 'Workspaces_Get',
      listInGroup: 'Workspaces_ListByResourceGroup',
      listInSubscription: 'Workspaces_List',
    }),
    workspaces.delete(context, { operation: 'Workspaces_Delete', query: ['force'] }),
  ];
}
