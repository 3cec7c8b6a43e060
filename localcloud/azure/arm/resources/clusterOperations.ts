import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { ArmCall } from '../endpoint';
import { ArmError } from '../errors';
import { RETRY_AFTER } from '../operations';

/** Headers with which the client polls an operation on a cluster or on a child of one. */
export function following(
  call: ArmCall,
  location: string | undefined,
  operation: OperationDocument,
): Record<string, string> {
  const path = `/subscriptions/${call.params['subscriptionId'] ?? ''}/providers/Microsoft.ContainerService/locations/${location ?? ''}`;
  const link = (kind: string): string =>
    `${call.origin}${path}/${kind}/${operation.id}?api-version=${call.apiVersion}`;
  return {
    'azure-asyncoperation': link('operations'),
    location: link('operationresults'),
    'retry-after': RETRY_AFTER,
  };
}

/** Refuses a change of a cluster that is being deleted. */
export function refuseWhileDeleting(cluster: ResourceDocument | undefined): void {
  if (cluster?.properties['provisioningState'] !== 'Deleting') return;
  throw new ArmError(
    409,
    'OperationNotAllowed',
    `Operation is not allowed because there's an in progress delete managed cluster operation on the managed cluster '${cluster.name}'. Please wait for it to finish before starting a new operation.`,
  );
}
