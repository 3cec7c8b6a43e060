/**
 * That nothing is deleted because a line of the stack file is: what stays, what goes, how it comes back, how it is
 * deleted after all, and how `aks-wi adopt` takes it in when the stack has forgotten it. Asked of the local Azure through
 * the vendors' clients. It does not prove what Azure's own import answers: the local plugin reads as the official one does.
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

jest.setTimeout(15 * 60_000);

const cloud = localCloud('keeping');
const stack = 'keeping';
const example = readFileSync(
  path.join(projectRoot, 'examples/configurations/keeping/Pulumi.keeping.yaml'),
  'utf8',
);
const group = 'rg-keeping';
const file = path.join(cloud.state, 'Pulumi.keeping.yaml');
let azure: AzureClients;

interface Settings {
  [setting: string]: unknown;
  'aks-workload-identity:applications': { name: string; vault?: object }[];
  'aks-workload-identity:clusters': { name: string }[];
}

const { config } = parse(example) as { config: Settings };

/** A stack file with the settings of the example, and others. */
function configuration(changes: Record<string, unknown> = {}): StackRequest {
  const prefixed = Object.entries(changes).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
  writeFileSync(file, stringify({ config: { ...config, ...(Object.fromEntries(prefixed) as object) } }));
  return { stack, file: path.relative(projectRoot, file) };
}

const applications = (...names: string[]) =>
  config['aks-workload-identity:applications'].filter(({ name }) => names.includes(name));
const clustersOf = (...names: string[]) =>
  config['aks-workload-identity:clusters'].filter(({ name }) => names.includes(name));

const id = (type: string, name: string) =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
const identityId = (name: string) => id('Microsoft.ManagedIdentity/userAssignedIdentities', name);
const vaultId = (name: string) => id('Microsoft.KeyVault/vaults', name);
const clusterId = (name: string) => id('Microsoft.ContainerService/managedClusters', name);

const identities = async () =>
  (await all(azure.identities().userAssignedIdentities.listByResourceGroup(group)))
    .map(({ name }) => name)
    .sort();
const vaults = async () =>
  (await all(azure.vaults().vaults.listByResourceGroup(group))).map(({ name }) => name).sort();
const clusters = async () =>
  (await all(azure.clusters().managedClusters.listByResourceGroup(group))).map(({ name }) => name).sort();
const credentials = async (identity: string) =>
  (await all(azure.identities().federatedIdentityCredentials.list(group, identity)))
    .map(({ name }) => name)
    .sort();
const secret = async (vault: string, name: string) =>
  (await azure.vaults().secrets.get(group, vault, name)).properties.secretUriWithVersion;

const own = 'id-keeping-aks-1-reports';
const everyIdentity = ['id-keeping-aks-1', own, 'id-keeping-aks-1-trial', 'id-keeping-aks-2'];

let version = '';

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

describe('an application that is removed', () => {
  it('comes up first', async () => {
    await cloud.up(configuration());

    expect(await identities()).toEqual(everyIdentity);
    version = (await secret('kv-wi-keeping-reports', 'reports-db')) ?? '';
    expect(version).toMatch(/\/secrets\/reports-db\/[0-9a-f]{32}$/);
  });

  it('leaves its identity, its vault and its secret, and takes everything else; a warning says so', async () => {
    const { output, steps } = await cloud.up(
      configuration({ applications: applications('orders', 'trial') }),
    );

    expect(steps.summary).toEqual([
      'delete aks-workload-identity:application:Workload aks-1-reports',
      'delete aks-workload-identity:identity:FederatedCredentials aks-1-reports',
      'delete azure-native:keyvault:AccessPolicy kv-wi-keeping-reports/aks-1-reports',
      'delete azure-native:managedidentity:FederatedIdentityCredential aks-1-reports/reports_reports',
      'delete kubernetes:apps/v1:Deployment aks-1-reports',
      'delete kubernetes:core/v1:Namespace aks-1/reports',
      'delete kubernetes:core/v1:ServiceAccount aks-1-reports-account',
    ]);
    expect(await identities()).toEqual(everyIdentity);
    expect(await credentials(own)).toEqual([]);
    expect(await secret('kv-wi-keeping-reports', 'reports-db')).toBe(version);
    const { properties } = await azure.vaults().vaults.get(group, 'kv-wi-keeping-reports');
    expect(properties.accessPolicies).toEqual([]);
    for (const kept of [identityId(own), vaultId('kv-wi-keeping-reports')]) expect(output).toContain(kept);
    expect(output).toContain('list its id in aks-workload-identity:deletions');
  });

  it('is told by the stack, and nobody reads its secret', async () => {
    const { kept, vaults: known } = await cloud.outputs(stack);

    expect(kept.map(({ name, deletion }) => `${name} ${deletion}`).sort()).toEqual([
      'aks-1-reports kept',
      'kv-wi-keeping-reports kept',
      'kv-wi-keeping-reports/reports-db kept',
    ]);
    expect(known['kv-wi-keeping-reports']?.secrets).toEqual(['reports-db']);
    const { code, report } = await cloud.verify(stack);
    expect(code).toBe(0);
    expect(report.checks.filter(({ check }) => check.includes('reports-db')).length).toBeGreaterThan(0);
  });

  it('is kept by a second update that changes nothing, and a refresh finds everything as it is', async () => {
    const { output, steps } = await cloud.up(
      configuration({ applications: applications('orders', 'trial') }),
    );

    expect(steps.changed).toEqual([]);
    expect(output).toContain(identityId(own));
    await cloud.refresh({ stack });
  });

  it('comes back as it was: only its trust, its grant and its workload are made', async () => {
    const { steps } = await cloud.up(configuration());

    expect(steps.summary).toEqual([
      'create aks-workload-identity:application:Workload aks-1-reports',
      'create aks-workload-identity:identity:FederatedCredentials aks-1-reports',
      'create azure-native:keyvault:AccessPolicy kv-wi-keeping-reports/aks-1-reports',
      'create azure-native:managedidentity:FederatedIdentityCredential aks-1-reports/reports_reports',
      'create kubernetes:apps/v1:Deployment aks-1-reports',
      'create kubernetes:core/v1:Namespace aks-1/reports',
      'create kubernetes:core/v1:ServiceAccount aks-1-reports-account',
    ]);
    expect(await secret('kv-wi-keeping-reports', 'reports-db')).toBe(version);
    expect((await cloud.outputs(stack)).kept).toEqual([]);
  });
});

