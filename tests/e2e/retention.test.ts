/**
 * Nothing is deleted only because it leaves the stack file. The tests cover what stays, what is deleted, how it
 * comes back, how to delete it, and how `aks-wi import` imports it after a loss of the state. They use the
 * local Azure through the vendors' clients, and do not prove the official plugin's import.
 *
 * The tests are steps of one story and run in order.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';
import type { StackRequest } from '../support/localCloud';
import { exampleFile } from './support/exampleFile';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('retention');
const stack = 'retention';
const example = exampleFile('retention');
const group = 'rg-retention';
const file = path.join(cloud.state, 'Pulumi.retention.yaml');
let azure: AzureClients;
const assignment = randomUUID();

interface Settings {
  [setting: string]: unknown;
  'aks-workload-identity:applications': { name: string; vault?: object }[];
  'aks-workload-identity:clusters': { name: string }[];
}

const { config } = parse(example) as { config: Settings };

/** A stack file with the settings of the example, and changes. */
function configuration(changes: Record<string, unknown> = {}): StackRequest {
  const prefixed = Object.entries(changes).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
  writeFileSync(file, stringify({ config: { ...config, ...(Object.fromEntries(prefixed) as object) } }));
  return { stack, file: path.relative(projectRoot, file) };
}

const applications = (...names: string[]) =>
  config['aks-workload-identity:applications'].filter(({ name }) => names.includes(name));

const id = (type: string, name: string) =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
const identityId = (name: string) => id('Microsoft.ManagedIdentity/userAssignedIdentities', name);
const vaultId = (name: string) => id('Microsoft.KeyVault/vaults', name);
const clusterId = (name: string) => id('Microsoft.ContainerService/managedClusters', name);

const identities = async () =>
  (await all(azure.identities().userAssignedIdentities.listByResourceGroup(group)))
    .map(({ name }) => name)
    .sort();
const clusters = async () =>
  (await all(azure.clusters().managedClusters.listByResourceGroup(group))).map(({ name }) => name).sort();
const credentials = async (identity: string) =>
  (await all(azure.identities().federatedIdentityCredentials.list(group, identity)))
    .map(({ name }) => name)
    .sort();
const secret = async (vault: string, name: string) =>
  (await azure.vaults().secrets.get(group, vault, name)).properties.secretUriWithVersion;
const clustersOf = (...names: string[]) =>
  config['aks-workload-identity:clusters'].filter(({ name }) => names.includes(name));

const own = 'id-retention-aks-1-reports';
const reports = 'kv-wi-retention-reports';
const command = (name: string, ...args: string[]) =>
  cloud.command(name, '--stack', stack, '--local', ...args);
const importing = (...args: string[]) =>
  command('import', '--stack-file', path.relative(projectRoot, file), ...args);
/** Ids in the list of `aks-wi orphans`. */
const orphans = async () => {
  const { code, stdout, stderr } = await command('orphans', '--json');
  expect(`${code} ${stderr}`).toBe('0 ');
  return (JSON.parse(stdout) as { orphans: Orphan[] }).orphans;
};
interface Orphan {
  readonly id: string;
  readonly delete: string;
  readonly takeBack: string;
}
const inAzureSteps = (steps: readonly string[]) => steps.filter((step) => step.includes('azure-native'));

let version = '';
let scope = '';

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  scope = `${vaultId('kv-wi-retention')}/secrets/orders-db`;
});
afterAll(() => cloud.clean());

const putBack = () =>
  configuration({ clusters: clustersOf('aks-1'), applications: applications('orders', 'reports') });

