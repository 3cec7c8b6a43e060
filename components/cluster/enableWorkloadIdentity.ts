import type { ContainerServiceClient, ManagedCluster } from '@azure/arm-containerservice';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../resource/errors';
import type { ClusterAddress } from './existingCluster';
import { enableCommand, disabledFeatures } from './existingCluster';
import { newestPreview, previewOnlyProperties } from './previewProperties';
import { firstFew } from '../resource/firstFew';

/** The operations of the vendor's client that this needs. */
export type ClusterClient = Pick<ContainerServiceClient['managedClusters'], 'get' | 'createOrUpdate'>;

/** Another operation on the cluster is in progress (409), or it was changed after it was read (412). */
const conflicts: readonly unknown[] = [409, 412];

/**
 * Pause before the second attempt: AKS refuses a second operation while another is in progress. Upgrades take longer than
 * this pause.
 */
const conflictPatienceMs = 30_000;

/**
 * Enables the OIDC issuer and workload identity of a cluster, and changes nothing else. It reads the cluster, sets exactly
 * these two properties, and writes the cluster only if it was not changed meanwhile (If-Match); otherwise, it tries once
 * more. It does not write a cluster with both enabled. It refuses a cluster without an eTag, because the write could undo
 * concurrent changes, and one with properties that only preview versions of the API have, because they may not survive the
 * write.
 *
 * AKS has no operation for a single property: PATCH changes only tags (azure-rest-api-specs managedClusters.json), and `az
 * aks update` writes the whole cluster as well. The stack does not record the change, so nothing ever disables the two
 * again, which AKS does not allow for the issuer.
 * @param previewOnly returns the paths of such properties
 * @returns whether anything had to be enabled
 */
export async function enableWorkloadIdentity(
  client: ClusterClient,
  target: ClusterAddress,
  previewOnly: () => Promise<readonly string[]>,
  pauseMs = conflictPatienceMs,
): Promise<boolean> {
  const { resourceGroupName, name } = target;
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await client.get(resourceGroupName, name);
    if (disabledFeatures(cluster).length === 0) return attempt > 1;
    const ifMatch = cluster.eTag;
    if (ifMatch === undefined || ifMatch === '') {
      throw new UserError(
        `The cluster ${name} of ${resourceGroupName} was read without an eTag, so a concurrent change could not be detected. Nothing was written. Enable both: \`${enableCommand(target)}\`.`,
      );
    }
    const lost = await previewOnly();
    if (lost.length > 0) {
      throw new UserError(
        `The cluster ${name} of ${resourceGroupName} has properties that exist only in preview versions of Azure's API and may not survive the write: ${firstFew(lost)}. Nothing was written. Enable both with the Azure CLI and its extension aks-preview, which supports them: \`az extension add --name aks-preview\`, then \`${enableCommand(target)}\`.`,
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
 * Enables with the vendor's client, which is loaded only when needed.
 * @param token token for the resource manager
 * @param endpoint address of the resource manager
 * @returns whether anything had to be enabled
 */
export async function enableWithToken(
  target: ClusterAddress,
  token: string,
  endpoint: string,
): Promise<boolean> {
  const { ContainerServiceClient } = await import('@azure/arm-containerservice');
  const credential = {
    // The token is valid for an hour or more, and the client waits for minutes.
    getToken: () => Promise.resolve({ token, expiresOnTimestamp: Date.now() + 60 * 60_000 }),
  };
  const clientIn = (version: { apiVersion?: string }) =>
    new ContainerServiceClient(credential, target.subscriptionId, { endpoint, ...version }).managedClusters;
  const [client, inPreview] = [clientIn({}), clientIn({ apiVersion: newestPreview })];
  return enableWorkloadIdentity(client, target, () => previewOnlyProperties([client, inPreview], target));
}
