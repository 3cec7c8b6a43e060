import * as z from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present, stamp } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ChildResource } from './childResource';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { authorizationRuleEndpoints, storeRootRule } from './serviceBusRules';

const TYPE = 'Microsoft.ServiceBus/namespaces';

const namespaces = new GroupResource(TYPE, 'namespaceName');
const queues = new ChildResource(namespaces, 'queues', 'queueName');

const toggle = z.boolean().nullish();

/** Source: azure-rest-api-specs `…/Microsoft.ServiceBus/stable/2024-01-01/namespace-preview.json`, without replication. */
const createBody = body({
  location: z.string(),
  tags,
  sku: z.strictObject({
    name: z.enum(['Basic', 'Standard', 'Premium']),
    tier: z.enum(['Basic', 'Standard', 'Premium']).nullish(),
    capacity: z.int().nullish(),
  }),
  properties: withReadOnly(
    {
      disableLocalAuth: toggle,
      minimumTlsVersion: z.enum(['1.0', '1.1', '1.2']).nullish(),
      publicNetworkAccess: z.enum(['Enabled', 'Disabled']).nullish(),
      zoneRedundant: toggle,
      premiumMessagingPartitions: z.int().nullish(),
    },
    [
      ...['provisioningState', 'status', 'createdAt', 'updatedAt', 'serviceBusEndpoint', 'metricId'],
      'privateEndpointConnections',
    ],
  ).optional(),
});

/** The members of the specification, which Azure Service Operator sends. They are stored without effect. */
const queueBody = body({ properties: z.record(z.string(), z.unknown()).optional() });

/**
 * The namespace that a PUT requests. Source of the answers: azure-service-operator 2.20,
 * Test_ServiceBus_Namespace_Basic_v1api20240101_CRUD.
 */
function namespaceFrom(
  context: ArmContext,
  call: ArmCall,
  body: z.infer<typeof createBody>,
  target: WriteTarget,
): ResourceDocument {
  const { existing } = target;
  const now = stamp(context);
  // Azure's answers have no `systemData`.
  const { systemData: _systemData, ...shown } = namespaces.written(context, call, target, body);
  return {
    ...shown,
    extra: { sku: { ...defined(body.sku), tier: body.sku.tier ?? body.sku.name } },
    properties: {
      ...{ disableLocalAuth: false, minimumTlsVersion: '1.2', publicNetworkAccess: 'Enabled' },
      ...{ zoneRedundant: true, premiumMessagingPartitions: 0, createdAt: now },
      ...existing?.properties,
      ...defined(body.properties ?? {}),
      serviceBusEndpoint: `https://${shown.name}.servicebus.windows.net:443/`,
      ...{ updatedAt: now, status: 'Active', provisioningState: 'Succeeded' },
    },
    internal: existing?.internal,
  };
}

/** Creates a new namespace in the background. Clients poll the namespace until it is done. */
function begin(
  context: ArmContext,
  _call: ArmCall,
  created: ResourceDocument,
  existing: ResourceDocument | undefined,
): CloudReply {
  if (existing !== undefined) return namespaces.kept(context, created, existing);
  const state = { status: 'Creating', provisioningState: 'Creating' };
  const { creating } = namespaces.createLater(context, created, state);
  storeRootRule(context, created);
  return { status: 201, body: present(creating) };
}

/** Service Bus namespaces. Their queues hold nothing, and their keys give access to nothing. */
export function serviceBusEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    namespaces.put(context, {
      operation: 'Namespaces_CreateOrUpdate',
      body: createBody,
      resource: namespaceFrom,
      begin,
    }),
    ...namespaces.reads(context, {
      get: 'Namespaces_Get',
      listInGroup: 'Namespaces_ListByResourceGroup',
      listInSubscription: 'Namespaces_List',
    }),
    namespaces.delete(context, { operation: 'Namespaces_Delete' }),
    queues.endpoint('PUT', 'Queues_CreateOrUpdate', (call) => {
      const { id, name, existing, parent } = queues.target(context, call);
      const { properties = {} } = readBody(queueBody, call.body, queues.type);
      const created: ResourceDocument = {
        ...{ id, name, type: queues.type, location: parent.location },
        properties: { ...existing?.properties, ...defined(properties), status: 'Active' },
      };
      context.store.resources.set(created.id, created);
      return { status: 200, body: present(created) };
    }),
    ...queues.reads(context, { get: 'Queues_Get', list: 'Queues_ListByNamespace' }),
    queues.delete(context, 'Queues_Delete'),
    ...authorizationRuleEndpoints(context, namespaces),
  ];
}
