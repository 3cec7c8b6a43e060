import { ArmError } from './errors';

/** A change that the version `since` made. */
interface ChangeOf {
  since: string;
  /** Path of a member in the newest version; `[]` stands for each element of a list. */
  member: string;
}

/** A member that has another path, other values or another unit in older versions. */
export interface Renamed extends ChangeOf, Older {
  kind: 'renamed';
}

interface Older {
  /** Path in older versions. @default the same */
  older?: string;
  /** Names of values in older versions, by their names in the newest version. */
  values?: Readonly<Record<string, unknown>>;
  /** Number of units of older versions in one unit of the newest. */
  units?: number;
  /** The error for a value that only the other versions have. @default the schema checks the value */
  refused?: (value: string) => ArmError;
}

export type Change =
  | Renamed
  /** Answers of older versions lack the member. A PUT in them keeps the resource's value or, if it has none, sets `value`. */
  | (ChangeOf & { kind: 'added'; value?: unknown })
  /** Only requests of older versions have the member. It is ignored. */
  | (ChangeOf & { kind: 'removed' })
  /** New resources have another default in older versions. */
  | (ChangeOf & { kind: 'default'; value: unknown });

const renamed = (since: string, member: string, older: string | Older): Change => ({
  kind: 'renamed',
  since,
  member,
  ...(typeof older === 'string' ? { older } : older),
});
const added = (since: string, member: string, value?: unknown): Change => ({
  kind: 'added',
  since,
  member,
  value,
});
const removed = (since: string, member: string): Change => ({ kind: 'removed', since, member });
const defaulted = (since: string, member: string, value: unknown): Change => ({
  kind: 'default',
  since,
  member,
  value,
});

const SWITCH = { Enabled: true, Disabled: false };

/** Sources of the text: hashicorp/terraform-provider-azurerm #20887 and #21256, MicrosoftDocs/azure-docs #107451. */
const unknownTier = (property: string, older: string, newer: string) => (value: string) =>
  new ArmError(
    400,
    'SkuNotAvailable',
    `${value} managed cluster SKU ${property} is invalid. '${older}' has been replaced by '${newer}' since v2023-02-01. `,
  );

/**
 * Changes between the API versions of each type, as far as the local cloud serves it. Types that are not listed have no
 * changes. Found by comparing all versions of each type in Azure/bicep-types-az of 2026-08-20, and in the sources named.
 *
 * Some changes are left out, because no source says what Azure does with a request in an older version: members and values that
 * only newer versions have, and members that were read-only. They mean what they mean in the newest version.
 *
 * They are code and not a data file, because each has its source beside it, and some have errors of their own.
 */
