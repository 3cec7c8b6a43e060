import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';

// The services that an application can depend on. Nothing here loads a provider: the configuration's checks need it too.

/** How an application gets at a service. */
export const DependencyConnection = {
  /** As the application's own identity, without a secret. */
  Identity: 'identity',
  /** By a Kubernetes secret that the operator writes. */
  Secret: 'secret',
  /** By a secret of the application's vault, and none of Kubernetes. */
  Vault: 'vault',
} as const;
export type DependencyConnection = (typeof DependencyConnection)[keyof typeof DependencyConnection];

/** What of a storage account the application uses. */
export const storageData = ['blobs', 'queues', 'tables'] as const;

/** Size of a service. */
export const ServiceTier = {
  /** Without an uptime agreement. */
  Basic: 'Basic',
  /** With an uptime agreement. */
  Standard: 'Standard',
  /** That, on machines of its own. */
  Premium: 'Premium',
} as const;
export type ServiceTier = (typeof ServiceTier)[keyof typeof ServiceTier];

/** A storage account, general purpose v2. */
export interface StorageAccountService {
  /** Name in Azure. */
  readonly name: string;
  /** Stock keeping unit, as Azure calls it. */
  readonly sku: string;
  /** What is used of it: `blobs`, `queues`, `tables`. */
  readonly data: string[];
}

/** A flexible server of PostgreSQL with one database. */
export interface PostgresqlService {
  /** Name in Azure. */
  readonly name: string;
  /** Major version. */
  readonly version: string;
  /** Stock keeping unit, as Azure calls it. */
  readonly sku: string;
  /** Storage in GB. */
  readonly storageGb: number;
  /** Name of the database. */
  readonly database: string;
  /** IPv4 addresses and ranges that reach it. */
  readonly allowedIpRanges: string[];
}

/** An Azure Cache for Redis. */
export interface RedisService {
  /** Name in Azure. */
  readonly name: string;
  /** Stock keeping unit, as Azure calls it. */
  readonly sku: ServiceTier;
  /** Size within the tier. */
  readonly capacity: number;
}

/** A namespace of Service Bus with queues. */
export interface ServiceBusService {
  /** Name in Azure. */
  readonly name: string;
  /** Stock keeping unit, as Azure calls it. */
  readonly sku: ServiceTier;
  /** Names of the queues. */
  readonly queues: string[];
}

/** A user-assigned identity that trusts the application. */
export interface IdentityService {
  /** Name in Azure. */
  readonly name: string;
}

/** A key vault of the application's own, for what it stores itself. */
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

/** The service: exactly one of them. */
export interface DependencyServiceArgs {
  /** A storage account. */
  readonly storageAccount?: StorageAccountService;
  /** A server of PostgreSQL. */
  readonly postgresql?: PostgresqlService;
  /** A cache. */
  readonly redis?: RedisService;
  /** A namespace of Service Bus. */
  readonly serviceBus?: ServiceBusService;
  /** An identity. */
  readonly identity?: IdentityService;
  /** A vault of the application's own. */
  readonly vault?: VaultService;
  /** Any custom resource. */
  readonly resource?: ResourceService;
}

/** A service that an application depends on. */
export type DependencyService = {
  [Kind in keyof DependencyServiceArgs]-?: { readonly kind: Kind } & NonNullable<DependencyServiceArgs[Kind]>;
}[keyof DependencyServiceArgs];

export type DependencyKind = DependencyService['kind'];

/** What is true of every service of a kind. */
export interface DependencyTraits {
  /** For people. */
  readonly label: string;
  /** Type in Azure; `resource` can be any. */
  readonly type?: string;
  /** Group and kind of the operator's custom resources that it is made of, its own first; `resource` can be any. */
  readonly customResources: readonly string[];
  /** What whoever provisions it needs on its resource group. */
  readonly provisionerRole: BuiltInRole;
  /** How an application can get at it. */
  readonly connections: readonly DependencyConnection[];
  /** Its name is unique in all of Azure, and not only in its group. */
  readonly global: boolean;
}

/**
 * The kinds. Roles are the narrowest built-in ones that can write the type; of PostgreSQL there is none, and of `resource`
 * it is not known what is written (azure-docs articles/role-based-access-control/built-in-roles).
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
    connections: ['identity', 'secret'],
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
    connections: ['identity', 'secret'],
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

/** Group and kind of the custom resources that a service is made of, `storage.azure.com/StorageAccount`, its own first. */
export function customResourcesOf(service: DependencyService): readonly string[] {
  if (service.kind !== 'resource') return dependencyKinds[service.kind].customResources;
  const [group = ''] = service.apiVersion.split('/');
  return [`${group}/${service.resourceKind}`];
}

/** Name of the service in Azure. A custom resource without `azureName` has its own name there. */
export function azureNameOf(service: DependencyService, objectName: string): string {
  if (service.kind !== 'resource') return service.name;
  const { azureName } = service.spec as Record<string, unknown>;
  return typeof azureName === 'string' ? azureName : objectName;
}

/** Name of the custom resource, and of the ConfigMap and the secret that the operator exports to. */
export function dependencyObjectName(application: string, dependency: string): string {
  return `${application}-${dependency}`;
}

/** The variable that has a value of a dependency: `blobEndpoint` of `files` is in `FILES_BLOB_ENDPOINT`. */
export function dependencyVariable(dependency: string, key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `${dependency.replaceAll('-', '_')}_${words}`.toUpperCase();
}
