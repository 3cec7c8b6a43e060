import type { CloudReply } from '../../server/exchange';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { RETRY_AFTER } from '../operations';
import { subscriptionScope } from '../resourceId';

const NAMESPACE = 'Microsoft.DBforPostgreSQL';
const PATH = `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}`;

/** Source of the text: azure-service-operator's recording Test_DBForPostgreSQL_FlexibleServer_20250801_CRUD_2.yaml. */
export const serverBusy = (name: string): { code: string; message: string } => ({
  code: 'ServerIsBusy',
  message: `Cannot complete operation while server '${name}' is busy processing another operation. Try again later.`,
});

/** The answer for an accepted operation, as in the recording. */
export function accepted(
  context: ArmContext,
  call: ArmCall,
  location: string | undefined,
  kind: string,
  operation: OperationDocument,
): CloudReply {
  const base = `${call.origin}${subscriptionScope(call.params['subscriptionId'] ?? '')}/providers/${NAMESPACE}/locations/${location ?? ''}`;
  const link = (name: string): string => `${base}/${name}/${operation.id}?api-version=${call.apiVersion}`;
  return {
    status: 202,
    headers: {
      'azure-asyncoperation': link('azureAsyncOperation'),
      location: link('operationResults'),
      'retry-after': RETRY_AFTER,
    },
    body: { operation: kind, startTime: stamp(context) },
  };
}

function required(context: ArmContext, call: ArmCall): OperationDocument {
  const id = call.params['operationId'] ?? '';
  const operation = context.operations.get(id);
  if (operation !== undefined) return operation;
  throw new ArmError(404, 'OperationNotFound', `The operation '${id}' was not found.`);
}

/** The target of `Azure-AsyncOperation`: always 200, with the state in the body. */
function status(context: ArmContext, call: ArmCall): CloudReply {
  const { id, status: state, startTime, endTime, error } = required(context, call);
  return {
    status: 200,
    headers: { 'retry-after': RETRY_AFTER },
    body: { name: id, status: state, startTime, endTime, error },
  };
}

/** The target of `Location`: 202 until the end, then the resource, if it exists, or the error. */
function result(
  context: ArmContext,
  call: ArmCall,
  show: (resource: ResourceDocument) => Record<string, unknown>,
): CloudReply {
  const operation = required(context, call);
  if (operation.status === 'InProgress') return { status: 202, headers: { 'retry-after': RETRY_AFTER } };
  if (operation.error !== undefined) throw new ArmError(409, operation.error.code, operation.error.message);
  const resource = context.store.resources.get(operation.resourceId);
  return resource === undefined ? { status: 204 } : { status: 200, body: show(resource) };
}

/** Endpoints with the state of server operations. */
export function serverOperationEndpoints(
  context: ArmContext,
  show: (resource: ResourceDocument) => Record<string, unknown>,
): ArmEndpoint[] {
  return [
    {
      operation: 'FlexibleServers_OperationStatus',
      method: 'GET',
      path: `${PATH}/azureAsyncOperation/{operationId}`,
      type: `${NAMESPACE}/locations/azureAsyncOperation`,
      handle: (call) => status(context, call),
    },
    {
      operation: 'FlexibleServers_OperationResult',
      method: 'GET',
      path: `${PATH}/operationResults/{operationId}`,
      type: `${NAMESPACE}/locations/operationResults`,
      handle: (call) => result(context, call, show),
    },
  ];
}
