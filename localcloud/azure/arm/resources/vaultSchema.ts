import * as z from 'zod';
import { body, tags, withReadOnly } from '../body';

const guid = z.guid();
const insensitive = <T extends readonly [string, ...string[]]>(values: T): z.ZodType<T[number]> =>
  z.string().transform((value, context): T[number] => {
    const known = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (known !== undefined) return known;
    context.addIssue({ code: 'custom', message: `'${value}' is not one of ${values.join(', ')}` });
    return z.NEVER;
  });

const SECRET_PERMISSIONS = [
  'all',
  'get',
  'list',
  'set',
  'delete',
  'backup',
  'restore',
  'recover',
  'purge',
] as const;

/** Source: azure-rest-api-specs, keyvault.json, `Permissions`. */
const KEY_PERMISSIONS = [
  ...['all', 'encrypt', 'decrypt', 'wrapKey', 'unwrapKey', 'sign', 'verify', 'get', 'list', 'create'],
  ...['update', 'import', 'delete', 'backup', 'restore', 'recover', 'purge', 'release', 'rotate'],
  ...['getrotationpolicy', 'setrotationpolicy'],
] as [string, ...string[]];

/** The access policy of one object id. The local cloud evaluates `secrets` and `keys` only. */
const accessPolicy = z.strictObject({
  tenantId: guid,
  objectId: z.string().min(1),
  applicationId: guid.optional(),
  permissions: z.strictObject({
    secrets: z.array(insensitive(SECRET_PERMISSIONS)).optional(),
    keys: z.array(insensitive(KEY_PERMISSIONS)).optional(),
    certificates: z.array(z.string()).optional(),
    storage: z.array(z.string()).optional(),
  }),
});

export type AccessPolicy = z.infer<typeof accessPolicy>;

const sku = z.strictObject({
  family: insensitive(['A']).default('A'),
  name: insensitive(['standard', 'premium']),
});

const networkAcls = z.strictObject({
  bypass: insensitive(['AzureServices', 'None']).optional(),
  defaultAction: insensitive(['Allow', 'Deny']).optional(),
  ipRules: z.array(z.strictObject({ value: z.string() })).optional(),
  virtualNetworkRules: z
    .array(
      withReadOnly({ id: z.string(), ignoreMissingVnetServiceEndpoint: z.boolean().default(false) }, [
        // Clients send back the subnet's state.
        'state',
      ]),
    )
    .optional(),
});

export type NetworkAcls = z.infer<typeof networkAcls>;

/** Source: azure-rest-api-specs `specification/keyvault/resource-manager/…/keyvault.json`, VaultProperties. */
const settings = {
  enabledForDeployment: z.boolean().optional(),
  enabledForDiskEncryption: z.boolean().optional(),
  enabledForTemplateDeployment: z.boolean().optional(),
  enableSoftDelete: z.boolean().optional(),
  softDeleteRetentionInDays: z.int().min(7).max(90).optional(),
  enableRbacAuthorization: z.boolean().optional(),
  enablePurgeProtection: z.boolean().nullish(),
  networkAcls: networkAcls.optional(),
  publicNetworkAccess: insensitive(['Enabled', 'Disabled']).optional(),
  accessPolicies: z.array(accessPolicy).optional(),
};

const READ_ONLY = ['vaultUri', 'hsmPoolResourceId', 'provisioningState', 'privateEndpointConnections'];

export const createVaultBody = body({
  location: z.string(),
  tags,
  properties: withReadOnly(
    {
      ...settings,
      tenantId: guid,
      sku,
      createMode: insensitive(['default', 'recover']).optional(),
    },
    READ_ONLY,
  ),
});

export const patchVaultBody = body({
  location: z.string().optional(),
  tags,
  properties: withReadOnly(
    { ...settings, tenantId: guid.optional(), sku: sku.optional() },
    READ_ONLY,
  ).optional(),
});

export type VaultSettings = Partial<z.infer<typeof createVaultBody>['properties']>;

export const accessPoliciesBody = body({
  location: z.unknown().optional(),
  properties: z.strictObject({ accessPolicies: z.array(accessPolicy) }),
});
