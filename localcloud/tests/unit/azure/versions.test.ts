import { apiVersionsOf } from '../../../azure/arm/apiVersions';
import { CHANGES } from '../../../azure/arm/versionChanges';
import { inNewestVersion, inVersion } from '../../../azure/arm/versions';

const STORAGE = 'Microsoft.Storage/storageAccounts';
const SERVER = 'Microsoft.DBforPostgreSQL/flexibleServers';
const CLUSTER = 'Microsoft.ContainerService/managedClusters';
const VAULT = 'Microsoft.KeyVault/vaults';

describe('what changed between api-versions', () => {
  it.each(Object.entries(CHANGES))('of %s did in versions that are published', (type, changes) => {
    const [oldest = '', ...later] = apiVersionsOf(type);
    for (const { since } of changes) {
      expect(later).toContain(since);
      expect(oldest < since).toBe(true);
    }
  });

  it('is read and shown in the form of a version, and back again', () => {
    const older = {
      type: SERVER,
      properties: {
        storageProfile: { storageMB: 32768, backupRetentionDays: 7, geoRedundantBackup: 'Enabled' },
        haEnabled: 'Disabled',
        delegatedSubnetArguments: { subnetArmResourceId: '/subnet' },
      },
    };
    const newest = {
      type: SERVER,
      properties: {
        storage: { storageSizeGB: 32 },
        backup: { backupRetentionDays: 7, geoRedundantBackup: 'Enabled' },
        highAvailability: { mode: 'Disabled' },
        network: { delegatedSubnetResourceId: '/subnet' },
      },
    };
    expect(inNewestVersion(SERVER, '2020-02-14-preview', older, false, undefined)).toEqual(newest);
    expect(inVersion(SERVER, '2020-02-14-preview', newest)).toEqual(older);
    expect(inVersion(SERVER, '2020-02-14-preview', { value: [newest], nextLink: 'x' })).toEqual({
      value: [older],
      nextLink: 'x',
    });
  });

  it('leaves the newest version, other types and non-objects alone', () => {
    const body = { type: SERVER, properties: { haEnabled: 'Enabled' } };
    expect(inNewestVersion(SERVER, '2026-10-01', body, true, undefined)).toEqual(body);
    expect(inVersion(SERVER, '2026-10-01', body)).toBe(body);
    expect(inNewestVersion('Microsoft.Network/dnsZones', '2018-10-01', body, true, undefined)).toBe(body);
    for (const value of [undefined, null, 'text', []]) {
      expect(inNewestVersion(SERVER, '2020-02-14-preview', value, true, undefined)).toBe(value);
      expect(inVersion(SERVER, '2020-02-14-preview', value)).toBe(value);
    }
  });

  it('shows what any endpoint of the provider answers, and no list of the resource manager', () => {
    const cluster = { type: CLUSTER, sku: { name: 'Base', tier: 'Standard' } };
    const list = { value: [cluster] };
    expect(inVersion('Microsoft.ContainerService/locations/operations', '2022-01-01', cluster)).toMatchObject(
      {
        sku: { name: 'Basic', tier: 'Paid' },
      },
    );
    expect(inVersion('Microsoft.Resources/resources', '2021-04-01', list)).toEqual(list);
  });

  it.each([
    ['of a new resource', true, undefined, { enableRbacAuthorization: false }],
    ['of an existing one', true, { properties: {} }, undefined],
    ['of a change', false, { properties: {} }, undefined],
  ])('has the default of the version in a request %s or not', (_which, put, existing, properties) => {
    expect(inNewestVersion(VAULT, '2025-05-01', {}, put, existing)).toEqual(properties ? { properties } : {});
    expect(inNewestVersion(VAULT, '2026-02-01', {}, put, existing)).toEqual({});
    const body = { properties: { enableRbacAuthorization: true } };
    expect(inNewestVersion(VAULT, '2025-05-01', body, put, existing)).toEqual(body);
  });

  it('leaves what a version does not have out of its answers, and as it is in the resource', () => {
    const account = { type: STORAGE, kind: 'StorageV2', sku: { name: 'Standard_ZRS', tier: 'Standard' } };
    expect(inVersion(STORAGE, '2015-06-15', { ...account, properties: {} })).toEqual({
      type: STORAGE,
      properties: { accountType: 'Standard_ZRS' },
    });
    const existing = { kind: 'StorageV2', sku: { name: 'Standard_ZRS' }, properties: {} };
    expect(inNewestVersion(STORAGE, '2015-06-15', { location: 'x' }, true, existing)).toEqual({
      ...{ location: 'x', kind: 'StorageV2', sku: { name: 'Standard_ZRS' } },
    });
  });

  it('keeps what a renamed object has beside its renamed members', () => {
    const profile = { enablePrivateCluster: true, authorizedIPRanges: ['203.0.113.0/24'] };
    const cluster = { type: CLUSTER, properties: { apiServerAccessProfile: profile } };
    expect(inVersion(CLUSTER, '2019-06-01', cluster)).toEqual({
      type: CLUSTER,
      properties: {
        apiServerAccessProfile: { enablePrivateCluster: true },
        apiServerAuthorizedIPRanges: ['203.0.113.0/24'],
      },
    });
    expect(inVersion(CLUSTER, '2019-08-01', cluster)).toEqual(cluster);
    const defender = { enabled: true, logAnalyticsWorkspaceResourceId: '/w' };
    expect(
      inNewestVersion(
        CLUSTER,
        '2022-04-01',
        { properties: { securityProfile: { azureDefender: defender } } },
        true,
        undefined,
      ),
    ).toEqual({
      properties: {
        securityProfile: {
          defender: { logAnalyticsWorkspaceResourceId: '/w', securityMonitoring: { enabled: true } },
        },
      },
    });
  });
});