describe('a thing whose deletion is allowed', () => {
  it('is deleted by the update that removes it: an identity, and a cluster with all that is in it', async () => {
    const { steps } = await cloud.up(
      configuration({ applications: applications('orders', 'reports'), clusters: clustersOf('aks-1') }),
    );

    expect(steps.summary).toEqual(
      expect.arrayContaining([
        'delete azure-native:containerservice:ManagedCluster aks-2',
        'delete azure-native:managedidentity:UserAssignedIdentity aks-1-trial',
        'delete azure-native:managedidentity:UserAssignedIdentity aks-2',
      ]),
    );
    expect(await clusters()).toEqual(['aks-1']);
    expect(await identities()).toEqual(['id-keeping-aks-1', own]);
    expect((await cloud.outputs(stack)).kept).toEqual([]);
  });
});

describe('a kept thing that is listed in `deletions`', () => {
  const request = (...deletions: string[]) =>
    configuration({ applications: applications('orders'), clusters: clustersOf('aks-1'), deletions });

  it('is refused while the configuration has it', async () => {
    const entry = identityId(own);
    const told = await cloud.refusedUp(
      configuration({
        applications: applications('orders', 'reports'),
        clusters: clustersOf('aks-1'),
        deletions: [entry],
      }),
    );

    expect(told).toContain(`aks-workload-identity:deletions[0]: "${entry}" is still in the configuration.`);
  });

  it('is deleted by the second update, a vault with its secrets; before, nothing is', async () => {
    await cloud.up(request());
    const entries = [identityId(own), vaultId('kv-wi-keeping-reports')];

    const first = await cloud.up(request(...entries));
    expect(first.steps.changed).toEqual([]);
    expect(first.output).toContain('the next update deletes');
    expect(await vaults()).toContain('kv-wi-keeping-reports');

    const second = await cloud.up(request(...entries));
    expect(second.steps.summary.filter((step) => step.includes('azure-native'))).toEqual([
      'delete azure-native:keyvault:Secret kv-wi-keeping-reports/reports-db',
      'delete azure-native:keyvault:Vault kv-wi-keeping-reports',
      'delete azure-native:managedidentity:UserAssignedIdentity aks-1-reports',
    ]);
    expect(await vaults()).toEqual(['kv-wi-keeping']);
    expect(await identities()).toEqual(['id-keeping-aks-1']);

    const third = await cloud.up(request(...entries));
    expect(third.steps.changed).toEqual([]);
    expect(third.output).toContain('does not keep (any more)');
  });
});

describe('a cluster that is removed and replaced by another', () => {
  it('stays, bare, with its identities', async () => {
    const request = configuration({ clusters: [{ name: 'aks-3' }], applications: applications('orders') });
    const { output } = await cloud.up(request);

    expect(await clusters()).toEqual(['aks-1', 'aks-3']);
    expect(output).toContain(clusterId('aks-1'));
    expect(await credentials('id-keeping-aks-1')).toEqual([]);
    const { core } = await cloud.kubernetes('aks-1', group);
    const namespaces = (await core.listNamespace()).items.map(({ metadata }) => metadata?.name);
    expect(namespaces).not.toContain('orders');
    const pods = (await core.listPodForAllNamespaces()).items.map(({ metadata }) => metadata?.namespace);
    expect(pods.filter((name) => name !== 'kube-system')).not.toContain('orders');
  });
});

