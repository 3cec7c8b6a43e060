/**
 * Vaults with everything that a configuration can say of them, through the vendors' clients: that Azure has it, that a
 * second update changes nothing, and that a lock stands in the way of neither a removal that takes it away nor of the
 * end. It does not prove that addresses are refused or names resolved as Azure's networks do it.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('vaults');
const stack = 'vaults';
const file = path.join(projectRoot, 'examples/configurations/vaults/Pulumi.vaults.yaml');
const group = 'rg-workload-identity-vaults';
const vaultNames = ['kv-wi-vaults', 'kv-wi-vaults-reports'];
const example = { stack, yaml: readFileSync(file, 'utf8') };
let azure: AzureClients;

type Settings = Record<string, unknown>;
const setting = (key: string) => `aks-workload-identity:${key}`;

/** The example without its lock and without one application. */
function unlockedWithout(application: string) {
  const { config } = parse(example.yaml) as { config: Settings };
  const vault = config[setting('vault')] as Settings;
  const applications = config[setting('applications')] as { name: string }[];
  return {
    stack,
    yaml: stringify({
      config: {
        ...config,
        [setting('vault')]: { ...vault, lock: false },
        [setting('applications')]: applications.filter(({ name }) => name !== application),
      },
    }),
  };
}

/** What the resource manager answers; `version` is the api-version. */
async function read<T>(id: string, version: string): Promise<T> {
  const { status, body } = await azure.request('GET', `${id}?api-version=${version}`);
  if (status !== 200) throw new Error(`${id}: ${JSON.stringify(body)}`);
  return body as T;
}

const idOf = (type: string, name: string) =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
const vaultId = (name: string) => idOf('Microsoft.KeyVault/vaults', name);
const locksOf = async (id: string) =>
  (
    await read<{ value: { properties: { level: string } }[] }>(
      `${id}/providers/Microsoft.Authorization/locks`,
      '2020-05-01',
    )
  ).value;

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

describe('vaults behind a firewall', () => {
  it('come up, and are read through their private endpoints', async () => {
    expect((await cloud.up(example)).output).toMatch(/\d+ checks passed, 0 failed/);
  });

  it.each(vaultNames)('have the firewall, the retention and the tags of the file: %s', async (name) => {
    const { tags, properties } = await azure.vaults().vaults.get(group, name);

    expect(tags).toEqual({
      environment: 'vaults',
      data: name === 'kv-wi-vaults' ? 'confidential' : 'internal',
    });
    expect(properties).toMatchObject({
      enableRbacAuthorization: name === 'kv-wi-vaults',
      publicNetworkAccess: 'Enabled',
      enablePurgeProtection: true,
      softDeleteRetentionInDays: 30,
      networkAcls: {
        defaultAction: 'Deny',
        bypass: 'AzureServices',
        ipRules: [{ value: '203.0.113.0/24' }],
        virtualNetworkRules: [{ id: expect.stringMatching(/\/subnets\/nodes$/) as unknown }],
      },
    });
  });

  it.each(vaultNames)('have an endpoint whose name is in the private zone: %s', async (name) => {
    // Ends with the digest of the subnet's id.
    const endpoint = idOf('Microsoft.Network/privateEndpoints', `pe-${name}-vnet-apps-endpoints-7a0c7530`);

    const { properties } = await read<{
      properties: { privateLinkServiceConnections: { properties: Settings }[] };
    }>(endpoint, '2024-05-01');
    expect(properties.privateLinkServiceConnections[0]?.properties).toMatchObject({
      privateLinkServiceId: vaultId(name),
      groupIds: ['vault'],
    });
    expect(await read(`${endpoint}/privateDnsZoneGroups/default`, '2024-05-01')).toMatchObject({
      properties: {
        privateDnsZoneConfigs: [
          {
            properties: {
              privateDnsZoneId: expect.stringMatching(/privatelink\.vaultcore\.azure\.net$/) as unknown,
            },
          },
        ],
      },
    });
  });

  it('send their audit logs, and those of the cluster, to the workspace', async () => {
    const workspaceId = idOf('Microsoft.OperationalInsights/workspaces', 'log-wi-vaults');
    const logs = async (id: string) =>
      (
        await read<{ value: { properties: Settings }[] }>(
          `${id}/providers/Microsoft.Insights/diagnosticSettings`,
          '2021-05-01-preview',
        )
      ).value.map(({ properties }) => properties);

    for (const name of vaultNames) {
      expect(await logs(vaultId(name))).toMatchObject([
        { workspaceId, logs: [{ categoryGroup: 'audit', enabled: true }] },
      ]);
    }
    expect(await logs(idOf('Microsoft.ContainerService/managedClusters', 'aks-vaults'))).toMatchObject([
      { workspaceId, logs: [{ category: 'kube-audit-admin' }, { category: 'guard' }] },
    ]);
  });

  it.each(vaultNames)('are locked: Azure does not delete %s', async (name) => {
    expect(await locksOf(vaultId(name))).toMatchObject([{ properties: { level: 'CanNotDelete' } }]);
    await expect(azure.vaults().vaults.delete(group, name)).rejects.toMatchObject({ code: 'ScopeLocked' });
  });

  it('are locked with the role assignments in them', async () => {
    const scope = `${vaultId('kv-wi-vaults')}/secrets/billing-db`;
    const { roleAssignments } = azure.authorization();
    const here = await all(roleAssignments.listForScope(scope));
    // Those of the scopes above hold here as well.
    const [grant] = here.filter((one) => one.scope?.toLowerCase() === scope.toLowerCase());

    await expect(roleAssignments.deleteById(grant?.id ?? '')).rejects.toMatchObject({ code: 'ScopeLocked' });
  });

  it('are changed by no second up, and show no drift', async () => {
    expect((await cloud.up(example)).steps.summary).toEqual([]);
    await cloud.refresh(example);
  });
});

