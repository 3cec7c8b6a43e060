import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup, requireResource, stamp, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { removeRoleAssignments } from './deletion';
import { checkSameLocation, normaliseLocation } from './locations';

export const WORKSPACE_TYPE = 'Microsoft.OperationalInsights/workspaces';
const TYPE = WORKSPACE_TYPE;
const IN_GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const PATH = `${IN_GROUP}/providers/${TYPE}/{workspaceName}`;

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
  const required = (call: ArmCall): ResourceDocument =>
    requireResource(context, call.params, TYPE, call.params['workspaceName'] ?? '');
  const list = (scope: string): Record<string, unknown> => ({
    value: store
      .ofType(TYPE)
      .filter((each) => each.id.toLowerCase().startsWith(`${scope.toLowerCase()}/`))
      .map(present),
  });
  return [
    {
      operation: 'Workspaces_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const asked = readBody(createBody, call.body, TYPE);
        const group = requireLiveGroup(context, call.params);
        const name = call.params['workspaceName'] ?? '';
        checkName(name);
        const id = `${group.id}/providers/${TYPE}/${name}`;
        const existing = store.resources.get(id);
        const location = normaliseLocation(asked.location, TYPE);
        checkSameLocation(name, existing?.location, location);
        const workspace: ResourceDocument = {
          id: existing?.id ?? id,
          name: existing?.name ?? name,
          type: TYPE,
          location,
          tags: asked.tags ?? {},
          properties: propertiesOf(context, asked.properties ?? {}, existing),
          systemData: systemData(context, call.caller, existing?.systemData),
        };
        store.resources.set(workspace.id, workspace);
        return { status: existing === undefined ? 201 : 200, body: present(workspace) };
      },
    },
    {
      operation: 'Workspaces_Update',
      method: 'PATCH',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = required(call);
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
    {
      operation: 'Workspaces_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: present(required(call)) }),
    },
    {
      operation: 'Workspaces_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/delete`,
      query: ['force'],
      handle: (call) => {
        const group = requireGroup(context, call.params);
        const id = `${group.id}/providers/${TYPE}/${call.params['workspaceName'] ?? ''}`;
        const deleted = store.resources.delete(id);
        removeRoleAssignments(context, id);
        return { status: deleted ? 200 : 204 };
      },
    },
    {
      operation: 'Workspaces_ListByResourceGroup',
      method: 'GET',
      path: `${IN_GROUP}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: list(requireGroup(context, call.params).id) }),
    },
    {
      operation: 'Workspaces_List',
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({
        status: 200,
        body: list(`/subscriptions/${call.params['subscriptionId'] ?? ''}`),
      }),
    },
  ];
}
