import type { ResourceDocument } from '../../store/documents';
import { defined } from '../body';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import { ArmError } from '../errors';
import { parseResourceId, sameId } from '../resourceId';
import type { AccountSettings } from './storageSchema';
import { KINDS, SKUS } from './storageSchema';

export const ACCOUNT_TYPE = 'Microsoft.Storage/storageAccounts';

/** The error for a name that is taken; names are unique in all of Azure. */
export function nameTaken(context: ArmContext, name: string, subscriptionId: string): ArmError | undefined {
  const taken = context.store.ofType(ACCOUNT_TYPE).find((account) => sameId(account.name, name));
  if (taken === undefined) return undefined;
  // Source of the two codes: the storage resource provider's table of error codes; of the texts: hashicorp/terraform #11485.
  return sameId(parseResourceId(taken.id)?.subscriptionId ?? '', subscriptionId)
    ? new ArmError(
        409,
        'StorageAccountAlreadyExists',
        `The storage account named ${name} already exists under the subscription.`,
      )
    : new ArmError(409, 'StorageAccountAlreadyTaken', `The storage account named ${name} is already taken.`);
}

const invalid = (path: string): ArmError =>
  new ArmError(
    400,
    'InvalidValuesForRequestParameters',
    `Values for request parameters are invalid: ${path}.`,
    { target: path },
  );

/**
 * Refuses an SKU that does not fit the kind. Premium SKUs need a kind of their own, except for page blobs in StorageV2
 * (azure-docs `storage-account-overview.md`).
 */
export function checkKind(sku: string, kind: string): void {
  if (!(SKUS as readonly string[]).includes(sku)) throw invalid('sku.name');
  if (!(kind in KINDS)) throw invalid('kind');
  const premium = sku.startsWith('Premium_');
  const premiumOnly = kind === 'BlockBlobStorage' || kind === 'FileStorage';
  if (premium ? kind === 'BlobStorage' : premiumOnly) throw invalid('sku.name');
}

/** Refuses changes of immutable properties (source: the link in the error, `storageaccountupdate`). */
export function checkImmutable(existing: ResourceDocument, requested: AccountSettings, kind?: string): void {
  const readOnly = (property: string): ArmError =>
    new ArmError(
      400,
      'AccountPropertyCannotBeUpdated',
      `The property '${property}' was specified in the input, but it cannot be updated as it is read-only. For more information, see - https://aka.ms/storageaccountupdate`,
      { target: property },
    );
  for (const property of ['isHnsEnabled', 'isNfsV3Enabled', 'dnsEndpointType'] as const) {
    const value = requested[property] ?? undefined;
    const current = existing.properties[property] ?? (property === 'dnsEndpointType' ? 'Standard' : false);
    if (value !== undefined && value !== current) throw readOnly(property);
  }
  const current = existing.extra?.['kind'];
  // A general-purpose v1 account can be upgraded to v2.
  if (kind !== undefined && kind !== current && !(current === 'Storage' && kind === 'StorageV2'))
    throw readOnly('kind');
}

const NO_RULES = {
  ipv6Rules: [],
  bypass: 'AzureServices',
  virtualNetworkRules: [],
  ipRules: [],
  defaultAction: 'Allow',
};

/** The properties after a write. Omitted members keep their value, even in a PUT. */
export function accountProperties(
  context: ArmContext,
  name: string,
  location: string,
  kind: string,
  requested: AccountSettings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const now = stamp(context);
  const current = existing?.properties ?? {};
  const services = KINDS[kind] ?? [];
  const endpoint = (service: string): string =>
    `https://${name}.${service === 'web' ? 'z6.web' : service}.core.windows.net/`;
  const encrypted = { keyType: 'Account', enabled: true, lastEnabledTime: now };
  return {
    allowCrossTenantDelegationSas: false,
    keyCreationTime: { key1: now, key2: now },
    allowCrossTenantReplication: false,
    privateEndpointConnections: [],
    minimumTlsVersion: 'TLS1_2',
    allowBlobPublicAccess: false,
    supportsHttpsTrafficOnly: true,
    encryption: { services: { file: encrypted, blob: encrypted }, keySource: 'Microsoft.Storage' },
    ...(kind === 'Storage' ? {} : { accessTier: 'Hot' }),
    creationTime: now,
    ...current,
    ...defined(requested),
    networkAcls: {
      ...NO_RULES,
      ...(current['networkAcls'] as object | undefined),
      ...defined(requested.networkAcls ?? {}),
    },
    primaryEndpoints: Object.fromEntries(services.map((service) => [service, endpoint(service)])),
    primaryLocation: location,
    statusOfPrimary: 'available',
    provisioningState: 'Succeeded',
  };
}
