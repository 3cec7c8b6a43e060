import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, stamp, systemData } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { removeRoleAssignments } from './deletion';
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

/** Source: MicrosoftDocs/azure-docs, resource-name-rules.md, Microsoft.OperationalInsights. */
function checkName(name: string): void {
  if (/^[a-zA-Z0-9][a-zA-Z0-9-]{2,61}[a-zA-Z0-9]$/.test(name)) return;
  throw badRequest(
    `The workspace name '${name}' is invalid: 4 to 63 letters, digits and '-', beginning and ending with a letter or digit.`,
    'workspaceName',
  );
}

function propertiesOf(
  context: ArmContext,
  asked: Settings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const held = existing?.properties['retentionInDays'] as number | undefined;
  const retention = asked.retentionInDays ?? held ?? 30;
  const sku =
    asked.sku?.name ?? (existing?.properties['sku'] as { name?: string } | undefined)?.name ?? 'PerGB2018';
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
    ...defined(asked),
    sku: { name: sku, lastSkuUpdate: now, ...asked.sku },
    features: {
      legacy: 0,
      searchVersion: 1,
      enableLogAccessUsingOnlyResourcePermissions: true,
      ...asked.features,
    },
    workspaceCapping: { dailyQuotaGb: -1, ...defined(asked.workspaceCapping ?? {}) },
    retentionInDays: retention,
    modifiedDate: now,
    provisioningState: 'Succeeded',
  };
}

/** Log Analytics workspaces: what diagnostic settings send to. Nothing is sent. */
export function workspaceEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  return [
    {
      operation: 'Workspaces_CreateOrUpdate',
      method: 'PUT',
      path: workspaces.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const asked = readBody(createBody, call.body, TYPE);
        const target = workspaces.target(context, call);
        checkName(target.name);
        const { existing } = target;
        const workspace: ResourceDocument = {
          ...workspaces.written(context, call, target, asked),
          properties: propertiesOf(context, asked.properties ?? {}, existing),
        };
        store.resources.set(workspace.id, workspace);
        return { status: existing === undefined ? 201 : 200, body: present(workspace) };
      },
    },
    {
      operation: 'Workspaces_Update',
      method: 'PATCH',
      path: workspaces.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = workspaces.required(context, call);
        const asked = readBody(patchBody, call.body, TYPE);
        const workspace: ResourceDocument = {
          ...existing,
          tags: asked.tags ?? existing.tags,
          properties: propertiesOf(context, asked.properties ?? {}, existing),
          systemData: systemData(context, call.caller, existing.systemData),
        };
        store.resources.set(workspace.id, workspace);
        return { status: 200, body: present(workspace) };
      },
    },
    ...workspaces.reads(context, {
      get: 'Workspaces_Get',
      listInGroup: 'Workspaces_ListByResourceGroup',
      listInSubscription: 'Workspaces_List',
    }),
    {
      operation: 'Workspaces_Delete',
      method: 'DELETE',
      path: workspaces.path,
      type: TYPE,
      action: `${TYPE}/delete`,
      query: ['force'],
      handle: (call) => {
        const id = workspaces.idOf(context, call);
        const deleted = store.resources.delete(id);
        removeRoleAssignments(context, id);
        return { status: deleted ? 200 : 204 };
      },
    },
  ];
}
