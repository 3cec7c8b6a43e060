import * as z from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { body, defined, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { RETRY_AFTER } from '../operations';
import { subscriptionScope } from '../resourceId';
import { ChildResource } from './childResource';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { keyPair, newKeyPair, regenerate } from './keyPair';

const TYPE = 'Microsoft.Cache/redis';
const NAMESPACE = 'Microsoft.Cache';

const caches = new GroupResource(TYPE, 'name');
const assignments = new ChildResource(caches, 'accessPolicyAssignments', 'accessPolicyAssignmentName');

const text = z.string().nullish();
const toggle = z.boolean().nullish();

/**
 * Source: azure-rest-api-specs `…/Microsoft.Cache/stable/2024-11-01/redis.json`, RedisCreateProperties, without clusters,
 * replicas and networks.
 */
const createBody = body({
  location: z.string(),
  tags,
  properties: withReadOnly(
    {
      sku: z.strictObject({
        name: z.enum(['Basic', 'Standard', 'Premium']),
        family: z.enum(['C', 'P']),
        capacity: z.int().min(0).max(6),
      }),
      redisConfiguration: z.record(z.string(), z.string()).nullish(),
      redisVersion: text,
      enableNonSslPort: toggle,
      minimumTlsVersion: z.enum(['1.0', '1.1', '1.2']).nullish(),
      publicNetworkAccess: z.enum(['Enabled', 'Disabled']).nullish(),
      disableAccessKeyAuthentication: toggle,
      updateChannel: z.enum(['Stable', 'Preview']).nullish(),
      zonalAllocationPolicy: z.enum(['Automatic', 'UserDefined', 'NoZones']).nullish(),
    },
    [
      ...['provisioningState', 'hostName', 'port', 'sslPort', 'accessKeys', 'linkedServers', 'instances'],
      'privateEndpointConnections',
    ],
  ),
});

const keyBody = z.strictObject({ keyType: z.enum(['Primary', 'Secondary']) });

const assignmentBody = body({
  properties: withReadOnly(
    { accessPolicyName: z.string(), objectId: z.string(), objectIdAlias: z.string() },
    ['provisioningState'],
  ),
});

/**
 * Returns the cache; throws while it is being created, when it has no keys yet. Source of the code: azure-docs
 * `azure-cache-for-redis`; the status is assumed.
 */
function provisioned(context: ArmContext, call: ArmCall): ResourceDocument {
  const cache = caches.required(context, call);
  if (cache.properties['provisioningState'] === 'Succeeded') return cache;
  throw new ArmError(409, 'Conflict', `The resource '${cache.name}' is busy processing a previous update.`);
}

/**
 * The cache that a PUT requests. Source of the defaults: recording Test_Cache_Redis_20241101_CRUD.yaml of
 * azure-service-operator 2.20.
 */
function cacheFrom(
  context: ArmContext,
  call: ArmCall,
  body: z.infer<typeof createBody>,
  target: WriteTarget,
): ResourceDocument {
  const { existing, name } = target;
  const { sku } = body.properties;
  if ((sku.name === 'Premium') !== (sku.family === 'P'))
    throw badRequest(`The SKU ${sku.name} does not have the family ${sku.family}.`, 'properties.sku.family');
  // Azure's answers have no `systemData`.
  const { systemData: _systemData, ...shown } = caches.written(context, call, target, body);
  return {
    ...shown,
    properties: {
      ...{ enableNonSslPort: false, publicNetworkAccess: 'Enabled', redisVersion: '6.0' },
      ...{ updateChannel: 'Stable', zonalAllocationPolicy: 'Automatic', linkedServers: [] },
      ...{ disableAccessKeyAuthentication: false },
      ...existing?.properties,
      ...defined(body.properties),
      ...{ hostName: `${name.toLowerCase()}.redis.cache.windows.net`, port: 6379, sslPort: 6380 },
      ...{ accessKeys: null, provisioningState: 'Succeeded' },
    },
    internal: existing?.internal ?? newKeyPair(context),
  };
}

/** Creates a new cache in the background; a change takes effect at once. */
function begin(
  context: ArmContext,
  call: ArmCall,
  cache: ResourceDocument,
  existing: ResourceDocument | undefined,
): CloudReply {
  if (existing !== undefined) return caches.kept(context, cache, existing);
  const { creating, operation } = caches.createLater(context, cache);
  const base = `${call.origin}${subscriptionScope(call.params['subscriptionId'] ?? '')}/providers/${NAMESPACE}`;
  const link = `${base}/locations/${cache.location ?? ''}/asyncOperations/${operation.id}?api-version=${call.apiVersion}`;
  return {
    status: 201,
    headers: { 'azure-asyncoperation': link, 'retry-after': RETRY_AFTER },
    body: present(creating),
  };
}

function operationStatus(context: ArmContext, call: ArmCall): CloudReply {
  const operation = context.operations.get(call.params['operationId'] ?? '');
  if (operation === undefined)
    throw new ArmError(404, 'OperationNotFound', 'The specified operation was not found.');
  const { id, status, startTime, endTime, error } = operation;
  return {
    status: 200,
    headers: { 'retry-after': RETRY_AFTER },
    body: { id: call.scope, name: id, status, startTime, endTime, error },
  };
}

/** Redis caches and the assignments of their access policies. There is no Redis server; the keys give access to nothing. */
export function redisEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    caches.put(context, { operation: 'Redis_Create', body: createBody, resource: cacheFrom, begin }),
    ...caches.reads(context, {
      get: 'Redis_Get',
      listInGroup: 'Redis_ListByResourceGroup',
      listInSubscription: 'Redis_ListBySubscription',
    }),
    caches.delete(context, { operation: 'Redis_Delete' }),
    caches.actionEndpoint('listKeys', 'Redis_ListKeys', (call) => ({
      status: 200,
      body: keyPair(context, provisioned(context, call)),
    })),
    caches.actionEndpoint('regenerateKey', 'Redis_RegenerateKey', (call) => {
      const cache = provisioned(context, call);
      const { keyType } = readBody(keyBody, call.body, TYPE);
      const changed = regenerate(context, cache, keyType === 'Primary' ? 'primaryKey' : 'secondaryKey');
      return { status: 200, body: keyPair(context, changed) };
    }),
    assignments.endpoint('PUT', 'AccessPolicyAssignment_CreateUpdate', (call) => {
      const { id, name, existing } = assignments.target(context, call);
      const { properties } = readBody(assignmentBody, call.body, assignments.type);
      const created = {
        ...{ id, name, type: assignments.type },
        properties: { ...defined(properties), provisioningState: 'Succeeded' },
      };
      return assignments.kept(context, created, existing);
    }),
    ...assignments.reads(context, { get: 'AccessPolicyAssignment_Get', list: 'AccessPolicyAssignment_List' }),
    assignments.delete(context, 'AccessPolicyAssignment_Delete'),
    {
      operation: 'AsyncOperationStatus_Get',
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}/asyncOperations/{operationId}`,
      type: `${NAMESPACE}/locations/asyncOperations`,
      handle: (call) => operationStatus(context, call),
    },
  ];
}
