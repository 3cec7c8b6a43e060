import type { ContainerServiceClient, ManagedCluster } from '@azure/arm-containerservice';
import { setTimeout as delay } from 'node:timers/promises';
import { tryParseResourceId } from '../azure/resourceId';
import { VisibleError } from '../resource/errors';
import { enableCommand, whatIsOff } from './existingCluster';

/** What of the vendor's client is used. */
export type ClusterClient = Pick<ContainerServiceClient['managedClusters'], 'get' | 'createOrUpdate'>;

/** The cluster that is switched on. */
export interface EnableTarget {
  readonly resourceGroupName: string;
  readonly resourceName: string;
}

/** Another operation on the cluster goes on (409), or somebody changed it since it was read (412). */
const conflicts: readonly unknown[] = [409, 412];

/** AKS refuses a second operation while one goes on; upgrades take longer, and are not waited for. */
const patienceMs = 30_000;

/**
 * Switches the OIDC issuer and workload identity of a cluster on, and nothing else: it is read, exactly these two are
 * set, and it is written back only if nobody changed it meanwhile (If-Match); once more if somebody did. A cluster on
 * which both are on is left alone; one without an eTag is refused, since its write could undo what others do meanwhile.
 *
 * AKS has no operation for one property: PATCH changes tags only (azure-rest-api-specs managedClusters.json), so that
 * `az aks update` writes the whole back as well. What this makes is no resource of a stack: nothing ever switches the
 * two off again, which AKS does not allow for the issuer.
 * @returns whether anything had to be switched on
 */
export async function enableWorkloadIdentity(
  client: ClusterClient,
  { resourceGroupName, resourceName }: EnableTarget,
  pauseMs = patienceMs,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await client.get(resourceGroupName, resourceName);
    if (whatIsOff(cluster).length === 0) return attempt > 1;
    const ifMatch = eTagOf(cluster, { resourceGroupName, resourceName });
    try {
      await client.createOrUpdate(resourceGroupName, resourceName, enabled(cluster), { ifMatch });
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (attempt > 1 || !conflicts.includes(status)) throw error;
      if (status === 409) await delay(pauseMs);
    }
  }
}

function eTagOf({ eTag, id }: ManagedCluster, { resourceGroupName, resourceName }: EnableTarget): string {
  if (eTag !== undefined && eTag !== '') return eTag;
  const subscriptionId = tryParseResourceId(id ?? '')?.subscriptionId;
  const command = enableCommand({ name: resourceName, resourceGroupName, subscriptionId });
  throw new VisibleError(
    `The cluster ${resourceName} of ${resourceGroupName} was read without an eTag, so it cannot be written on the condition that nobody changes it meanwhile. Nothing was written. Switch it on: \`${command}\`.`,
  );
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

/** How the vendor's client reaches Azure: with a token that somebody else got. */
export interface ClusterAccess {
  readonly subscriptionId: string;
  /** Token for the resource manager. */
  readonly token: string;
  /** Address of the resource manager. */
  readonly endpoint: string;
}

/** The vendor's client; loaded only where it is needed. */
export async function clusterClient({
  subscriptionId,
  token,
  endpoint,
}: ClusterAccess): Promise<ClusterClient> {
  const { ContainerServiceClient } = await import('@azure/arm-containerservice');
  const credential = {
    // The provider renews it; it lives for an hour or more, and the client waits for minutes.
    getToken: () => Promise.resolve({ token, expiresOnTimestamp: Date.now() + 60 * 60_000 }),
  };
  return new ContainerServiceClient(credential, subscriptionId, { endpoint }).managedClusters;
}
