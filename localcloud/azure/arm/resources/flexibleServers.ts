import type * as z from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { present, stamp } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { RETRY_AFTER } from '../operations';
import { childEndpoints, ownDatabases } from './flexibleServerChildren';
import { accepted, serverBusy, serverOperationEndpoints } from './flexibleServerOperations';
import { SERVER_TYPE as TYPE, checkSku, serverProperties } from './flexibleServerRules';
import { patchServerBody, serverBody, serverNameBody } from './flexibleServerSchema';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { nameProblem, takenName } from './nameRules';
import { LOCATIONS } from './locations';

/** The service returns the display name of the region. */
function show(server: ResourceDocument): Record<string, unknown> {
  const region = LOCATIONS.find(({ name }) => name === server.location);
  return { ...present(server), ...(region === undefined ? {} : { location: region.displayName }) };
}

const servers = new GroupResource(TYPE, 'serverName', show);

/** Refuses a change of a server that runs an operation: it runs one at a time. */
function refuseWhileBusy(context: ArmContext, server: ResourceDocument): void {
  if (context.operations.runningWithin(server.id).length === 0) return;
  const { code, message } = serverBusy(server.name);
  throw new ArmError(409, code, message, { headers: { 'retry-after': RETRY_AFTER } });
}

/** Starts a change. Until it ends, the server's state is `Provisioning` or `Updating`. */
function begin(
  context: ArmContext,
  call: ArmCall,
  server: ResourceDocument,
  existing: ResourceDocument | undefined,
): CloudReply {
  const seen = existing ?? server;
  const state = existing === undefined ? 'Provisioning' : 'Updating';
  context.store.resources.set(server.id, { ...seen, properties: { ...seen.properties, state } });
  const operation = context.longRunning.begin(server.id, { succeeded: server, failed: existing ?? null });
  if (existing === undefined) {
    for (const database of ownDatabases(server)) context.store.resources.set(database.id, database);
  }
  return accepted(context, call, server.location, 'UpsertServerManagementOperationV2', operation);
}

/** The server that a PUT requests. */
function serverFrom(
  context: ArmContext,
  call: ArmCall,
  body: z.infer<typeof serverBody>,
  target: WriteTarget,
): ResourceDocument {
  const { name, existing } = target;
  const sku = body.sku ?? existing?.extra?.['sku'];
  if (body.sku !== undefined && body.sku !== null) checkSku(body.sku);
  else if (sku === undefined) {
    throw new ArmError(400, 'MissingRequiredParameter', "The required parameter 'sku' is missing.", {
      target: 'sku',
    });
  }
  const { systemData: _systemData, ...base } = servers.written(context, call, target, body);
  const server: ResourceDocument = {
    ...base,
    extra: { sku, systemData: existing?.extra?.['systemData'] ?? { createdAt: stamp(context) } },
    properties: serverProperties(name, body.properties ?? {}, existing),
  };
  if (existing !== undefined) refuseWhileBusy(context, existing);
  return server;
}

function change(
  context: ArmContext,
  _call: ArmCall,
  body: z.infer<typeof patchServerBody>,
  existing: ResourceDocument,
): Partial<ResourceDocument> {
  const current = existing.extra?.['sku'] as { name: string; tier: string };
  const sku = { name: body.sku?.name ?? current.name, tier: body.sku?.tier ?? current.tier };
  checkSku(sku);
  const properties = serverProperties(existing.name, body.properties ?? {}, existing);
  refuseWhileBusy(context, existing);
  return { extra: { ...existing.extra, sku }, properties };
}

function remove(context: ArmContext, call: ArmCall): CloudReply {
  const server = servers.find(context, call);
  if (server === undefined) return { status: 204 };
  refuseWhileBusy(context, server);
  context.store.resources.set(server.id, {
    ...server,
    properties: { ...server.properties, state: 'Dropping' },
  });
  const operation = context.longRunning.begin(server.id, { succeeded: null, failed: server });
  return accepted(context, call, server.location, 'DropServerManagementOperation', operation);
}

function availability(context: ArmContext, call: ArmCall): CloudReply {
  const { name, type } = readBody(serverNameBody, call.body, TYPE);
  const answer = (nameAvailable: boolean, reason = '', message = ''): CloudReply => ({
    status: 200,
    body: { name, type, nameAvailable, ...(nameAvailable ? {} : { reason, message }) },
  });
  const invalid = nameProblem(TYPE, name);
  if (invalid !== undefined) return answer(false, 'Invalid', invalid.message);
  const taken = takenName(context.store, TYPE, name);
  return taken === undefined ? answer(true) : answer(false, 'AlreadyExists', taken.message);
}

/** PostgreSQL flexible servers and their children. There is no database engine. */
export function flexibleServerEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    servers.put(context, {
      operation: 'Servers_CreateOrUpdate',
      body: serverBody,
      resource: serverFrom,
      begin,
    }),
    servers.patch(context, {
      operation: 'Servers_Update',
      body: patchServerBody,
      change,
      begin,
    }),
    ...servers.reads(context, {
      get: 'Servers_Get',
      listInGroup: 'Servers_ListByResourceGroup',
      listInSubscription: 'Servers_ListBySubscription',
    }),
    servers.endpoint('DELETE', 'Servers_Delete', (call) => remove(context, call)),
    {
      operation: 'NameAvailability_CheckGlobally',
      method: 'POST',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.DBforPostgreSQL/checkNameAvailability',
      type: 'Microsoft.DBforPostgreSQL/checkNameAvailability',
      action: 'Microsoft.DBforPostgreSQL/checkNameAvailability/action',
      handle: (call) => availability(context, call),
    },
    ...childEndpoints(context, servers),
    ...serverOperationEndpoints(context, (resource) =>
      resource.type === TYPE ? show(resource) : present(resource),
    ),
  ];
}