describe('an application that is removed from the stack file', () => {
  it('is deployed first, and there are no orphans', async () => {
    await cloud.deploy(configuration());

    expect(await identities()).toEqual([
      'id-retention-aks-1',
      own,
      'id-retention-aks-1-trial',
      'id-retention-aks-2',
    ]);
    version = (await secret(reports, 'reports-db')) ?? '';
    expect(version).toMatch(/\/secrets\/reports-db\/[0-9a-f]{32}$/);
    expect(await orphans()).toEqual([]);
  });

  it('leaves what is retained in Azure, and deletes everything else, including a cluster that is not retained', async () => {
    const { output, steps } = await cloud.up(
      configuration({
        applications: applications('orders'),
        clusters: clustersOf('aks-1'),
      }),
    );

    expect(output).toContain('[retain]');
    expect(steps.summary).toEqual(
      expect.arrayContaining([
        'retain azure-native:keyvault:Secret kv-wi-retention-reports/reports-db',
        'retain azure-native:keyvault:Vault kv-wi-retention-reports',
        'retain azure-native:managedidentity:UserAssignedIdentity aks-1-reports',
      ]),
    );
    expect(steps.summary).toEqual(
      expect.arrayContaining([
        'delete azure-native:containerservice:ManagedCluster aks-2',
        'delete azure-native:keyvault:AccessPolicy kv-wi-retention-reports/aks-1-reports',
        'delete azure-native:managedidentity:FederatedIdentityCredential aks-1-reports/reports_reports',
        'delete kubernetes:core/v1:Namespace aks-1/reports',
      ]),
    );
    expect(await identities()).toEqual(['id-retention-aks-1', own]);
    expect(await clusters()).toEqual(['aks-1']);
    expect(await credentials(own)).toEqual([]);
    expect(await secret(reports, 'reports-db')).toBe(version);
    const { properties } = await azure.vaults().vaults.get(group, reports);
    expect(properties.accessPolicies).toEqual([]);
    expect(await cloud.urns(stack)).not.toContainEqual(expect.stringContaining('reports'));
  });

  it('is listed, with the commands that delete it and import it', async () => {
    const found = await orphans();

    expect(found.map(({ id: left }) => left).sort()).toEqual(
      [identityId(own), vaultId(reports), `${vaultId(reports)}/secrets/reports-db`].sort(),
    );
    expect(found.find(({ id: left }) => left === identityId(own))).toMatchObject({
      delete: `az resource delete --ids ${identityId(own)}`,
      takeBack: `npx aks-wi import --stack ${stack}`,
    });
  });

  it('is refused when it is put back, with the hint to import it', async () => {
    const reported = await cloud.refusedUp(putBack());

    // All in one error, though the engine stops at the first failure. The vault stands for its secrets.
    const messages = [identityId(own), vaultId(reports)]
      .map((id) => `${id} exists in Azure, and the stack would create it.`)
      .sort();
    expect(reported.replaceAll(/^ +/gm, '')).toContain(messages.join('\n'));
    expect(reported).toContain(`npx aks-wi import --stack ${stack}`);
    expect(await credentials(own)).toEqual([]);
  });

  it('is imported without replacement', async () => {
    putBack();
    const taken = await importing('--yes');
    expect(`${taken.code} ${taken.stdout}${taken.stderr}`).toContain('3 resources are now in the stack');

    const steps = await cloud.deploy(putBack());
    expect(steps.summary.filter((step) => /replace|delete/.test(step))).toEqual([]);
    expect(inAzureSteps(steps.summary)).toEqual([
      'create azure-native:keyvault:AccessPolicy kv-wi-retention-reports/aks-1-reports',
      'create azure-native:managedidentity:FederatedIdentityCredential aks-1-reports/reports_reports',
      'update azure-native:keyvault:Secret kv-wi-retention-reports/reports-db',
    ]);
    expect(await orphans()).toEqual([]);
  });
});

describe('a stack that is destroyed', () => {
  it('leaves what is retained, and lists it', async () => {
    const outputs = await cloud.outputs(stack);
    await cloud.destroy({ stack });

    expect(await cloud.urns(stack)).toEqual([]);
    expect(await identities()).toEqual(['id-retention-aks-1', own]);
    const left = (await orphans()).map((orphan) => orphan.id);
    expect(left).toEqual(
      expect.arrayContaining([
        `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}`,
        clusterId('aks-1'),
        identityId('id-retention-aks-1'),
        `${vaultId('kv-wi-retention')}/secrets/orders-db`,
      ]),
    );
    // For the next test: a federated credential and a role assignment with other names.
    const cluster = outputs.clusters['aks-1'];
    if (cluster === undefined) throw new Error('the stack lacks the cluster');
    await azure.authorization().roleAssignments.create(scope, assignment, {
      principalId: cluster.identity.principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`,
    });
    await azure
      .identities()
      .federatedIdentityCredentials.createOrUpdate(group, 'id-retention-aks-1', 'by-hand', {
        issuer: cluster.issuer,
        subject: 'system:serviceaccount:orders:orders',
        audiences: ['api://AzureADTokenExchange'],
      });
  });

  it('is imported completely, with role assignments and credentials under other names, which are recorded', async () => {
    const requested = putBack();
    writeFileSync(file, `# A comment of its owner.\n${readFileSync(file, 'utf8')}`);
    const dry = await importing('--dry-run');
    expect(`${dry.stdout}${dry.stderr}`).toContain(clusterId('aks-1'));
    expect(await cloud.urns(stack)).toEqual([]);
    const asked = await importing();
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('run the command again with --yes');

    const taken = await importing('--yes');
    expect(`${taken.code} ${taken.stdout}${taken.stderr}`).toContain('resources are now in the stack');
    expect(taken.stdout).not.toContain('would replace');
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^# A comment of its owner\.\n/);
    const recorded = parse(text) as { config: Record<string, unknown> };
    expect(recorded.config['aks-workload-identity:imported']).toEqual({
      roleAssignments: { 'kv-wi-retention/aks-1/orders-db': assignment },
      federatedCredentials: { 'aks-1/orders_orders': 'by-hand' },
    });

    const steps = await cloud.deploy(requested);
    expect(steps.summary.filter((step) => step.includes('replace'))).toEqual([]);
    expect(inAzureSteps(steps.summary)).toEqual([
      'create azure-native:keyvault:AccessPolicy kv-wi-retention-reports/aks-1-reports',
      'create azure-native:managedidentity:FederatedIdentityCredential aks-1-reports/reports_reports',
      'update azure-native:keyvault:Secret kv-wi-retention-reports/reports-db',
      'update azure-native:keyvault:Secret kv-wi-retention/orders-db',
    ]);
    expect(await credentials('id-retention-aks-1')).toEqual(['by-hand']);
    const assigned = await all(azure.authorization().roleAssignments.listForScope(scope));
    expect(assigned.filter(({ scope: at }) => at === scope).map(({ name }) => name)).toEqual([assignment]);
    expect((await cloud.deploy(requested)).changed).toEqual([]);
  });
});
