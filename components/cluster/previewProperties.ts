import type { ContainerServiceClient } from '@azure/arm-containerservice';
import { fieldsOf, isRecord } from '../resource/fields';
import type { ClusterAddress } from './existingCluster';

/** The newest preview version of the API (azure-rest-api-specs `…/Microsoft.ContainerService/aks`). */
export const newestPreview = '2026-05-02-preview';

type Client = Pick<ContainerServiceClient['managedClusters'], 'get'>;

/**
 * Returns the paths of properties that a cluster has only in the newest preview version. The vendor's client does not know
 * them, so its writes omit them, and AKS may then reset them.
 * @param clients the vendor's client in its own version, and in `newestPreview`
 */
export async function previewOnlyProperties(
  clients: readonly [Client, Client],
  { resourceGroupName, name }: ClusterAddress,
): Promise<string[]> {
  const [stable, preview] = await Promise.all(
    clients.map(async (client) => {
      let body: unknown;
      // The client's parsed answer contains only the properties that it knows.
      const onResponse = ({ bodyAsText }: { bodyAsText?: string | null }) => {
        body = JSON.parse(bodyAsText ?? 'null');
      };
      await client.get(resourceGroupName, name, { onResponse });
      return fieldsOf(body).properties;
    }),
  );
  return onlyIn(preview, stable, 'properties');
}

function onlyIn(more: unknown, less: unknown, path: string): string[] {
  if (Array.isArray(more))
    return more.flatMap((item, index) =>
      onlyIn(item, Array.isArray(less) ? less[index] : undefined, `${path}[${index}]`),
    );
  if (isRecord(more))
    return Object.entries(more).flatMap(([key, value]) =>
      onlyIn(value, fieldsOf(less)[key], `${path}.${key}`),
    );
  return less === undefined && isSet(more, path.replaceAll(/\[\d+\]/g, '')) ? [path] : [];
}

/** Tells whether a value was set explicitly: AKS also returns many defaults. */
function isSet(value: unknown, path: string): boolean {
  if (value === null || value === '' || readOnly.includes(path)) return false;
  return value !== (defaults[path] ?? false);
}

/**
 * Default values of properties in `newestPreview`, from its descriptions. One value can be the default of a property and a
 * restriction of another, such as `None`. The default of every other property is false.
 */
const defaults: Readonly<Record<string, unknown>> = {
  'properties.agentPoolProfiles.gpuProfile.nvidia.migStrategy': 'None',
  'properties.agentPoolProfiles.kubeletConfig.seccompDefault': 'Unconfined',
  'properties.agentPoolProfiles.upgradeStrategy': 'Rolling',
  'properties.azureMonitorProfile.containerInsights.containerNetworkLogs': 'Disabled',
  'properties.networkProfile.kubeProxyConfig.enabled': true,
  'properties.networkProfile.podLinkLocalAccess': 'IMDS',
  'properties.securityProfile.kubernetesResourceObjectEncryptionProfile.infrastructureEncryption': 'Disabled',
  'properties.workloadAutoScalerProfile.verticalPodAutoscaler.addonAutoscaling': 'Disabled',
};

/** Read-only properties: a write neither contains nor loses them. */
const readOnly: readonly string[] = [
  'properties.httpProxyConfig.effectiveNoProxy',
  'properties.ingressProfile.webAppRouting.defaultDomain.domainName',
];