describe('aks-wi adopt', () => {
  // Deleted vaults keep their names for a while.
  const reportsVault = 'kv-wi-keeping-again';
  const request = () =>
    configuration({
      clusters: clustersOf('aks-1'),
      applications: applications('orders', 'reports').map((one) =>
        one.name === 'reports' ? { ...one, vault: { ...one.vault, name: reportsVault } } : one,
      ),
    });
  const adopt = (...args: string[]) =>
    cloud.command(
      'adopt',
      '--stack',
      stack,
      '--local',
      '--stack-file',
      path.relative(projectRoot, file),
      ...args,
    );

  it('takes in what a destroyed stack left behind; the update after it makes nothing in Azure that is there', async () => {
    await cloud.up(request());
    await cloud.destroy({ stack });
    expect(await cloud.urns(stack)).toEqual([]);
    expect(await identities()).toContain(own);
    expect(await clusters()).toContain('aks-1');

    const dry = await adopt('--dry-run');
    expect(`${dry.stdout}${dry.stderr}`).toContain(clusterId('aks-1'));
    expect(await cloud.urns(stack)).toEqual([]);
    const asked = await adopt();
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('run the command again with --yes');

    const taken = await adopt('--yes');
    expect(`${taken.stdout}${taken.stderr}`).toContain('resources are in the stack now');
    expect(taken.code).toBe(0);
    expect(taken.stdout).not.toContain('would replace');

    const { steps } = await cloud.up(request());
    const inAzure = steps.summary.filter((step) => step.includes('azure-native'));
    expect(
      inAzure.filter((step) => !/FederatedIdentityCredential|RoleAssignment|AccessPolicy/.test(step)),
    ).toEqual([
      'update azure-native:keyvault:Secret kv-wi-keeping-again/reports-db',
      'update azure-native:keyvault:Secret kv-wi-keeping/orders-db',
    ]);
    expect(steps.summary.filter((step) => step.includes('replace'))).toEqual([]);
    expect((await cloud.up(request())).steps.changed).toEqual([]);
  });

  it('finds grants and trust that exist under other names, and records these in the stack file', async () => {
    const outputs = await cloud.outputs(stack);
    const cluster = outputs.clusters['aks-1'];
    const reports = outputs.workloads.find(({ application }) => application === 'reports');
    if (cluster === undefined || reports === undefined)
      throw new Error('the stack lacks what this test takes in');
    await cloud.destroy({ stack });
    const scope = `${vaultId('kv-wi-keeping')}/secrets/orders-db`;
    const assignment = randomUUID();
    await azure.authorization().roleAssignments.create(scope, assignment, {
      principalId: cluster.identity.principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`,
    });
    await azure
      .identities()
      .federatedIdentityCredentials.createOrUpdate(group, 'id-keeping-aks-1', 'by-hand', {
        issuer: cluster.issuer,
        subject: 'system:serviceaccount:orders:orders',
        audiences: ['api://AzureADTokenExchange'],
      });
    await azure.vaults().vaults.updateAccessPolicy(group, reportsVault, 'add', {
      properties: {
        accessPolicies: [
          {
            tenantId: azure.tenantId,
            objectId: reports.identity.principalId,
            permissions: { secrets: ['get'] },
          },
        ],
      },
    });
    const requested = request();
    writeFileSync(file, `# A comment of its owner.\n${readFileSync(file, 'utf8')}`);

    const taken = await adopt('--yes');
    expect(`${taken.code} ${taken.stdout}${taken.stderr}`).toContain('resources are in the stack now');
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^# A comment of its owner\.\n/);
    const recorded = parse(text) as { config: Record<string, unknown> };
    expect(recorded.config['aks-workload-identity:adopted']).toEqual({
      roleAssignments: { 'kv-wi-keeping/aks-1/orders-db': assignment },
      federatedCredentials: { 'aks-1/orders_orders': 'by-hand' },
    });

    const { steps } = await cloud.up(requested);
    const inAzure = steps.summary.filter((step) => step.includes('azure-native'));
    expect(inAzure.filter((step) => /RoleAssignment|AccessPolicy|orders_orders/.test(step))).toEqual([]);
    expect(steps.summary.filter((step) => step.includes('replace'))).toEqual([]);
    expect(await credentials('id-keeping-aks-1')).toEqual(['by-hand']);
    const assigned = await all(azure.authorization().roleAssignments.listForScope(scope));
    expect(assigned.filter(({ principalId }) => principalId === cluster.identity.principalId)).toHaveLength(
      1,
    );
    expect((await cloud.up(requested)).steps.changed).toEqual([]);
  });
});
