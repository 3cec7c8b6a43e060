import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';

// Services that an application can depend on. This file must not load a provider: the configuration's checks import it too.

/** How an application connects to a service. */
export const DependencyConnection = {
  /** With a token for the application's own identity, without a secret. */
  Identity: 'identity',
  /** With keys from a Kubernetes secret that the operator writes. */
  Secret: 'secret',
  /** With a secret from the application's vault; no key is in the cluster. */
  Vault: 'vault',
} as const;
export type DependencyConnection = (typeof DependencyConnection)[keyof typeof DependencyConnection];

/** One of the two keys that a service accepts. */
export const DependencyKey = {
  /** `key1` of a storage account. */
  Primary: 'primary',
  /** `key2` of a storage account. */
  Secondary: 'secondary',
} as const;
export type DependencyKey = (typeof DependencyKey)[keyof typeof DependencyKey];

/** A data service of a storage account. */
export const StorageData = {
  /** Blobs in containers. */
  Blobs: 'blobs',
  /** Queues of messages. */
  Queues: 'queues',
  /** Tables of entities. */
  Tables: 'tables',
} as const;
export type StorageData = (typeof StorageData)[keyof typeof StorageData];
export const storageData = Object.values(StorageData);

/** Size of a service. */
export const ServiceTier = {
  /** Without an uptime agreement. */
  Basic: 'Basic',
  /** With an uptime agreement. */
  Standard: 'Standard',
  /** With an uptime agreement, on dedicated machines. */
  Premium: 'Premium',
} as const;
export type ServiceTier = (typeof ServiceTier)[keyof typeof ServiceTier];

/** A storage account, general purpose v2. */
export interface StorageAccountService {
  /** Name in Azure. */
  readonly name: string;
  /** SKU, as named in Azure. */
  readonly sku: string;
  /** The data services that the application uses. */
  readonly data: StorageData[];
}

/** A PostgreSQL flexible server with one database. */
export interface PostgresqlService {
  /** Name in Azure. */
  readonly name: string;
  /** Major version. */
  readonly version: string;
  /** SKU, as named in Azure. */
  readonly sku: string;
  /** Storage in GB. */
  readonly storageGb: number;
  /** Name of the database. */
  readonly database: string;
  /** IPv4 addresses and ranges that the server's firewall allows. */
  readonly allowedIpRanges: string[];
}

/** An Azure Cache for Redis. */
export interface RedisService {
  /** Name in Azure. */
  readonly name: string;
  /** SKU, as named in Azure. */
  readonly sku: ServiceTier;
  /** Size within the tier. */
  readonly capacity: number;
}

/** A Service Bus namespace with queues. */
export interface ServiceBusService {
  /** Name in Azure. */
  readonly name: string;
  /** SKU, as named in Azure. */
  readonly sku: ServiceTier;
  /** Names of the queues. */
  readonly queues: string[];
}

/** A user-assigned identity that trusts the application. */
export interface IdentityService {
  /** Name in Azure. */
  readonly name: string;
}

/** A key vault for the application's own secrets. */
export interface VaultService {
  /** Name in Azure. */
  readonly name: string;
}

/** Any custom resource of the operator. */
export interface ResourceService {
  /** `<group>.azure.com/<version>`. */
  readonly apiVersion: string;
  /** Kind of the custom resource. */
  readonly resourceKind: string;
  /** The specification. */
  readonly spec: pulumi.Inputs;
}

/** The service: exactly one of its kinds. */
export interface DependencyServiceArgs {
  /** A storage account. */
  readonly storageAccount?: StorageAccountService;
  /** A PostgreSQL server. */
  readonly postgresql?: PostgresqlService;
  /** A Redis cache. */
  readonly redis?: RedisService;
  /** A Service Bus namespace. */
  readonly serviceBus?: ServiceBusService;
  /** A user-assigned identity. */
  readonly identity?: IdentityService;
  /** A vault for the application's own secrets. */
  readonly vault?: VaultService;
  /** Any custom resource of the operator. */
  readonly resource?: ResourceService;
}

/** A service that an application depends on. */
export type DependencyService = {
  [Kind in keyof DependencyServiceArgs]-?: { readonly kind: Kind } & NonNullable<DependencyServiceArgs[Kind]>;
}[keyof DependencyServiceArgs];

export type DependencyKind = DependencyService['kind'];

