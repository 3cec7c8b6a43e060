import { parse, stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import type { LocalCloud, Update } from '../support/localCloud';
import { vaultsExample } from './neighbours';

const { stack, group } = vaultsExample;
const vaultNames = ['kv-wi-vaults', 'kv-wi-vaults-reports'];

type Settings = Record<string, unknown>;
const setting = (key: string) => `aks-workload-identity:${key}`;

/** The example with other settings. */
function changed(change: (config: Settings) => Settings) {
  const { config } = parse(vaultsExample.yaml) as { config: Settings };
  return { stack, yaml: stringify({ config: { ...config, ...change(config) } }) };
}

/** The example without one application, and with other settings. */
const without = (application: string, { vault = {}, ...more }: { vault?: object; protect?: boolean }) =>
  changed((config) => {
    const applications = config[setting('applications')] as { name: string }[];
    return {
      [setting('vault')]: { ...(config[setting('vault')] as Settings), ...vault },
      [setting('applications')]: applications.filter(({ name }) => name !== application),
      ...Object.fromEntries(Object.entries(more).map(([key, value]) => [setting(key), value])),
    };
  });

/** Reads the resources in the example's group. */
function lookingInto(azure: () => AzureClients) {
  /** `version` is the api-version. */
  async function read<T>(id: string, version: string): Promise<T> {
    const { status, body } = await azure().request('GET', `${id}?api-version=${version}`);
    if (status !== 200) throw new Error(`${id}: ${JSON.stringify(body)}`);
    return body as T;
  }
  const idOf = (type: string, name: string) =>
    `/subscriptions/${azure().subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
  const vaultId = (name: string) => idOf('Microsoft.KeyVault/vaults', name);
  type Locks = { value: { properties: { level: string } }[] };
  const locksOf = async (id: string) =>
    (await read<Locks>(`${id}/providers/Microsoft.Authorization/locks`, '2020-05-01')).value;
  return { read, idOf, vaultId, locksOf };
}

/**
 * The example, and its resources in the resource manager.
 *
 * @param first the update that deployed it
 */
export function vaultsSuite(cloud: LocalCloud, first: () => Update): void {
  let azure: AzureClients;
  beforeAll(async () => {
    azure = await cloud.azure();
  });

  const { read, idOf, vaultId, locksOf } = lookingInto(() => azure);

  describe('vaults behind a firewall', () => {
    it('are deployed, and are read through their private endpoints', () => {
      expect(first().output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    });

    it.each(vaultNames)('have the firewall, the retention and the tags of the file: %s', async (name) => {
      const { tags, properties } = await azure.vaults().vaults.get(group, name);

      expect(tags).toEqual({
        environment: 'vaults',
        data: name === 'kv-wi-vaults' ? 'confidential' : 'internal',
        'pulumi-stack': 'aks-workload-identity/vaults',
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

    it.each(vaultNames)('have an endpoint with a record in the private DNS zone: %s', async (name) => {
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
      // The list includes assignments at scopes above.
      const [grant] = here.filter((assignment) => assignment.scope?.toLowerCase() === scope.toLowerCase());

      await expect(roleAssignments.deleteById(grant?.id ?? '')).rejects.toMatchObject({
        code: 'ScopeLocked',
      });
    });

    it('do not change in a second up, and show no drift', async () => {
      expect(await cloud.changesOfSecondUpdate(vaultsExample)).toEqual([]);
    });
  });

  describe('an application that is removed', () => {
    it('loses its grants in the same update as the lock', async () => {
      const steps = await cloud.deploy(without('billing', { vault: { lock: false } }));

      const changed = steps.summary.filter((step) => !/kubernetes:|aks-workload-identity:/.test(step));
      expect(changed).toEqual(
        expect.arrayContaining([
          'delete azure-native:authorization:ManagementLockByScope kv-wi-vaults-lock',
          'delete azure-native:authorization:RoleAssignment kv-wi-vaults/aks-vaults-billing/billing-db',
        ]),
      );
      // Nothing of the remaining applications changes.
      expect(changed.filter((step) => !/billing|-lock$/.test(step))).toEqual([]);
      expect(await locksOf(vaultId('kv-wi-vaults'))).toEqual([]);
    });
  });

  describe('a role on the vault under a condition', () => {
    const unlocked = (grants: string) => without('billing', { vault: { lock: false, grants } });

    it('replaces those on each secret, and opens the same', async () => {
      const { output, steps } = await cloud.up(unlocked('condition'));

      // In this order, so that the secret stays readable.
      const assignments = steps.changed.filter(({ urn }) => urn.includes(':RoleAssignment::'));
      expect(assignments.map(({ op, urn }) => `${op} ${urn.split('::').at(-1) ?? ''}`)).toEqual([
        'create kv-wi-vaults/aks-vaults',
        'delete kv-wi-vaults/aks-vaults/orders-db',
      ]);
      expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
      expect(await cloud.changesOfSecondUpdate(unlocked('condition'))).toEqual([]);
      await cloud.deploy(unlocked('secret'));
    });
  });
}

/** The end of the example. The cluster is deleted as well, so nothing can use it afterwards. */
export function vaultsEndSuite(cloud: LocalCloud): void {
  let azure: AzureClients;
  beforeAll(async () => {
    azure = await cloud.azure();
  });
  const { vaultId, locksOf } = lookingInto(() => azure);
  const groupExists = async () => await azure.resources().resourceGroups.checkExistence(group);

  it('deletes the locks first, and keeps what is protected', async () => {
    const protecting = without('billing', { protect: true });
    await cloud.deploy(protecting);
    expect(await locksOf(vaultId('kv-wi-vaults'))).toHaveLength(1);

    await expect(cloud.destroy(protecting)).rejects.toThrow(/is protected/);

    const protectedOnes = ['kv-wi-vaults', 'log-wi-vaults'];
    const left = (await cloud.urns(stack)).filter((urn) =>
      /azure-native:\w+:(Vault|Workspace|ResourceGroup)::/.test(urn),
    );
    expect(left.map((urn) => urn.split('::').at(-1))).toEqual(
      expect.arrayContaining([...protectedOnes, group]),
    );
    const inGroup = await all(azure.resources().resources.listByResourceGroup(group));
    expect(inGroup.map(({ name }) => name)).toEqual(expect.arrayContaining(protectedOnes));
  });

  it('deletes what is no longer protected', async () => {
    await cloud.pulumi({ stack }, 'state', 'unprotect', '--all', '--yes');

    await cloud.destroy({ stack });

    expect(await groupExists()).toMatchObject({ body: false });
  });
}
