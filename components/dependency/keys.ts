import type { ServiceSuffixes } from '../azure/clouds';
import { fieldsOf } from '../resource/fields';
import type { DependencyKey, DependencyKind } from './service';

/** Kinds of services that accept a key. */
export const KeyedKind = {
  /** A storage account. */
  StorageAccount: 'storageAccount',
  /** A Redis cache. */
  Redis: 'redis',
  /** A Service Bus namespace. */
  ServiceBus: 'serviceBus',
} as const;
export type KeyedKind = (typeof KeyedKind)[keyof typeof KeyedKind];

export function isKeyed<Service extends { readonly kind: DependencyKind }>(
  service: Service,
): service is Extract<Service, { readonly kind: KeyedKind }> {
  return Object.values<DependencyKind>(KeyedKind).includes(service.kind);
}

/** Name of the rule of a Service Bus namespace that holds the application's keys. It allows sending and listening. */
export const serviceBusRule = 'application';

/** How the keys of a kind of service are listed. */
interface KeyList {
  /** Path of the holder of the keys below the service: empty, or a rule of the service. */
  readonly within: string;
  /** API version of the resource manager. */
  readonly apiVersion: string;
  /** The action that a role needs. */
  readonly action: string;
  /** Returns the key from the resource manager's answer. */
  readonly keyIn: (answer: unknown, key: DependencyKey) => unknown;
  /** Returns the connection string in the form that Azure's portal shows. */
  readonly connectionString: (name: string, key: string, suffixes: ServiceSuffixes) => string;
}

const primaryOrSecondary = (answer: unknown, key: DependencyKey) => fieldsOf(answer)[`${key}Key`];

/** Versions, actions and answers: azure-rest-api-specs, `storage.json`, `redis.json` and `AuthorizationRules.json`. */
const keyLists: Readonly<Record<KeyedKind, KeyList>> = {
  storageAccount: {
    within: '',
    apiVersion: '2025-06-01',
    action: 'Microsoft.Storage/storageAccounts/listKeys/action',
    keyIn(answer, key) {
      const { keys } = fieldsOf(answer);
      const name = key === 'secondary' ? 'key2' : 'key1';
      const all = Array.isArray(keys) ? keys.map(fieldsOf) : [];
      return all.find(({ keyName }) => keyName === name)?.value;
    },
    connectionString: (name, key, { storage }) =>
      `DefaultEndpointsProtocol=https;AccountName=${name};AccountKey=${key};EndpointSuffix=${storage}`,
  },
  redis: {
    within: '',
    apiVersion: '2024-11-01',
    action: 'Microsoft.Cache/redis/listKeys/action',
    keyIn: primaryOrSecondary,
    connectionString: (name, key, { redis }) =>
      `${name}.${redis}:6380,password=${key},ssl=True,abortConnect=False`,
  },
  serviceBus: {
    within: `/authorizationRules/${serviceBusRule}`,
    apiVersion: '2024-01-01',
    action: 'Microsoft.ServiceBus/namespaces/authorizationRules/listKeys/action',
    keyIn: primaryOrSecondary,
    connectionString: (name, key, { serviceBus }) =>
      `Endpoint=sb://${name}.${serviceBus}/;SharedAccessKeyName=${serviceBusRule};SharedAccessKey=${key}`,
  },
};

/** Actions of the connection writer: on a service, list its keys; on a secret, see its tags and write it. */
export const connectionWriterActions: readonly string[] = [
  ...Object.values(keyLists).map(({ action }) => action),
  'Microsoft.KeyVault/vaults/secrets/read',
  'Microsoft.KeyVault/vaults/secrets/write',
];

/** Returns the id of the part of a service that has keys: the service itself, or a rule of it. */
export function keyHolder(kind: KeyedKind, serviceId: string): string {
  return `${serviceId}${keyLists[kind].within}`;
}

/** Returns the API version for listing the keys. */
export function keysApiVersion(kind: KeyedKind): string {
  return keyLists[kind].apiVersion;
}

/** Placeholder of the key in `connectionTemplate`. */
const placeholder = '{key}';

/** Returns the connection string of a service, without its key. */
export function connectionTemplate(kind: KeyedKind, name: string, suffixes: ServiceSuffixes): string {
  return keyLists[kind].connectionString(name, placeholder, suffixes);
}

/**
 * Returns the connection string with the key from the resource manager's answer.
 * @throws Error if the answer has no such key
 */
export function connectionString(
  kind: KeyedKind,
  template: string,
  answer: unknown,
  key: DependencyKey = 'primary',
): string {
  const value = keyLists[kind].keyIn(answer, key);
  if (typeof value !== 'string' || value === '') throw new Error(`Azure lists no ${key} key`);
  // A function, because a string could contain replacement patterns.
  return template.replace(placeholder, () => value);
}