describe('an application that goes', () => {
  it('takes its grants with it where the lock goes too, in one update', async () => {
    const { steps } = await cloud.up(unlockedWithout('billing'));

    const changed = steps.summary.filter((step) => !/kubernetes:|aks-workload-identity:/.test(step));
    expect(changed).toEqual(
      expect.arrayContaining([
        'delete azure-native:authorization:ManagementLockByScope kv-wi-vaults-lock',
        'delete azure-native:authorization:RoleAssignment kv-wi-vaults/aks-vaults-billing/billing-db',
      ]),
    );
    // Nothing of the applications that stay.
    expect(changed.filter((step) => !/billing|-lock$/.test(step))).toEqual([]);
    expect(await locksOf(vaultId('kv-wi-vaults'))).toEqual([]);
  });
});

describe('a vault with access policies', () => {
  interface Application {
    readonly name: string;
    readonly secrets: readonly string[];
    readonly vault?: object;
  }
  const central = { vault: { placement: 'central' } };
  const applications: readonly Application[] = [
    { name: 'orders', secrets: ['orders-db'], ...central },
    { name: 'billing', secrets: ['billing-db'], ...central },
    { name: 'reports', secrets: ['reports-db'] },
    { name: 'invoices', secrets: ['invoices-db'] },
  ];
  const charts = ['certManager', 'serviceOperator'].map(setting);

  /** Two applications in the central vault, two with vaults of their own; nothing is allowed to be deleted. */
  function policies(change: (one: Application) => Application | undefined = (one) => one) {
    const { config } = parse(example.yaml) as { config: Settings };
    const settings = {
      location: 'westeurope',
      resourceGroup: 'rg-policies',
      protect: false,
      identity: 'application',
      vaults: 'perApplication',
      vault: {
        name: 'kv-wi-policies',
        access: 'accessPolicy',
        overreach: 'accepted',
        publicAccess: true,
        softDeleteRetentionInDays: 7,
        purgeProtection: false,
      },
      clusters: [{ name: 'aks-p' }],
      applications: applications
        .flatMap((one) => change(one) ?? [])
        .map((one) => ({ ...one, image: 'ghcr.io/aks-workload-identity/reader:0.1.0', replicas: 1 })),
    };
    return {
      stack: 'policies',
      yaml: stringify({
        config: {
          ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [setting(key), value])),
          ...Object.fromEntries(charts.map((key) => [key, config[key]])),
        },
      }),
    };
  }
  const withSecret = (name: string) => (one: Application) =>
    one.name === name ? { ...one, secrets: [...one.secrets, `${name}-key`] } : one;
  const without =
    (...names: string[]) =>
    (one: Application): Application | undefined =>
      names.includes(one.name) ? undefined : one;
  /** What removing an application takes away: what it was, and whom it could be. */
  const gone = (name: string, vault: string) => [
    `delete aks-workload-identity:application:Workload aks-p-${name}`,
    `delete aks-workload-identity:identity:FederatedCredentials aks-p-${name}`,
    `delete azure-native:keyvault:AccessPolicy ${vault}/aks-p-${name}`,
    `delete azure-native:managedidentity:FederatedIdentityCredential aks-p-${name}/${name}_${name}`,
    `delete kubernetes:apps/v1:Deployment aks-p-${name}`,
    `delete kubernetes:core/v1:Namespace aks-p/${name}`,
    `delete kubernetes:core/v1:ServiceAccount aks-p-${name}-account`,
  ];
  const readers = async (name: string) =>
    (await azure.vaults().vaults.get('rg-policies', name)).properties.accessPolicies ?? [];

  beforeAll(async () => {
    await cloud.up(policies());
  });

  it.each([
    ['central', 'orders', 'kv-wi-policies'],
    ['of its own', 'reports', 'kv-wi-policies-reports'],
  ])(
    'gets exactly the secret that an application names in addition, be it %s',
    async (_which, name, vault) => {
      const { steps } = await cloud.up(policies(withSecret(name)));

      // The policy covers every secret of the vault already.
      expect(steps.summary).toEqual([
        `create azure-native:keyvault:Secret ${vault}/${name}-key`,
        `update kubernetes:apps/v1:Deployment aks-p-${name}`,
      ]);

      const back = await cloud.up(policies());
      expect(back.steps.summary).toEqual([`update kubernetes:apps/v1:Deployment aks-p-${name}`]);
    },
  );

  it('that is central keeps the secrets of an application that goes, and loses its policy', async () => {
    expect(await readers('kv-wi-policies')).toHaveLength(2);

    const { steps } = await cloud.up(policies(without('billing')));

    expect(steps.summary).toEqual(gone('billing', 'kv-wi-policies'));
    expect(await readers('kv-wi-policies')).toHaveLength(1);
  });

  it('of an application that goes stays with its secrets, and nobody reads it', async () => {
    const { steps } = await cloud.up(policies(without('billing', 'reports')));

    expect(steps.summary).toEqual(gone('reports', 'kv-wi-policies-reports'));
    expect(await readers('kv-wi-policies-reports')).toEqual([]);
  });
});

describe('the end', () => {
  const groupExists = async () => await azure.resources().resourceGroups.checkExistence(group);

  it('takes the locks away first, and leaves a protected group, empty', async () => {
    const { config } = parse(example.yaml) as { config: Settings };
    const protecting = { stack, yaml: stringify({ config: { ...config, [setting('protect')]: true } }) };
    await cloud.up(protecting);
    expect(await locksOf(vaultId('kv-wi-vaults'))).toHaveLength(1);

    await expect(cloud.destroy(protecting)).rejects.toThrow(/rg-workload-identity-vaults.*protected/s);

    const left = (await cloud.urns(stack)).filter((urn) => !/::pulumi:/.test(urn));
    expect(left).toEqual([expect.stringMatching(/:ResourceGroup::rg-workload-identity-vaults$/)]);
    expect(await groupExists()).toMatchObject({ body: true });
    expect(await all(azure.resources().resources.listByResourceGroup(group))).toEqual([]);
  });

  it('takes a group that is no longer protected', async () => {
    await cloud.pulumi({ stack }, 'state', 'unprotect', '--all', '--yes');

    await cloud.destroy({ stack });

    expect(await groupExists()).toMatchObject({ body: false });
  });
});
