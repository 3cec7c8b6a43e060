import * as z from 'zod';
import { body, tags, withReadOnly } from '../body';
import { checkStorageTags } from '../tags';

/** The services of each kind of account (azure-docs `storage-account-overview.md`). */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  StorageV2: ['dfs', 'web', 'blob', 'queue', 'table', 'file'],
  Storage: ['blob', 'queue', 'table', 'file'],
  BlobStorage: ['dfs', 'blob', 'table'],
  BlockBlobStorage: ['dfs', 'web', 'blob'],
  FileStorage: ['file'],
};

export const SKUS = [
  'Standard_LRS',
  'Standard_GRS',
  'Standard_RAGRS',
  'Standard_ZRS',
  'Standard_GZRS',
  'Standard_RAGZRS',
  'Premium_LRS',
  'Premium_ZRS',
] as const;

const toggle = z.boolean().nullish();
const kept = z.record(z.string(), z.unknown()).nullish();
/** Azure Service Operator sends `null` for an omitted list. */
const rules = z.array(z.record(z.string(), z.unknown())).nullish();

const networkAcls = z
  .strictObject({
    bypass: z.string().nullish(),
    defaultAction: z.enum(['Allow', 'Deny']).nullish(),
    ipRules: rules,
    ipv6Rules: rules,
    virtualNetworkRules: rules,
    resourceAccessRules: rules,
  })
  .nullish();

/**
 * Source: azure-rest-api-specs `…/Microsoft.Storage/…/stable/2025-06-01/storage.json`,
 * StorageAccountPropertiesCreateParameters. `kept` members have no effect here.
 */
const settings = {
  accessTier: z.enum(['Hot', 'Cool', 'Cold', 'Premium']).nullish(),
  allowBlobPublicAccess: toggle,
  allowCrossTenantReplication: toggle,
  allowSharedKeyAccess: toggle,
  allowedCopyScope: z.enum(['PrivateLink', 'AAD']).nullish(),
  azureFilesIdentityBasedAuthentication: kept,
  customDomain: kept,
  defaultToOAuthAuthentication: toggle,
  dnsEndpointType: z.enum(['Standard']).nullish(),
  encryption: kept,
  immutableStorageWithVersioning: kept,
  isHnsEnabled: toggle,
  isLocalUserEnabled: toggle,
  isNfsV3Enabled: toggle,
  isSftpEnabled: toggle,
  keyPolicy: kept,
  largeFileSharesState: z.enum(['Disabled', 'Enabled']).nullish(),
  minimumTlsVersion: z.enum(['TLS1_0', 'TLS1_1', 'TLS1_2', 'TLS1_3']).nullish(),
  networkAcls,
  publicNetworkAccess: z.enum(['Enabled', 'Disabled', 'SecuredByPerimeter']).nullish(),
  routingPreference: kept,
  sasPolicy: kept,
  supportsHttpsTrafficOnly: toggle,
};

const READ_ONLY = [
  'allowCrossTenantDelegationSas',
  'creationTime',
  'keyCreationTime',
  'primaryEndpoints',
  'primaryLocation',
  'privateEndpointConnections',
  'provisioningState',
  'secondaryEndpoints',
  'secondaryLocation',
  'statusOfPrimary',
  'statusOfSecondary',
];

const properties = withReadOnly(settings, READ_ONLY).nullish();
/** `checkKind` checks the name, with Azure's error. */
const sku = withReadOnly({ name: z.string() }, ['tier']);
const shared = {
  tags: tags.transform((value) => {
    checkStorageTags(value);
    return value;
  }),
  identity: z.strictObject({ type: z.enum(['None']) }).nullish(),
  extendedLocation: z.null().optional(),
  zones: z.array(z.string()).nullish(),
  placement: z.null().optional(),
  properties,
};

export const createAccountBody = body({ ...shared, location: z.string(), sku, kind: z.string() });
export const patchAccountBody = body({
  ...shared,
  location: z.string().optional(),
  sku: sku.optional(),
  kind: z.string().optional(),
});

export const nameBody = z.strictObject({ name: z.string(), type: z.string() });
export const regenerateBody = z.strictObject({ keyName: z.enum(['key1', 'key2']) });

export type AccountSettings = NonNullable<z.infer<typeof properties>>;
