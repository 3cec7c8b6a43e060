import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { removeTree } from '../removal';
import { groupId, parseResourceId } from '../resourceId';
import { softDelete } from './vaultDeletion';
import { reason } from '../../../logger';

/** Deletes a user-assigned identity with its federated credentials and its service principal. */
export function removeIdentity(context: ArmContext, identity: ResourceDocument): void {
  context.store.principals.delete(String(identity.properties['principalId']));
  removeTree(context.store, identity.id);
}

/** Deletes a cluster with its control plane, its system-assigned identity and its node resource group. */
export async function removeCluster(context: ArmContext, cluster: ResourceDocument): Promise<void> {
  await context.clusters.stop(cluster);
  const subscription = parseResourceId(cluster.id)?.subscriptionId ?? '';
  const nodes = context.store.resources.get(
    groupId(subscription, String(cluster.properties['nodeResourceGroup'])),
  );
  // Otherwise an unfinished operation would store its binding again.
  context.operations.cancelWithin(`${cluster.id}/identityBindings`);
  removeTree(context.store, cluster.id);
  const principal = (cluster.extra?.['identity'] as { principalId?: string } | undefined)?.principalId;
  if (principal !== undefined) context.store.principals.delete(principal);
  // Only a group that was created for this cluster is deleted: it may have existed before.
  if (nodes?.extra?.['managedBy'] === cluster.id) await removeGroup(context, nodes);
}

/** Deletes a resource that needs no further work, with its descendants, operations and role assignments. */
export function removePlain(context: ArmContext, resource: ResourceDocument): void {
  context.operations.cancelWithin(resource.id);
  removeTree(context.store, resource.id);
}

async function removeResource(context: ArmContext, resource: ResourceDocument): Promise<void> {
  switch (resource.type) {
    case 'Microsoft.KeyVault/vaults':
      softDelete(context, resource);
      break;
    case 'Microsoft.ContainerService/managedClusters':
      await removeCluster(context, resource);
      break;
    case 'Microsoft.ManagedIdentity/userAssignedIdentities':
      removeIdentity(context, resource);
      break;
    default:
      removePlain(context, resource);
  }
}

/** Deletes a group with its contents. Can be repeated after an interruption. */
async function removeGroup(context: ArmContext, group: ResourceDocument): Promise<void> {
  for (const resource of context.store.below(group.id)) {
    // The deletion of a parent may have deleted this resource.
    if (context.store.resources.has(resource.id)) await removeResource(context, resource);
  }
  removeTree(context.store, group.id);
}

/** Starts the deletion of a group, or joins the running one. */
export function beginGroupDeletion(context: ArmContext, group: ResourceDocument): OperationDocument {
  const [running] = context.operations.running(group.id);
  if (running !== undefined) return running;
  context.store.resources.set(group.id, { ...group, properties: { provisioningState: 'Deleting' } });
  const operation = context.operations.start(group.id);
  finishGroupDeletion(context, group, operation.id);
  return operation;
}

/** Deletes a group in the background and stores the result of the operation. */
function finishGroupDeletion(context: ArmContext, group: ResourceDocument, operationId: string): void {
  removeGroup(context, group).then(
    () => context.operations.succeed(operationId),
    (error: unknown) => {
      const message = reason(error);
      context.logger.error(`Deleting resource group '${group.name}' failed: ${message}`);
      context.store.resources.set(group.id, { ...group, properties: { provisioningState: 'Failed' } });
      context.operations.fail(operationId, { code: 'ResourceGroupDeletionFailed', message });
    },
  );
}

/** Continues interrupted deletions after a restart. */
export function resumeGroupDeletions(context: ArmContext): void {
  for (const group of context.store.ofType('Microsoft.Resources/resourceGroups')) {
    if (group.properties['provisioningState'] !== 'Deleting') continue;
    const operation = context.operations.running(group.id)[0] ?? context.operations.start(group.id);
    finishGroupDeletion(context, group, operation.id);
  }
}
