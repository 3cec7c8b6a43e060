import type { ContainerServiceClient, ManagedCluster } from '@azure/arm-containerservice';
import { setTimeout as delay } from 'node:timers/promises';
import { VisibleError } from '../resource/errors';
import type { ClusterAddress } from './existingCluster';
import { enableCommand, whatIsOff } from './existingCluster';

/** The operations of the vendor's client that are used. */
export type ClusterClient = Pick<ContainerServiceClient['managedClusters'], 'get' | 'createOrUpdate'>;

/** Another operation on the cluster goes on (409), or somebody changed it since it was read (412). */
const conflicts: readonly unknown[] = [409, 412];

/** AKS refuses a second operation while another goes on. Upgrades take longer than this, and are not waited for. */
const conflictPatienceMs = 30_000;

/**
 * Switches the OIDC issuer and workload identity of a cluster on, and nothing else. The cluster is read, exactly these two
 * are set, and it is written back only if nobody changed it meanwhile (If-Match); if somebody did, once more. A cluster on
 * which both are on is left alone. A cluster without an eTag is refused: the write could undo what others do meanwhile.
 *
 * AKS has no operation for one property: PATCH changes tags only (azure-rest-api-specs managedClusters.json), and
 * `az aks update` writes the whole cluster as well. Nothing of this is in the stack, so nothing ever switches the two off
 * again, which AKS does not allow for the issuer.
 * @returns whether anything had to be switched on
 */
export async function enableWorkloadIdentity(
  client: ClusterClient,
  target: ClusterAddress,
  pauseMs = conflictPatienceMs,
): Promise<boolean> {
  const { resourceGroupName, name } = target;
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await client.get(resourceGroupName, name);
    if (whatIsOff(cluster).length === 0) return attempt > 1;
    const ifMatch = cluster.eTag;
    if (ifMatch === undefined || ifMatch === '') {
      throw new VisibleError(
        `The cluster ${name} of ${resourceGroupName} was read without an eTag, so it cannot be written on the condition that nobody changes it meanwhile. Nothing was written. Switch it on: \`${enableCommand(target)}\`.`,
      );
    }
    try {
      await client.createOrUpdate(resourceGroupName, name, enabled(cluster), { ifMatch });
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (attempt > 1 || !conflicts.includes(status)) throw error;
      if (status === 409) await delay(pauseMs);
    }
  }
}

function enabled(cluster: ManagedCluster): ManagedCluster {
  return {
    ...cluster,
    oidcIssuerProfile: { ...cluster.oidcIssuerProfile, enabled: true },
    securityProfile: {
      ...cluster.securityProfile,
      workloadIdentity: { ...cluster.securityProfile?.workloadIdentity, enabled: true },
    },
  };
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
}

/**
 * The vendor's client, loaded only where it is needed.
 * @param token for the resource manager
 * @param endpoint address of the resource manager
 */
export async function clusterClient(
  subscriptionId: string,
  token: string,
  endpoint: string,
): Promise<ClusterClient> {
  const { ContainerServiceClient } = await import('@azure/arm-containerservice');
  const credential = {
    // The token lives for an hour or more, and the client waits for minutes.
    getToken: () => Promise.resolve({ token, expiresOnTimestamp: Date.now() + 60 * 60_000 }),
  };
  return new ContainerServiceClient(credential, subscriptionId, { endpoint }).managedClusters;
}
