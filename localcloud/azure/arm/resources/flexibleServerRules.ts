import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import { defined } from '../body';
import { ArmError } from '../errors';
import type { ServerSettings } from './flexibleServerSchema';

export const SERVER_TYPE = 'Microsoft.DBforPostgreSQL/flexibleServers';

const VERSIONS = ['11', '12', '13', '14', '15', '16', '17', '18'];
/** Premium SSD sizes in GiB, with their performance tier and IOPS. */
const SIZES: Readonly<Record<number, { tier: string; iops: number }>> = {
  32: { tier: 'P4', iops: 120 },
  64: { tier: 'P6', iops: 240 },
  128: { tier: 'P10', iops: 500 },
  256: { tier: 'P15', iops: 1100 },
  512: { tier: 'P20', iops: 2300 },
  1024: { tier: 'P30', iops: 5000 },
  2048: { tier: 'P40', iops: 7500 },
  4096: { tier: 'P50', iops: 7500 },
  8192: { tier: 'P60', iops: 16000 },
  16384: { tier: 'P70', iops: 18000 },
};
/** First letter of the compute size by tier (azure-docs `postgresql/flexible-server/concepts-compute.md`). */
const FAMILY: Readonly<Record<string, string>> = {
  Burstable: 'B',
  GeneralPurpose: 'D',
  MemoryOptimized: 'E',
};
/** Login names that the engine reserves (azure-docs `how-to-create-server.md`). */
const RESERVED_LOGINS = [
  'azure_superuser',
  'azure_pg_admin',
  'admin',
  'administrator',
  'root',
  'guest',
  'public',
];

/**
 * Source of the text: hashicorp/terraform-provider-azurerm #21306; of the code:
 * Azure-Samples/msdocs-flask-postgresql-sample-app #35.
 */
const outOfRange = (parameter: string, allowed: readonly (string | number)[]): ArmError =>
  new ArmError(
    400,
    'ParameterOutOfRange',
    `The value of the '${parameter}' should be in: [${allowed.join(',')}]. Verify that the specified parameter value is correct.`,
  );

const missing = (parameter: string): ArmError =>
  new ArmError(400, 'MissingRequiredParameter', `The required parameter '${parameter}' is missing.`, {
    target: parameter,
  });

/**
 * Refuses a compute size of another tier. Code and text: as quoted in deployments ("The requested server edition is
 * incompatible with requested Sku Size.").
 */
export function checkSku(sku: { name: string; tier: string }): void {
  const family = FAMILY[sku.tier];
  if (family === undefined) throw outOfRange('sku.tier', Object.keys(FAMILY));
  if (new RegExp(`^Standard_${family}\\d+[a-z]*(_v\\d+)?$`).test(sku.name)) return;
  throw new ArmError(
    400,
    'ServerEditionIncompatibleWithSkuSize',
    'The requested server edition is incompatible with requested Sku Size.',
  );
}

function checkSignIn(
  requested: ServerSettings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const current = existing?.properties['authConfig'] as
    { activeDirectoryAuth: string; passwordAuth: string } | undefined;
  const entra = requested.authConfig?.activeDirectoryAuth ?? current?.activeDirectoryAuth ?? 'Disabled';
  const password = requested.authConfig?.passwordAuth ?? current?.passwordAuth ?? 'Enabled';
  const tenant = requested.authConfig?.tenantId ?? undefined;
  if (entra === 'Disabled' && password === 'Disabled') {
    throw new ArmError(
      400,
      'InvalidParameterValue',
      "At least one of 'activeDirectoryAuth' and 'passwordAuth' of authConfig has to be 'Enabled'.",
      { target: 'properties.authConfig' },
    );
  }
  if (tenant !== undefined && tenant !== '' && tenant.toLowerCase() !== TENANT_ID) {
    throw new ArmError(
      400,
      'InvalidParameterValue',
      `The tenant '${tenant}' of authConfig is not the subscription's, '${TENANT_ID}'.`,
      { target: 'properties.authConfig.tenantId' },
    );
  }
  if (existing === undefined && password === 'Enabled') {
    if ((requested.administratorLogin ?? '') === '') throw missing('administratorLogin');
    if ((requested.administratorLoginPassword ?? '') === '') throw missing('administratorLoginPassword');
  }
  return {
    activeDirectoryAuth: entra,
    passwordAuth: password,
    ...(entra === 'Enabled' ? { tenantId: TENANT_ID } : {}),
  };
}

