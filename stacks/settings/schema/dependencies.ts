import * as z from 'zod';
import { limits } from '../../../components/azure/limits';
import type { DependencyKind, DependencyService } from '../../../components/dependency/service';
import { DependencyKey, dependencyKinds, storageData } from '../../../components/dependency/service';
import {
  addressRange,
  boolean,
  choice,
  field,
  freeForm,
  list,
  name,
  object,
  pattern,
  resourceGroup,
  retainOnDelete,
} from './fields';

const redundancies = [
  'Standard_LRS',
  'Standard_ZRS',
  'Standard_GRS',
  'Standard_RAGRS',
  'Standard_GZRS',
  'Standard_RAGZRS',
] as const;

const storageAccountSettings = object('A storage account (general purpose v2).', {
  name: name('storageAccount', 'Name of the storage account, unique in all of Azure.'),
  sku: choice(redundancies, 'How its data is replicated.').default('Standard_LRS'),
  data: field(z.array(z.enum(storageData)).min(1), {
    description: 'Kinds of data that the application reads and writes in the account.',
    allowed: `a list of ${storageData.join(', ')}`,
  }).default(['blobs']),
});

/** Storage sizes of a server that Azure offers, in GB (azure-docs postgresql/flexible-server/concepts-storage). */
const storageSizes = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768] as const;

const postgresqlSettings = object(
  'A PostgreSQL flexible server with one database, without password sign-in.',
  {
    name: name('postgresql', 'Name of the server, unique in all of Azure.'),
    version: choice(['14', '15', '16', '17', '18'], 'Major version, in quotes.').default('16'),
    sku: pattern(
      /^Standard_[BDE][\w-]+$/,
      'Size of the virtual machine; the tier follows from the size.',
      'a size such as Standard_B1ms, Standard_D2ds_v5 or Standard_E2ds_v5',
    ).default('Standard_B1ms'),
    storageGb: field(z.union(storageSizes.map((size) => z.literal(size))), {
      description: 'Storage in GB. It can grow, but never shrink.',
      allowed: storageSizes.join(', '),
    }).default(32),
    database: name('postgresqlDatabase', 'Name of the database to create on it.'),
    allowedIpRanges: list(
      addressRange,
      'Public addresses that can reach the server. Without any, only a private endpoint can.',
      'a list of IPv4 addresses or ranges',
    ).default([]),
  },
);

const redisSettings = object(
  'An Azure Cache for Redis. Azure retires it: since April 2026, new customers cannot create one.',
  {
    name: name('redis', 'Name of the cache, unique in all of Azure.'),
    sku: choice(['Basic', 'Standard', 'Premium'], 'Tier of the cache.').default('Standard'),
    capacity: field(z.int().min(limits.capacity[0]).max(limits.capacity[1]), {
      description: 'Size: C0 to C6, for Premium P1 to P5.',
      allowed: `an integer from ${limits.capacity.join(' to ')}, for Premium from ${limits.premiumCapacity.join(' to ')}`,
    }).default(1),
  },
);

const serviceBusSettings = object(
  'A Service Bus namespace, in which the application sends and receives but does not manage.',
  {
    name: name('serviceBus', 'Name of the namespace, unique in all of Azure.'),
    sku: choice(['Basic', 'Standard', 'Premium'], 'Tier of the namespace.').default('Standard'),
    queues: list(
      name('serviceBusQueue', 'Name of a queue.'),
      'Queues to create in it.',
      'a list of names',
    ).default([]),
  },
);

const identitySettings = object("An additional identity that the application's service accounts can use.", {
  name: name('userAssignedIdentity', 'Name of the identity in the group of the services.'),
});

const vaultSettings = object('A vault in which the application reads and writes its own secrets.', {
  name: name('keyVault', 'Name of the vault, unique in all of Azure.'),
});

