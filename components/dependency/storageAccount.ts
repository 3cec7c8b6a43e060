import type { BuiltInRole } from '../azure/roles';
import type { StorageAccountService, StorageData } from './service';
import type { DependencyContext, ServiceDescription } from './specification';
import { exportTo } from './specification';

interface DataTraits {
  /** The operator's name of the endpoint. */
  readonly endpoint: 'blobEndpoint' | 'queueEndpoint' | 'tableEndpoint';
  readonly role: BuiltInRole;
  /** Name of the data service in a connection string and in the status. */
  readonly word: 'Blob' | 'Queue' | 'Table';
}

const traits: Readonly<Record<StorageData, DataTraits>> = {
  blobs: { endpoint: 'blobEndpoint', role: 'storageBlobDataContributor', word: 'Blob' },
  queues: { endpoint: 'queueEndpoint', role: 'storageQueueDataContributor', word: 'Queue' },
  tables: { endpoint: 'tableEndpoint', role: 'storageTableDataContributor', word: 'Table' },
};

/**
 * Returns the expression (CEL) for the connection string. The operator evaluates it. It contains the endpoints, because the
 * operator does not know the suffixes of a cloud.
 */
function connectionStringExpression(key: string, data: readonly DataTraits[]): string {
  const addresses = data.map(
    ({ word }) => `+";${word}Endpoint="+self.status.primaryEndpoints.${word.toLowerCase()}`,
  );
  return `"DefaultEndpointsProtocol=https;AccountName="+self.spec.azureName+";AccountKey="+${key}${addresses.join('')}`;
}

export function storageAccount(
  service: StorageAccountService,
  { connection, key, objectName }: DependencyContext,
): ServiceDescription {
  const data = service.data.map((name) => traits[name]);
  const secret = connection === 'secret';
  const exported = key === 'secondary' ? 'secret.key2' : 'secret.key1';
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    spec: {
      kind: 'StorageV2',
      sku: { name: service.sku },
      // With keys disabled, a leaked key is useless.
      allowSharedKeyAccess: connection !== 'identity',
      allowBlobPublicAccess: false,
      minimumTlsVersion: 'TLS1_2',
      supportsHttpsTrafficOnly: true,
      operatorSpec: {
        configMaps: Object.fromEntries(
          data.map(({ endpoint }) => [endpoint, exportTo(objectName, endpoint)]),
        ),
      },
    },
    // The operator cannot export the name or a connection string (azure-service-operator #2555, #3446).
    keys: secret
      ? (secretName) => ({
          secretExpressions: [
            { ...exportTo(secretName, 'accountName'), value: 'self.spec.azureName' },
            { ...exportTo(secretName, 'key'), value: exported },
            {
              ...exportTo(secretName, 'connectionString'),
              value: connectionStringExpression(exported, data),
            },
          ],
        })
      : undefined,
    dataRoles: connection === 'identity' ? data.map(({ role }) => role) : [],
    configMapData: secret ? undefined : { accountName: service.name },
  };
}