function checkLogin(requested: ServerSettings, existing: ResourceDocument | undefined): void {
  const login = requested.administratorLogin ?? undefined;
  if (login !== undefined && (RESERVED_LOGINS.includes(login.toLowerCase()) || /^pg_/i.test(login))) {
    throw new ArmError(
      400,
      'InvalidAdministratorLogin',
      `The administrator login '${login}' is not allowed: none of ${RESERVED_LOGINS.join(', ')}, and not beginning with 'pg_'.`,
    );
  }
  const current = existing?.properties['administratorLogin'] as string | undefined;
  if (login === undefined || current === undefined || login === current) return;
  throw new ArmError(
    400,
    'InvalidParameterValue',
    `The administrator login cannot be changed from '${current}'.`,
    { target: 'properties.administratorLogin' },
  );
}

function storageOf(
  requested: ServerSettings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const current = existing?.properties['storage'] as { storageSizeGB: number } | undefined;
  const size = requested.storage?.storageSizeGB ?? current?.storageSizeGB ?? 128;
  const sku = SIZES[size];
  if (sku === undefined) throw outOfRange('storageSizeInGb', Object.keys(SIZES));
  if (current !== undefined && size < current.storageSizeGB) {
    throw new ArmError(
      400,
      'InvalidParameterValue',
      `Storage can only grow: it is ${current.storageSizeGB} GiB, and ${size} is asked for.`,
      { target: 'properties.storage.storageSizeGB' },
    );
  }
  const grown = size === current?.storageSizeGB ? current : {};
  return {
    type: '',
    ...sku,
    autoGrow: 'Disabled',
    ...grown,
    ...defined(requested.storage ?? {}),
    storageSizeGB: size,
  };
}

/** The properties after a write. Omitted members keep their value, even in a PUT. Passwords are not stored. */
export function serverProperties(
  name: string,
  requested: ServerSettings,
  existing: ResourceDocument | undefined,
): Record<string, unknown> {
  const current = existing?.properties ?? {};
  const version = requested.version ?? (current['version'] as string | undefined);
  if (version === undefined) throw missing('version');
  if (!VERSIONS.includes(version)) throw outOfRange('Version', VERSIONS);
  if (Number(version) < Number(current['version'] ?? 0)) {
    throw outOfRange(
      'Version',
      VERSIONS.filter((each) => Number(each) >= Number(current['version'])),
    );
  }
  const authConfig = checkSignIn(requested, existing);
  checkLogin(requested, existing);
  const merged = (key: keyof ServerSettings, unsaid: object): object => ({
    ...unsaid,
    ...(current[key] as object | undefined),
    ...defined((requested[key] as object | null | undefined) ?? {}),
  });
  const login = requested.administratorLogin ?? current['administratorLogin'];
  return {
    replica: { role: 'Primary', capacity: 5 },
    storage: storageOf(requested, existing),
    network: merged('network', { publicNetworkAccess: 'Enabled' }),
    privateEndpointConnections: [],
    dataEncryption: merged('dataEncryption', { type: 'SystemManaged' }),
    authConfig,
    fullyQualifiedDomainName: `${name}.postgres.database.azure.com`,
    version,
    minorVersion: '0',
    ...(login === undefined ? {} : { administratorLogin: login }),
    state: 'Ready',
    availabilityZone: requested.availabilityZone ?? current['availabilityZone'] ?? '1',
    backup: merged('backup', { backupRetentionDays: 7, geoRedundantBackup: 'Disabled' }),
    highAvailability: { ...merged('highAvailability', { mode: 'Disabled' }), state: 'NotEnabled' },
    maintenanceWindow: merged('maintenanceWindow', {
      customWindow: 'Disabled',
      dayOfWeek: 0,
      startHour: 0,
      startMinute: 0,
    }),
    replicationRole: 'Primary',
    replicaCapacity: 5,
  };
}