const resource = object('Any custom resource of Azure Service Operator.', {
  apiVersion: pattern(
    /^[a-z0-9.]+\.azure\.com\/v[a-z0-9]+$/,
    "Group and version of the operator's custom resource.",
    'such as servicebus.azure.com/v1api20240101',
  ),
  kind: pattern(/^[A-Z][A-Za-z0-9]{0,62}$/, 'Kind of the custom resource.', 'such as Namespace'),
  spec: freeForm(
    'Specification of the resource. The default `owner` is the resource group of the services. Values that `operatorSpec` exports to <application>-<dependency> become variables.',
  ).default({}),
}).transform(({ kind: resourceKind, ...rest }) => ({ ...rest, resourceKind }));

const dependencyKey = choice(
  Object.values(DependencyKey) as [DependencyKey, ...DependencyKey[]],
  'The key that the application uses with `connection: secret` and `connection: vault`. The other one can be regenerated meanwhile. Default: primary.',
);

const connectionVault = name(
  'keyVault',
  "With `connection: vault`: name of another vault of the stack for the secret. Variables name vault and secret to the application: FILES_CONNECTION_VAULT and FILES_CONNECTION_SECRET for `files`. Default: the application's vault.",
).optional();

/**
 * Returns the schema of a dependency of one kind: the service under the key of its kind, with the connections that the kind
 * supports.
 */
const ofKind = (kind: DependencyKind, service: z.ZodType<object>) =>
  z.strictObject({
    name: name('dependency', 'Name of the dependency, and prefix of its variables: FILES_… for `files`.'),
    // The key is not in the types; the transformation below turns it into `service.kind`.
    ...({ [kind]: service } as object),
    connection: field(z.enum(dependencyKinds[kind].connections), {
      description:
        "How the application connects to the service. identity: as its own identity, without a secret. secret: with a Kubernetes secret. vault: with a secret in the application's vault, without a Kubernetes secret.",
      allowed: dependencyKinds[kind].connections.join(', '),
    }).default('identity'),
    ...(dependencyKinds[kind].connections.includes('secret') && { key: dependencyKey.optional() }),
    ...(dependencyKinds[kind].connections.includes('vault') && { connectionVault }),
    retainOnDelete: boolean(
      "true: the service stays in Azure when it is removed from the stack file or the stack is destroyed. false: it is deleted. Default: the application's, else the environment's.",
    ).optional(),
  });

const kinds = {
  storageAccount: storageAccountSettings,
  postgresql: postgresqlSettings,
  redis: redisSettings,
  serviceBus: serviceBusSettings,
  identity: identitySettings,
  vault: vaultSettings,
  resource,
};
const kindNames = Object.keys(kinds) as DependencyKind[];

export const dependencySettings = field(z.union(kindNames.map((kind) => ofKind(kind, kinds[kind]))), {
  description:
    'A service of Azure that the application depends on, and that Azure Service Operator provisions.',
  allowed: `an object of \`name\` and one of ${kindNames.join(', ')}`,
  discriminatingKeys: kindNames,
}).transform(({ name: called, connection, key, connectionVault: vault, retainOnDelete: retain, ...of }) => {
  const [[kind, service] = []] = Object.entries<object>(of);
  return {
    name: called,
    connection,
    key: key as DependencyKey | undefined,
    /** Name of the vault for its connection string; undefined for the application's vault. */
    connectionVault: vault as string | undefined,
    retainOnDelete: retain,
    service: { kind, ...service } as DependencyService,
  };
});

export const provisioning = choice(
  ['cluster', 'application'],
  "Identity that provisions the application's dependencies. cluster: the operator's own. application: an identity for this application only, with rights only on the application's own resource group.",
);

/** Resource groups of the services that applications depend on. */
export const servicesSettings = object('Resource groups of the services that applications depend on.', {
  resourceGroup: resourceGroup(
    "Resource group of the services. An application with `provisioning: application` has its own group, with -<application> at the end of the name. Default: the name of the environment's group with -services.",
    'Resource id of an existing group in the subscription of the environment. It is used, never changed and never deleted.',
  ).optional(),
  retainOnDelete: retainOnDelete('the groups and everything in them').default(true),
}).prefault({});
