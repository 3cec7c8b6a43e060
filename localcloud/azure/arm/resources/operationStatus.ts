import type { OperationDocument } from '../../store/documents';
import type { CloudReply } from '../../server/exchange';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { RETRY_AFTER } from '../operations';

function required(context: ArmContext, call: ArmCall): OperationDocument {
  const id = call.params['operationId'] ?? '';
  const operation = context.operations.get(id);
  if (operation === undefined) {
    throw new ArmError(404, 'OperationNotFound', `The operation '${id}' was not found.`);
  }
  return operation;
}

/** The target of `Azure-AsyncOperation`: always 200, with the state in the body. */
function status(context: ArmContext, call: ArmCall): CloudReply {
  const operation = required(context, call);
  const { id, status: state, startTime, endTime, error } = operation;
  return {
    status: 200,
    headers: state === 'InProgress' ? { 'retry-after': RETRY_AFTER } : {},
    body: { id: `/${call.params['operationId'] ?? ''}`, name: id, status: state, startTime, endTime, error },
  };
}

/** The target of `Location`: 202 until the end, then 200 or the error. */
function result(context: ArmContext, call: ArmCall): CloudReply {
  const operation = required(context, call);
  if (operation.status === 'InProgress') {
    return {
      status: 202,
      headers: {
        location: `${call.origin}${call.scope}/operationresults/${operation.id}?api-version=${call.apiVersion}`,
        'retry-after': RETRY_AFTER,
      },
    };
  }
  if (operation.error !== undefined) throw new ArmError(409, operation.error.code, operation.error.message);
  return { status: 200 };
}

/** Endpoints with the state of long-running operations. */
export function operationEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    {
      operation: 'OperationResults_Get',
      method: 'GET',
      path: '{scope}/operationresults/{operationId}',
      type: 'Microsoft.Resources/operationresults',
      handle: (call) => result(context, call),
    },
    {
      operation: 'ManagedClusters_OperationStatus',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.ContainerService/locations/{location}/operations/{operationId}',
      type: 'Microsoft.ContainerService/locations/operations',
      handle: (call) => status(context, call),
    },
  ];
}
