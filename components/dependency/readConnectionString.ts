import { listRedisKeys } from '@pulumi/azure-native/redis';
import { listNamespaceKeys } from '@pulumi/azure-native/servicebus';
import { listStorageAccountKeys } from '@pulumi/azure-native/storage';
import * as pulumi from '@pulumi/pulumi';
import type { ServiceSuffixes } from '../azure/clouds';
import { connectionString, connectionTemplate, serviceBusRule, type KeyedKind } from './keys';
import type { DependencyKey } from './service';

/** A service that has keys. */
export interface KeyedService {
  readonly kind: KeyedKind;
  readonly resourceGroupName: string;
  /** Name in Azure. */
  readonly name: string;
  readonly key: DependencyKey | undefined;
  readonly suffixes: ServiceSuffixes;
}

/**
 * Reads the key of an existing service from Azure: the key must never be in the cluster. In a preview, the connection string
 * is unknown if the service is missing although its custom resource exists, or if the previewing account may not list keys.
 * An update reports every error.
 */
export async function readConnectionString(
  { kind, resourceGroupName, name, key, suffixes }: KeyedService,
  opts: pulumi.InvokeOptions,
): Promise<string> {
  try {
    const answer = await listKeys(kind, resourceGroupName, name, opts);
    return connectionString(kind, connectionTemplate(kind, name, suffixes), answer, key);
  } catch (error) {
    if (pulumi.runtime.isDryRun()) return pulumi.unknown as string;
    throw error;
  }
}

function listKeys(
  kind: KeyedKind,
  resourceGroupName: string,
  name: string,
  opts: pulumi.InvokeOptions,
): Promise<object> {
  switch (kind) {
    case 'storageAccount':
      return listStorageAccountKeys({ resourceGroupName, accountName: name }, opts);
    case 'redis':
      return listRedisKeys({ resourceGroupName, name }, opts);
    case 'serviceBus': {
      const rule = { namespaceName: name, authorizationRuleName: serviceBusRule };
      return listNamespaceKeys({ resourceGroupName, ...rule }, opts);
    }
  }
}
