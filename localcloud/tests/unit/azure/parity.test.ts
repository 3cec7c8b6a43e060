import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ActivityLog } from '../../../azure/arm/activityLog';
import { LongRunning } from '../../../azure/arm/longRunning';
import { Operations } from '../../../azure/arm/operations';
import { KUBERNETES_VERSION } from '../../../azure/arm/resources/clusterVersion';
import { Clusters } from '../../../azure/arm/resources/clusterLifecycle';
import { armEndpoints } from '../../../azure/arm/routes';
import { apiVersionsOf, checkApiVersion, KNOWN_TYPES } from '../../../azure/arm/apiVersions';
import data from '../../../azure/arm/publishedVersions.json';
import { versionsOf } from '../../../azure/arm/publishedVersions';
import { ControllableClock } from '../../../azure/clock';
import { Faults } from '../../../azure/faults';
import { GRAPH_ENDPOINTS } from '../../../azure/graph/routes';
import { VAULT_ENDPOINTS } from '../../../azure/keyvault/service';
import { PARITY, parityTable } from '../../../azure/parity';
import { Store } from '../../../azure/store/store';

const VAULTS = 'Microsoft.KeyVault/dataPlane';
const root = path.resolve(__dirname, '../../../..');
/** Names of claims about all operations of a service. */
const GENERAL = ['Answers', 'Authorisation', 'Authorisation_AccessPolicy', 'Authorisation_Rbac', 'Network'];

const operationsOf = (endpoints: readonly { operation: string }[]): string[] =>
  [...new Set(endpoints.map(({ operation }) => operation))].sort();

const claimed = (service: string): string[] =>
  [...new Set(PARITY.filter((row) => row.service === service).flatMap(({ operations }) => operations))]
    .filter((operation) => !GENERAL.includes(operation))
    .sort();

