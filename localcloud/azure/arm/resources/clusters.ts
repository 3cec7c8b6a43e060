import { randomUUID } from 'node:crypto';
import type { CloudReply } from '../../server/exchange';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { checkPreconditions } from '../etag';
import { CLUSTER_TYPE as TYPE, clusterGuid, isStopped, ROTATING } from './clusterLifecycle';
import { withNodeGroup } from './clusterNodes';
import { following, refuseWhileDeleting } from './clusterOperations';
import { clusterBody, clusterTagsBody } from './clusterSchema';
import { clusterFrom, managedClusters } from './clusterWrite';
import { removeCluster } from './deletion';
import { reason } from '../../../logger';

/** Returns the cluster with new eTags, also of its agent pools: every write changes them (azure-aks-docs `use-etags.md`). */
function withNewTags(cluster: ResourceDocument): ResourceDocument {
  const pools = (cluster.properties['agentPoolProfiles'] ?? []) as object[];
  return {
    ...cluster,
    extra: { ...cluster.extra, eTag: randomUUID() },
    properties: {
      ...cluster.properties,
      agentPoolProfiles: pools.map((pool) => ({ ...pool, eTag: randomUUID() })),
    },
  };
}

/** Starts the deletion of a cluster in the background; joins a running one. */
function beginRemoval(context: ArmContext, cluster: ResourceDocument): OperationDocument {
  const running = context.operations.running(cluster.id)[0];
  if (cluster.properties['provisioningState'] === 'Deleting' && running !== undefined) return running;
  context.operations.cancel(cluster.id);
  const operation = context.operations.start(cluster.id);
  const leaving = { ...cluster, properties: { ...cluster.properties, provisioningState: 'Deleting' } };
  context.store.resources.set(cluster.id, leaving);
  finishRemoval(context, leaving, operation.id);
  return operation;
}

function finishRemoval(context: ArmContext, cluster: ResourceDocument, operationId: string): void {
  removeCluster(context, cluster).then(
    () => context.operations.succeed(operationId),
    (error: unknown) => {
      const message = reason(error);
      context.logger.error(`Deleting cluster '${cluster.name}' failed: ${message}`);
      context.operations.fail(operationId, { code: 'ClusterDeletionFailed', message });
    },
  );
}

/** Continues interrupted deletions after a restart. */
export function resumeRemovals(context: ArmContext): void {
  for (const cluster of context.store.ofType(TYPE)) {
    if (cluster.properties['provisioningState'] !== 'Deleting') continue;
    const operation = context.operations.running(cluster.id)[0] ?? context.operations.start(cluster.id);
    finishRemoval(context, cluster, operation.id);
  }
}

