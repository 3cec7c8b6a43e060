import type { ContainerServiceClient } from '@azure/arm-containerservice';
import { fieldsOf, isRecord } from '../resource/fields';
import type { ClusterAddress } from './existingCluster';

/** The newest preview version of the API (azure-rest-api-specs `…/Microsoft.ContainerService/aks`). */
export const newestPreview = '2026-05-02-preview';

type Client = Pick<ContainerServiceClient['managedClusters'], 'get'>;

/**
 * Paths of the properties that a cluster has in the newest preview version only. The vendor's client knows none of them, so that
 * a write by it leaves them out, and AKS may then reset them.
 * @param clients the vendor's client in its own version, and in `newestPreview`
 */
export async function previewOnlyProperties(
  clients: readonly [Client, Client],
  { resourceGroupName, name }: ClusterAddress,
): Promise<string[]> {
  const [stable, preview] = await Promise.all(
    clients.map(async (client) => {
      let body: unknown;
      // The client's own answer has only what it knows.
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
    return more.flatMap((one, index) =>
      onlyIn(one, Array.isArray(less) ? less[index] : undefined, `${path}[${index}]`),
    );
  if (isRecord(more))
    return Object.entries(more).flatMap(([key, value]) =>
      onlyIn(value, fieldsOf(less)[key], `${path}.${key}`),
    );
  return less === undefined && !defaults.includes(more) ? [path] : [];
}

/** Values that AKS answers where nobody has set one. */
const defaults: readonly unknown[] = [null, false, '', 'None', 'Disabled', 'Default', 'Auto'];
