import * as z from 'zod';
import { TENANT_ID } from '../../../identity';
import type { Logger } from '../../../logger';
import { reason } from '../../../logger';
import { NODE_SCALE_SET, RuntimeClosed, type ClusterRuntime, type ClusterSpec } from '../../clusterRuntime';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import type { Operations } from '../operations';
import { groupId, parseResourceId } from '../resourceId';
import { SECRETS_PROVIDER } from './clusterSchema';

export const CLUSTER_TYPE = 'Microsoft.ContainerService/managedClusters';
export const SCALE_SET_TYPE = 'Microsoft.Compute/virtualMachineScaleSets';

/** State of a cluster while its certificates are rotated. */
export const ROTATING = 'RotatingClusterCertificates';

/** The GUID in a cluster's issuer. */
export const clusterGuid = (cluster: ResourceDocument): string => String(cluster.internal?.['guid']);

/** Issuer in AKS's format: region, tenant, a GUID of the cluster, trailing slash. */
export const issuerOf = (cluster: ResourceDocument): string =>
  `https://${cluster.location ?? ''}.oic.prod-aks.azure.com/${TENANT_ID}/${clusterGuid(cluster)}/`;

/** Id of the scale set of a cluster's nodes. */
export function scaleSetId({ id, properties }: ResourceDocument): string {
  const group = groupId(parseResourceId(id)?.subscriptionId ?? '', String(properties['nodeResourceGroup']));
  return `${group}/providers/${SCALE_SET_TYPE}/${NODE_SCALE_SET}`;
}

const enabled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === true;

export const hasIssuer = (cluster: ResourceDocument): boolean =>
  enabled(cluster.properties['oidcIssuerProfile']);

/**
 * The rotation interval of the Secrets Store add-on; undefined if rotation is off. The default interval is the driver's
 * (secrets-store-csi-driver `cmd/secrets-store-csi-driver/main.go`).
 */
function rotationOf(addon: unknown): string | undefined {
  const { config } = z
    .object({ config: z.record(z.string(), z.string()).nullish().catch(undefined) })
    .parse(addon ?? {});
  return config?.['enableSecretRotation'] === 'true' ? (config['rotationPollInterval'] ?? '2m') : undefined;
}

/** Tells whether the cluster was stopped and has not been started since. */
export const isStopped = ({ properties }: ResourceDocument): boolean =>
  (properties['powerState'] as { code?: string } | undefined)?.code === 'Stopped';

/** Returns the cluster with the power state, also in its agent pools. */
function withPower(
  { properties, ...cluster }: ResourceDocument,
  code: 'Running' | 'Stopped',
): ResourceDocument {
  const pools = (properties['agentPoolProfiles'] ?? []) as object[];
  const agentPoolProfiles = pools.map((pool) => ({ ...pool, powerState: { code } }));
  return { ...cluster, properties: { ...properties, powerState: { code }, agentPoolProfiles } };
}

function specOf(cluster: ResourceDocument): ClusterSpec {
  const security = cluster.properties['securityProfile'] as { workloadIdentity?: unknown } | undefined;
  const addons = cluster.properties['addonProfiles'] as Record<string, unknown> | undefined;
  const kubelet = (
    cluster.properties['identityProfile'] as { kubeletidentity?: { clientId?: string } } | undefined
  )?.kubeletidentity;
  return {
    id: clusterGuid(cluster),
    name: cluster.name,
    resourceId: cluster.id,
    issuer: issuerOf(cluster),
    kubernetesVersion: String(cluster.properties['kubernetesVersion']),
    workloadIdentity: enabled(security?.workloadIdentity),
    secretsStore: enabled(addons?.[SECRETS_PROVIDER]),
    secretsRotation: rotationOf(addons?.[SECRETS_PROVIDER]),
    tenantId: TENANT_ID,
    nodes: {
      scaleSetId: scaleSetId(cluster),
      kubeletClientId: String(kubelet?.clientId),
    },
  };
}