/** The properties that all services of a kind share. */
export interface DependencyTraits {
  /** Name of the kind in messages. */
  readonly label: string;
  /** Resource type in Azure. Default: any. */
  readonly type?: string;
  /** Group and kind of the custom resources that make up the service, its own first; empty for `resource`. */
  readonly customResources: readonly string[];
  /** Role that the provisioning identity needs on the resource group. */
  readonly provisionerRole: BuiltInRole;
  /** Possible connections, the default first. */
  readonly connections: readonly DependencyConnection[];
  /** True if names are unique in all of Azure, not only in the resource group. */
  readonly global: boolean;
}

/**
 * The kinds of services. Each role is the narrowest built-in one that can write the resource type. PostgreSQL has no role
 * of its own, and a `resource` can have any type (azure-docs articles/role-based-access-control/built-in-roles).
 */
export const dependencyKinds: Readonly<Record<DependencyKind, DependencyTraits>> = {
  storageAccount: {
    label: 'storage account',
    type: 'Microsoft.Storage/storageAccounts',
    customResources: ['storage.azure.com/StorageAccount'],
    provisionerRole: 'storageAccountContributor',
    connections: ['identity', 'secret', 'vault'],
    global: true,
  },
  postgresql: {
    label: 'PostgreSQL server',
    type: 'Microsoft.DBforPostgreSQL/flexibleServers',
    customResources: [
      'dbforpostgresql.azure.com/FlexibleServer',
      'dbforpostgresql.azure.com/FlexibleServersAdministrator',
      'dbforpostgresql.azure.com/FlexibleServersDatabase',
      'dbforpostgresql.azure.com/FlexibleServersFirewallRule',
    ],
    provisionerRole: 'contributor',
    connections: ['identity'],
    global: true,
  },
  redis: {
    label: 'Redis cache',
    type: 'Microsoft.Cache/redis',
    customResources: ['cache.azure.com/Redis', 'cache.azure.com/RedisAccessPolicyAssignment'],
    provisionerRole: 'redisCacheContributor',
    connections: ['identity', 'secret', 'vault'],
    global: true,
  },
  serviceBus: {
    label: 'Service Bus namespace',
    type: 'Microsoft.ServiceBus/namespaces',
    customResources: [
      'servicebus.azure.com/Namespace',
      'servicebus.azure.com/NamespacesAuthorizationRule',
      'servicebus.azure.com/NamespacesQueue',
    ],
    provisionerRole: 'serviceBusDataOwner',
    connections: ['identity', 'secret', 'vault'],
    global: true,
  },
  identity: {
    label: 'identity',
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    customResources: [
      'managedidentity.azure.com/UserAssignedIdentity',
      'managedidentity.azure.com/FederatedIdentityCredential',
    ],
    provisionerRole: 'managedIdentityContributor',
    connections: ['identity'],
    global: false,
  },
  vault: {
    label: 'vault',
    type: 'Microsoft.KeyVault/vaults',
    customResources: ['keyvault.azure.com/Vault'],
    provisionerRole: 'keyVaultContributor',
    connections: ['identity'],
    global: true,
  },
  resource: {
    label: 'resource',
    customResources: [],
    provisionerRole: 'contributor',
    connections: ['identity'],
    global: false,
  },
};

/** Returns group and kind of a service's custom resources, `storage.azure.com/StorageAccount`, its own first. */
export function customResourcesOf(service: DependencyService): readonly string[] {
  if (service.kind !== 'resource') return dependencyKinds[service.kind].customResources;
  const [group = ''] = service.apiVersion.split('/');
  return [`${group}/${service.resourceKind}`];
}

/** Returns the name of the service in Azure. Without `azureName`, it is the name of the custom resource. */
export function azureNameOf(service: DependencyService, objectName: string): string {
  if (service.kind !== 'resource') return service.name;
  const { azureName } = service.spec as Record<string, unknown>;
  return typeof azureName === 'string' ? azureName : objectName;
}

/** Returns the name of the custom resource, and of the ConfigMap and the secret that the operator exports to. */
export function dependencyObjectName(application: string, dependency: string): string {
  return `${application}-${dependency}`;
}

/** Returns the environment variable for a value of a dependency: `FILES_BLOB_ENDPOINT` for `blobEndpoint` of `files`. */
export function dependencyVariable(dependency: string, key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `${dependency.replaceAll('-', '_')}_${words}`.toUpperCase();
}
