import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { removeTree } from '../removal';
import { groupId, parseResourceId } from '../resourceId';
import { softDelete } from './vaultDeletion';

/** A user-assigned identity goes with its federated credentials and its service principal. */
export function removeIdentity(context: ArmContext, identity: ResourceDocument): void {
  context.store.principals.delete(String(identity.properties['principalId']));
  removeTree(context.store, identity.id);
}

/** A cluster goes with its control plane, its own identity and the group of its nodes. */
export async function removeCluster(context: ArmContext, cluster: ResourceDocument): Promise<void> {
  await context.clusters.stop(cluster);
  const subscription = parseResourceId(cluster.id)?.subscriptionId ?? '';
  const nodes = context.store.resources.get(
    groupId(subscription, String(cluster.properties['nodeResourceGroup'])),
  );
  removeTree(context.store, cluster.id);
  const principal = (cluster.extra?.['identity'] as { principalId?: string } | undefined)?.principalId;
  if (principal !== undefined) context.store.principals.delete(principal);
  // Only what was made for this cluster: the group may have been there before.
  if (nodes?.extra?.['managedBy'] === cluster.id) await removeGroup(context, nodes);
}

/** A resource that is nothing but its document goes with what is in it, what is under way and who has a role on it. */
export function removePlain(context: ArmContext, resource: ResourceDocument): void {
  for (const operation of context.operations.runningWithin(resource.id)) {
    context.operations.cancel(operation.resourceId);
  }
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

/** Empties a group and removes it. Safe to run again after it was cut short. */
export async function removeGroup(context: ArmContext, group: ResourceDocument): Promise<void> {
  for (const resource of context.store.below(group.id)) {
    // A parent may have taken it along already.
    if (context.store.resources.has(resource.id)) await removeResource(context, resource);
  }
  removeTree(context.store, group.id);
}

/** Starts the deletion of a group, or joins the one under way. */
export function beginGroupDeletion(context: ArmContext, group: ResourceDocument): OperationDocument {
  const [running] = context.operations.running(group.id);
  if (running !== undefined) return running;
  context.store.resources.set(group.id, { ...group, properties: { provisioningState: 'Deleting' } });
  const operation = context.operations.start(group.id);
  finishGroupDeletion(context, group, operation.id);
  return operation;
}

/** Does the work of a group's deletion in the background and records how it ended. */
export function finishGroupDeletion(context: ArmContext, group: ResourceDocument, operationId: string): void {
  removeGroup(context, group).then(
    () => context.operations.succeed(operationId),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      context.logger.error(`Deleting resource group '${group.name}' failed: ${message}`);
      context.store.resources.set(group.id, { ...group, properties: { provisioningState: 'Failed' } });
      context.operations.fail(operationId, { code: 'ResourceGroupDeletionFailed', message });
    },
  );
}

/** After a restart: goes on with deletions that were cut short. */
export function resumeGroupDeletions(context: ArmContext): void {
  for (const group of context.store.ofType('Microsoft.Resources/resourceGroups')) {
    if (group.properties['provisioningState'] !== 'Deleting') continue;
    const operation = context.operations.running(group.id)[0] ?? context.operations.start(group.id);
    finishGroupDeletion(context, group, operation.id);
  }
}