/** Managed clusters. A write starts a real control plane; a deletion stops it. */
export function clusterEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  /** Stores a changed cluster, and starts to bring its control plane into the changed state. */
  const change = (call: ArmCall, changed: ResourceDocument) => {
    const cluster = withNewTags(changed);
    store.resources.set(cluster.id, cluster);
    return { cluster, headers: following(call, cluster.location, context.clusters.begin(cluster)) };
  };

  const begin = (
    _context: ArmContext,
    call: ArmCall,
    changed: ResourceDocument,
    existing: ResourceDocument | undefined,
  ): CloudReply => {
    const { cluster, headers } = change(call, changed);
    return { status: existing === undefined ? 201 : 200, headers, body: present(cluster) };
  };

  const precondition = (call: ArmCall, cluster: ResourceDocument | undefined): void => {
    const name = `the managed cluster '${managedClusters.nameIn(call)}'`;
    checkPreconditions(
      call.headers,
      name,
      cluster === undefined ? undefined : String(cluster.extra?.['eTag']),
    );
  };

  /** A stopped cluster can only be started or deleted (azure-aks-docs `start-stop-cluster.md`). */
  const refuseUnlessPower = (cluster: ResourceDocument | undefined, power: string, doing: string): void => {
    if (cluster === undefined || isStopped(cluster) === (power === 'Stopped')) return;
    // Source of the text: MicrosoftDocs/azure-docs #85161; the code is assumed.
    throw new ArmError(
      409,
      'OperationNotAllowed',
      `managed cluster is in Provisioning State(${String(cluster.properties['provisioningState'])}) and Power State(${isStopped(cluster) ? 'Stopped' : 'Running'}), ${doing} cannot be performed`,
    );
  };

  /** Starts an action that changes the control plane. */
  const action = (
    call: ArmCall,
    { power, doing, state }: { power: string; doing: string; state: string },
  ): CloudReply => {
    const cluster = managedClusters.required(context, call);
    refuseWhileDeleting(cluster);
    if (context.operations.running(cluster.id).length > 0) {
      // Source of the text: Azure/azure-workload-identity #417.
      throw new ArmError(
        409,
        'OperationNotAllowed',
        `Operation is not allowed: Another operation (${String(cluster.properties['provisioningState'])}) is in progress, please wait for it to finish before starting a new operation. See https://aka.ms/aks-pending-operation for more details`,
      );
    }
    refuseUnlessPower(cluster, power, doing);
    const changed = { ...cluster, properties: { ...cluster.properties, provisioningState: state } };
    return { status: 202, headers: change(call, changed).headers };
  };

  const credentials = async (call: ArmCall, role: 'admin' | 'user'): Promise<CloudReply> => {
    const cluster = managedClusters.required(context, call);
    refuseWhileDeleting(cluster);
    if (role === 'admin' && cluster.properties['disableLocalAccounts'] === true) {
      throw new ArmError(
        400,
        'BadRequest',
        'Getting static credential is not allowed because this cluster is set to disable local accounts.',
      );
    }
    await context.clusters.ready(cluster);
    const named = { id: clusterGuid(cluster), name: cluster.name };
    const kubeconfig = await context.clusters.runtime.kubeconfig(named, role);
    return {
      status: 200,
      body: {
        kubeconfigs: [
          {
            name: role === 'admin' ? 'clusterAdmin' : 'clusterUser',
            value: Buffer.from(kubeconfig).toString('base64'),
          },
        ],
      },
    };
  };

  return [
    managedClusters.put(context, {
      operation: 'ManagedClusters_CreateOrUpdate',
      body: clusterBody,
      resource: (_context, call, body, target) => {
        precondition(call, target.existing);
        refuseWhileDeleting(target.existing);
        refuseUnlessPower(target.existing, 'Running', 'updating');
        return withNodeGroup(context, clusterFrom(context, call, target, body));
      },
      begin,
    }),
    managedClusters.patch(context, {
      operation: 'ManagedClusters_UpdateTags',
      body: clusterTagsBody,
      change: (_context, call, _asked, existing) => {
        precondition(call, existing);
        refuseWhileDeleting(existing);
        refuseUnlessPower(existing, 'Running', 'updating');
        return { properties: { ...existing.properties, provisioningState: 'Updating' } };
      },
      begin,
    }),
    ...managedClusters.reads(context, {
      get: 'ManagedClusters_Get',
      listInGroup: 'ManagedClusters_ListByResourceGroup',
      listInSubscription: 'ManagedClusters_List',
    }),
    managedClusters.endpoint(
      'DELETE',
      'ManagedClusters_Delete',
      (call) => {
        const cluster = managedClusters.find(context, call);
        precondition(call, cluster);
        if (cluster === undefined) return { status: 204 };
        return { status: 202, headers: following(call, cluster.location, beginRemoval(context, cluster)) };
      },
      ['ignore-pod-disruption-budget'],
    ),
    managedClusters.actionEndpoint('stop', 'ManagedClusters_Stop', (call) =>
      action(call, { power: 'Running', doing: 'stopping', state: 'Stopping' }),
    ),
    managedClusters.actionEndpoint('start', 'ManagedClusters_Start', (call) =>
      action(call, { power: 'Stopped', doing: 'starting', state: 'Starting' }),
    ),
    managedClusters.actionEndpoint(
      'rotateClusterCertificates',
      'ManagedClusters_RotateClusterCertificates',
      (call) => action(call, { power: 'Running', doing: 'rotating certificates', state: ROTATING }),
    ),
    managedClusters.actionEndpoint(
      'listClusterAdminCredential',
      'ManagedClusters_ListClusterAdminCredentials',
      (call) => credentials(call, 'admin'),
      ['server-fqdn'],
    ),
    managedClusters.actionEndpoint(
      'listClusterUserCredential',
      'ManagedClusters_ListClusterUserCredentials',
      (call) => credentials(call, 'user'),
      ['server-fqdn', 'format'],
    ),
  ];
}
