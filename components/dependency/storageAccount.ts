import type { BuiltInRole } from '../azure/roles';
import type { StorageAccountService, StorageData } from './service';
import { isStorageData } from './service';
import type { CustomResourceBody, DependencyContext, Specification } from './specification';
import { exportTo, keysOf, keysPlace, ownedByGroup } from './specification';

interface DataTraits {
  /** The operator's name of the endpoint. */
  readonly endpoint: 'blobEndpoint' | 'queueEndpoint' | 'tableEndpoint';
  readonly role: BuiltInRole;
  /** In a connection string, and in the status. */
  readonly word: 'Blob' | 'Queue' | 'Table';
}

const traits: Readonly<Record<StorageData, DataTraits>> = {
  blobs: { endpoint: 'blobEndpoint', role: 'storageBlobDataContributor', word: 'Blob' },
  queues: { endpoint: 'queueEndpoint', role: 'storageQueueDataContributor', word: 'Queue' },
  tables: { endpoint: 'tableEndpoint', role: 'storageTableDataContributor', word: 'Table' },
};

/** What a vault's secret holds, as `az storage account show-connection-string` prints it. */
export function storageConnectionString(account: string, key: string, endpointSuffix: string): string {
  return `DefaultEndpointsProtocol=https;AccountName=${account};AccountKey=${key};EndpointSuffix=${endpointSuffix}`;
}

/** The same as the operator computes it (CEL), with the endpoints themselves: the operator knows no suffix of a cloud. */
function connectionStringExpression(data: readonly StorageData[]): string {
  const addresses = data.map((one) => {
    const { word } = traits[one];
    return `+";${word}Endpoint="+self.status.primaryEndpoints.${word.toLowerCase()}`;
  });
  return `"DefaultEndpointsProtocol=https;AccountName="+self.spec.azureName+";AccountKey="+secret.key1${addresses.join('')}`;
}

export function storageAccount(service: StorageAccountService, context: DependencyContext): Specification {
  const { name, sku } = service;
  const data = service.data.filter(isStorageData);
  const { connection, location, tags } = context;
  const secret = connection === 'secret';
  const account: CustomResourceBody = {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    spec: {
      azureName: name,
      owner: ownedByGroup(context),
      location,
      kind: 'StorageV2',
      sku: { name: sku },
      tags,
      // Without keys, whoever reads them somewhere can do nothing with them.
      allowSharedKeyAccess: connection !== 'identity',
      allowBlobPublicAccess: false,
      minimumTlsVersion: 'TLS1_2',
      supportsHttpsTrafficOnly: true,
      operatorSpec: {
        configMaps: Object.fromEntries(
          data.map((one) => [traits[one].endpoint, exportTo(context, traits[one].endpoint)]),
        ),
      },
    },
  };
  return {
    azureName: name,
    resources: [account],
    ...(secret && { keys: keysOf(account, name, keysExport(data, name, context)) }),
    dataRoles: connection === 'identity' ? data.map((one) => traits[one].role) : [],
    configMapData: secret ? {} : { accountName: name },
  };
}

/** The operator has no export of the name or of a connection string (azure-service-operator #2555, #3446). */
function keysExport(data: readonly StorageData[], account: string, context: DependencyContext) {
  const keys = keysPlace(context, account);
  return {
    secretExpressions: [
      { ...exportTo(keys, 'accountName'), value: 'self.spec.azureName' },
      { ...exportTo(keys, 'key'), value: 'secret.key1' },
      { ...exportTo(keys, 'connectionString'), value: connectionStringExpression(data) },
    ],
  };
}