export const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  // Source: MicrosoftDocs/azure-security-docs `articles/key-vault/general/access-control-default.md`.
  'Microsoft.KeyVault/vaults': [defaulted('2026-02-01', 'properties.enableRbacAuthorization', false)],

  // The defaults of allowBlobPublicAccess and allowCrossTenantReplication are left out: sources disagree on whether they
  // changed for all versions (Azure/azure-cli #28091) or with 2023-01-01 (specifications, azure-service-operator #4197).
  'Microsoft.Storage/storageAccounts': [
    renamed('2016-01-01', 'sku.name', 'properties.accountType'),
    added('2016-01-01', 'sku'),
    added('2016-01-01', 'kind', 'Storage'),
    defaulted('2019-04-01', 'properties.supportsHttpsTrafficOnly', false),
  ],

  'Microsoft.ContainerService/managedClusters': [
    renamed(
      '2019-08-01',
      'properties.apiServerAccessProfile.authorizedIPRanges',
      'properties.apiServerAuthorizedIPRanges',
    ),
    renamed(
      '2022-05-02-preview',
      'properties.securityProfile.defender.securityMonitoring.enabled',
      'properties.securityProfile.azureDefender.enabled',
    ),
    renamed(
      '2022-05-02-preview',
      'properties.securityProfile.defender.logAnalyticsWorkspaceResourceId',
      'properties.securityProfile.azureDefender.logAnalyticsWorkspaceResourceId',
    ),
    renamed('2023-02-01', 'sku.name', {
      values: { Base: 'Basic' },
      refused: unknownTier('name', 'Basic', 'Base'),
    }),
    renamed('2023-02-01', 'sku.tier', {
      values: { Standard: 'Paid' },
      refused: unknownTier('tier', 'Paid', 'Standard'),
    }),
  ],

  'Microsoft.DBforPostgreSQL/flexibleServers': [
    renamed('2021-06-01', 'properties.storage.storageSizeGB', {
      older: 'properties.storageProfile.storageMB',
      units: 1024,
    }),
    renamed(
      '2021-06-01',
      'properties.backup.backupRetentionDays',
      'properties.storageProfile.backupRetentionDays',
    ),
    renamed(
      '2021-06-01',
      'properties.backup.geoRedundantBackup',
      'properties.storageProfile.geoRedundantBackup',
    ),
    renamed('2021-06-01', 'properties.highAvailability.mode', {
      older: 'properties.haEnabled',
      values: { ZoneRedundant: 'Enabled', SameZone: 'Enabled' },
    }),
    renamed('2021-06-01', 'properties.highAvailability.state', 'properties.haState'),
    renamed(
      '2021-06-01',
      'properties.highAvailability.standbyAvailabilityZone',
      'properties.standbyAvailabilityZone',
    ),
    renamed('2021-06-01', 'properties.network.publicNetworkAccess', 'properties.publicNetworkAccess'),
    renamed(
      '2021-06-01',
      'properties.network.delegatedSubnetResourceId',
      'properties.delegatedSubnetArguments.subnetArmResourceId',
    ),
    renamed(
      '2021-06-01',
      'properties.network.privateDnsZoneArmResourceId',
      'properties.privateDnsZoneArguments.privateDnsZoneArmResourceId',
    ),
    renamed('2022-12-01', 'properties.authConfig.activeDirectoryAuth', {
      older: 'properties.authConfig.activeDirectoryAuthEnabled',
      values: SWITCH,
    }),
    renamed('2022-12-01', 'properties.authConfig.passwordAuth', {
      older: 'properties.authConfig.passwordAuthEnabled',
      values: SWITCH,
    }),
    renamed('2022-12-01', 'properties.dataEncryption.type', { values: { SystemManaged: 'SystemAssigned' } }),
  ],

  'Microsoft.Network/privateEndpoints': [
    added('2025-03-01', 'properties.ipVersionType'),
    added('2026-01-01', 'properties.billingSku'),
  ],

  // Source: the release notes of "API versions of Azure RBAC REST APIs" (learn.microsoft.com, rest/api/authorization/versions).
  'Microsoft.Authorization/roleAssignments': [
    added('2018-09-01-preview', 'properties.principalType'),
    added('2018-12-01-preview', 'properties.condition'),
    added('2018-12-01-preview', 'properties.conditionVersion'),
    added('2020-04-01-preview', 'properties.description'),
  ],
  'Microsoft.Authorization/roleDefinitions': [
    added('2018-01-01-preview', 'properties.permissions[].dataActions'),
    added('2018-01-01-preview', 'properties.permissions[].notDataActions'),
    // Source: azure-rest-api-specs `…/Microsoft.Authorization/{preview/2018-01-01-preview,stable/2022-04-01}`.
    added('2022-04-01', 'properties.permissions[].condition'),
    added('2022-04-01', 'properties.permissions[].conditionVersion'),
  ],

  // Source: azure-rest-api-specs `…/Microsoft.Insights/stable/2016-09-01/serviceDiagnosticsSettings_API.json`.
  'Microsoft.Insights/diagnosticSettings': [
    removed('2017-05-01-preview', 'location'),
    removed('2017-05-01-preview', 'tags'),
    added('2017-05-01-preview', 'properties.metrics[].category', 'AllMetrics'),
  ],
};

/** First versions of rules that are not about one member. */
export const RULES_SINCE = {
  /** Roles with data actions can be assigned (Azure/azure-sdk-for-go #1895). */
  assignedDataActions: '2018-01-01-preview',
  /** A service principal that is not in the directory can be assigned a role (release notes, as above). */
  unknownServicePrincipals: '2018-09-01-preview',
  /** A user that is not in the directory can be assigned a role (release notes). The same is assumed for other principals. */
  unknownPrincipals: '2020-03-01-preview',
  /** Agent pools have modes, and at least one is a System pool (MicrosoftDocs/azure-aks-docs `use-system-pools.md`). */
  systemPools: '2020-03-01',
  /**
   * A virtual network keeps its subnets if the request does not name them (Azure networking blog, as in virtualNetworks.ts).
   */
  keptSubnets: '2023-09-01',
  /** Diagnostic settings have names; in older versions, the only name is `service` (specification, as above). */
  namedDiagnosticSettings: '2017-05-01-preview',
} as const;