/** Starts, resumes and stops the control planes of the managed clusters in the background. */
export class Clusters {
  /** The last task of each cluster; tasks of one cluster run one after the other. */
  private readonly work = new Map<string, Promise<void>>();

  constructor(
    private readonly store: Store,
    private readonly operations: Operations,
    readonly runtime: ClusterRuntime,
    private readonly logger: Logger,
  ) {}

  private enqueue(id: string, task: () => Promise<void>): Promise<void> {
    const previous = this.work.get(id) ?? Promise.resolve();
    const next = previous.then(task, task);
    this.work.set(id, next);
    // After a failure, the next request starts the cluster again.
    next.catch(() => {
      if (this.work.get(id) === next) this.work.delete(id);
    });
    return next;
  }

  /**
   * Resolves when the control plane is ready. Starts it if it was not started or its start failed. A stopped cluster stays
   * stopped.
   */
  ready(cluster: ResourceDocument): Promise<void> {
    if (isStopped(cluster)) return Promise.resolve();
    const id = clusterGuid(cluster);
    return this.work.get(id) ?? this.enqueue(id, () => this.runtime.ensure(specOf(cluster)));
  }

  /**
   * Brings the control plane into the state that the cluster has after a write or an action. A write replaces an unfinished
   * operation, as in AKS (error code OperationPreempted).
   */
  begin(cluster: ResourceDocument): OperationDocument {
    this.operations.cancel(cluster.id);
    const operation = this.operations.start(cluster.id);
    this.follow(cluster, operation);
    return operation;
  }

  private follow(cluster: ResourceDocument, operation: OperationDocument | undefined): void {
    const settle = (state: 'Succeeded' | 'Failed'): void => {
      const current = this.store.resources.get(cluster.id);
      const replaced = operation !== undefined && this.operations.get(operation.id)?.status !== 'InProgress';
      if (current === undefined || replaced || current.properties['provisioningState'] === 'Deleting') return;
      const properties = { ...current.properties, provisioningState: state };
      const settled = { ...current, properties };
      const power = isStopping ? 'Stopped' : 'Running';
      this.store.resources.set(current.id, state === 'Failed' ? settled : withPower(settled, power));
    };
    const isStopping = cluster.properties['provisioningState'] === 'Stopping';
    const work = this.enqueue(clusterGuid(cluster), () => this.workOn(cluster));
    work.then(
      () => {
        settle('Succeeded');
        if (operation !== undefined) this.operations.succeed(operation.id);
      },
      (error: unknown) => {
        // The operation continues after the restart (`resume`).
        if (error instanceof RuntimeClosed) return;
        const message = `${isStopping ? 'Stopping' : 'Starting'} cluster '${cluster.name}' failed: ${reason(error)}`;
        this.logger.error(message);
        settle('Failed');
        if (operation !== undefined)
          this.operations.fail(operation.id, { code: 'ClusterStartFailed', message });
      },
    );
  }

  private async workOn(cluster: ResourceDocument): Promise<void> {
    const state = cluster.properties['provisioningState'];
    if (state === 'Stopping') return this.runtime.stop(clusterGuid(cluster));
    if (state === ROTATING) await this.runtime.rotateCertificates(clusterGuid(cluster));
    return this.runtime.ensure(specOf(cluster));
  }

  /** After a restart, starts every stored cluster that was not stopped. Unfinished operations end as usual. */
  resume(): void {
    for (const cluster of this.store.ofType(CLUSTER_TYPE)) {
      const state = cluster.properties['provisioningState'];
      if (state === 'Deleting') continue;
      if (state === 'Succeeded') {
        this.ready(cluster).catch((error: unknown) => {
          if (error instanceof RuntimeClosed) return;
          this.logger.error(`Resuming cluster '${cluster.name}' failed: ${reason(error)}`);
        });
      } else this.follow(cluster, this.operations.running(cluster.id)[0]);
    }
  }

  /** Removes the control plane, after its unfinished tasks. */
  async stop(cluster: ResourceDocument): Promise<void> {
    const id = clusterGuid(cluster);
    await this.enqueue(id, () => this.runtime.remove(id));
    this.work.delete(id);
  }
}
