import * as z from 'zod';
import { body, tags, withReadOnly } from '../body';

const kept = z.record(z.string(), z.unknown()).nullish();

/** Converted to the service's spelling, in whatever case the client sends it. */
const enabled = z
  .string()
  .transform((value) => (value.toLowerCase() === 'enabled' ? 'Enabled' : 'Disabled'))
  .nullish();

const storage = z
  .strictObject({
    storageSizeGB: z.int().nullish(),
    autoGrow: enabled,
    tier: z.string().nullish(),
    iops: z.int().nullish(),
    throughput: z.int().nullish(),
    type: z.string().nullish(),
  })
  .nullish();

const authConfig = z
  .strictObject({ activeDirectoryAuth: enabled, passwordAuth: enabled, tenantId: z.string().nullish() })
  .nullish();

const network = z
  .strictObject({
    publicNetworkAccess: enabled,
    delegatedSubnetResourceId: z.string().nullish(),
    privateDnsZoneArmResourceId: z.string().nullish(),
  })
  .nullish();

const backup = withReadOnly(
  { backupRetentionDays: z.int().min(7).max(35).nullish(), geoRedundantBackup: enabled },
  ['earliestRestoreDate'],
).nullish();

const highAvailability = withReadOnly(
  {
    mode: z.enum(['Disabled', 'SameZone', 'ZoneRedundant']).nullish(),
    standbyAvailabilityZone: z.string().nullish(),
  },
  ['state'],
).nullish();

const maintenanceWindow = z
  .strictObject({
    customWindow: enabled,
    startHour: z.int().min(0).max(23).nullish(),
    startMinute: z.int().min(0).max(59).nullish(),
    dayOfWeek: z.int().min(0).max(6).nullish(),
  })
  .nullish();

/**
 * Source: azure-rest-api-specs `…/Microsoft.DBforPostgreSQL/…/stable/2025-08-01/openapi.json`,
 * ServerProperties. Only new servers are supported: copies, replicas and restores are refused.
 */
const settings = {
  administratorLogin: z.string().nullish(),
  administratorLoginPassword: z.string().nullish(),
  version: z.string().nullish(),
  storage,
  authConfig,
  dataEncryption: kept,
  backup,
  network,
  highAvailability,
  maintenanceWindow,
  availabilityZone: z.string().nullish(),
  createMode: z.enum(['Default', 'Create', 'Update']).nullish(),
};

const READ_ONLY = [
  'minorVersion',
  'state',
  'fullyQualifiedDomainName',
  'replicationRole',
  'replicaCapacity',
  'replica',
  'privateEndpointConnections',
];

const properties = withReadOnly(settings, READ_ONLY).nullish();
const sku = z.strictObject({ name: z.string(), tier: z.string() });
const shared = { tags, identity: z.strictObject({ type: z.enum(['None']) }).nullish(), properties };

export const serverBody = body({ ...shared, location: z.string(), sku: sku.nullish() });
export const patchServerBody = body({
  ...shared,
  location: z.string().optional(),
  sku: sku.partial().nullish(),
});

export type ServerSettings = NonNullable<z.infer<typeof properties>>;

const address = z
  .string()
  .regex(
    /^((\d|[1-9]\d|1\d{2}|2[0-4]\d|25[0-5])\.){3}(\d|[1-9]\d|1\d{2}|2[0-4]\d|25[0-5])$/,
    'an IPv4 address',
  );

export const databaseBody = body({
  properties: z
    .strictObject({
      charset: z
        .string()
        .regex(/^[a-zA-Z]+\w*$/)
        .nullish(),
      collation: z
        .string()
        .regex(/^[a-zA-Z-]+([. ]|\w)*$/)
        .nullish(),
    })
    .nullish(),
});

export const administratorBody = body({
  properties: withReadOnly(
    {
      principalName: z.string().min(1),
      principalType: z.enum(['Group', 'ServicePrincipal', 'User']),
      tenantId: z.string().nullish(),
    },
    ['objectId'],
  ),
});

export const firewallRuleBody = body({
  properties: z.strictObject({ startIpAddress: address, endIpAddress: address }),
});

export const serverNameBody = z.strictObject({ name: z.string(), type: z.string() });