describe('the parity table', () => {
  it.each(PARITY.map(({ test, testFile }) => [test, testFile]))(
    'names a test that exists: %s',
    (name, file) => {
      const source = readFileSync(path.join(root, 'localcloud/tests/services', file), 'utf8');
      const titles = [...source.matchAll(/\(\s*(['"])((?:(?!\1).)+)\1,\s*async/g)].map((match) => match[2]);
      expect(titles).toContain(name);
    },
  );

  it('has the operations of the resource manager and no other, and their types have api-versions', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parity-'));
    const [clock, store] = [new ControllableClock(), new Store(folder)];
    const operations = new Operations(store, clock);
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const runtime = {
      ensure: () => Promise.resolve(),
      stop: () => Promise.resolve(),
      rotateCertificates: () => Promise.resolve(),
      remove: () => Promise.resolve(),
      kubeconfig: () => Promise.resolve(''),
      issuerDocument: () => Promise.resolve({}),
    };
    const clusters = new Clusters(store, operations, runtime, logger);
    const longRunning = new LongRunning(store, clock, operations, new Faults());
    const activities = new ActivityLog(path.join(folder, 'activity.jsonl'));
    const context = { store, clock, operations, longRunning, activities, clusters, logger };
    const endpoints = armEndpoints(context);
    rmSync(folder, { recursive: true });

    expect(claimed('Resource manager')).toEqual(operationsOf(endpoints));
    expect(endpoints.filter((endpoint) => apiVersionsOf(endpoint.type).length === 0)).toEqual([]);
  });

  it.each([
    ['Key Vault', VAULT_ENDPOINTS],
    ['Microsoft Graph', GRAPH_ENDPOINTS],
  ])('has the operations of %s and no other', (service, endpoints) => {
    expect(claimed(service)).toEqual(operationsOf(endpoints));
  });

  it.each([
    ['Microsoft.Resources/resourceGroups', 'resources/resourceGroup'],
    ['Microsoft.ManagedIdentity/userAssignedIdentities', 'managedidentity/userAssignedIdentity'],
    [
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
      'managedidentity/federatedIdentityCredential',
    ],
    ['Microsoft.KeyVault/vaults', 'keyvault/vault'],
    ['Microsoft.KeyVault/vaults/secrets', 'keyvault/secret'],
    ['Microsoft.Authorization/roleAssignments', 'authorization/roleAssignment'],
    ['Microsoft.Authorization/roleDefinitions', 'authorization/roleDefinition'],
    ['Microsoft.ContainerService/managedClusters', 'containerservice/managedCluster'],
    ['Microsoft.ContainerService/managedClusters/identityBindings', 'containerservice/identityBinding'],
    ['Microsoft.OperationalInsights/workspaces', 'operationalinsights/workspace'],
    ['Microsoft.Insights/diagnosticSettings', 'monitor/diagnosticSetting'],
    ['Microsoft.Authorization/locks', 'authorization/managementLockByScope'],
    ['Microsoft.Storage/storageAccounts', 'storage/storageAccount'],
    ['Microsoft.Storage/storageAccounts', 'storage/listStorageAccountKeys'],
    ['Microsoft.Cache/redis', 'redis/listRedisKeys'],
    ['Microsoft.ServiceBus/namespaces/AuthorizationRules', 'servicebus/listNamespaceKeys'],
    ['Microsoft.DBforPostgreSQL/flexibleServers', 'dbforpostgresql/server'],
    ['Microsoft.Network/privateEndpoints', 'network/privateEndpoint'],
    ['Microsoft.Network/privateEndpoints/privateDnsZoneGroups', 'network/privateDnsZoneGroup'],
    ['Microsoft.Network/virtualNetworks', 'network/virtualNetwork'],
    ['Microsoft.Network/virtualNetworks/subnets', 'network/subnet'],
    ['Microsoft.Network/networkSecurityGroups', 'network/networkSecurityGroup'],
    ['Microsoft.Network/dnsZones', 'dns/zone'],
  ])('%s has the api-version that azure-native sends', (type, file) => {
    const declaration = path.join(root, 'node_modules/@pulumi/azure-native', `${file}.d.ts`);
    const [, version] =
      /Uses Azure REST API version ([\d-]+(?:-preview)?)\./.exec(readFileSync(declaration, 'utf8')) ?? [];
    expect(apiVersionsOf(type)).toContain(version);
  });

  it.each(Object.entries(data.sent))(
    '%s has every api-version that the newest clients send',
    (type, sent) => {
      const served = type === VAULTS ? versionsOf(VAULTS) : apiVersionsOf(type);
      expect(sent.filter((version) => !served.includes(version))).toEqual([]);
    },
  );

  it('has what the newest Azure CLI sends, as the data says', () => {
    expect(data.sources).toContainEqual(expect.stringMatching(/^azure-cli /));
    expect(data.sent).toMatchObject({
      'Microsoft.KeyVault/vaults': expect.arrayContaining(['2026-02-01', '2026-05-15']) as string[],
      'Microsoft.Network/networkSecurityGroups': expect.arrayContaining(['2022-01-01']) as string[],
      'Microsoft.Network/privateEndpoints': expect.arrayContaining(['2026-01-01']) as string[],
    });
    expect(versionsOf(VAULTS)).toEqual(expect.arrayContaining(['7.6-preview.2', '2026-01-01-preview']));
  });

  it.each([
    ['Microsoft.Authorization/roleAssignments', '2017-09-01', true],
    ['Microsoft.Authorization/roleDefinitions', '2018-07-01', true],
    ['Microsoft.Authorization/roleDefinitions', '2018-09-01-preview', false],
    ['Microsoft.Insights/diagnosticSettings', '2020-01-01-preview', false],
    ['Microsoft.ContainerService/managedClusters/identityBindings', '2026-03-01', false],
    ['Microsoft.ContainerService/managedClusters/identityBindings', '2026-04-01', true],
    ['Microsoft.DBforPostgreSQL/flexibleServers', '2020-11-05-preview', false],
    ['Microsoft.DBforPostgreSQL/flexibleServers/databases', '2020-11-05-preview', true],
  ])('%s has the older api-version %s: %s', (type, version, expected) => {
    expect(apiVersionsOf(type).includes(version)).toBe(expected);
  });

  it('has every api-version of a type once, from the oldest to the newest, and refuses any other', () => {
    for (const type of KNOWN_TYPES) {
      const versions = apiVersionsOf(type);
      expect(versions.filter((version) => !/^20\d\d-[01]\d-[0-3]\d(-preview)?$/.test(version))).toEqual([]);
      expect(new Set(versions).size).toBe(versions.length);
      expect(() => checkApiVersion(type, '2024-02-29')).toThrow(/2024-02-29/);
    }
  });

  it('has the Kubernetes version that the toolchain builds', () => {
    const pins = readFileSync(path.join(root, 'localcloud/toolchain/modules/core/go.mod'), 'utf8');
    expect(/k8s\.io\/kubernetes v([\d.]+)/.exec(pins)?.[1]).toBe(KUBERNETES_VERSION);
  });

  it('is written as a Markdown table of five columns', () => {
    const widths = parityTable()
      .split('\n')
      .map((line) => line.replaceAll('\\|', '').split('|').length);
    expect(new Set(widths)).toEqual(new Set([7]));
  });
});
