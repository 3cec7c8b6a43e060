/**
 * An environment with existing resources, which the vendors' clients make first. One `up` uses them, changes
 * nothing in them that is not its own, and keeps them. It proves the program and its order of reads and writes.
 * It does not prove Azure's permissions across subscriptions.
 *
 * The tests are steps of one story and run in order.
 */
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { localCloud } from '../support/localCloud';
import { seedBrownfield, type Seeded } from './brownfieldSeed';
import { exampleFile } from './support/exampleFile';

jest.setTimeout(15 * 60_000);

const example = exampleFile('reuse');
const cloud = localCloud('brownfield');
const stack = 'reuse';
let azure: AzureClients;
let seeded: Seeded;

/** The example with the issuer of the external cluster, which differs in each run. */
const configuration = (change: (text: string) => string = (text) => text) => ({
  stack,
  yaml: change(example.replace('https://issuer.example/edge/', seeded.edge.issuer)),
});

async function cluster() {
  return azure.clusters().managedClusters.get('rg-legacy', 'aks-legacy');
}

/** Resources in the state, without the stack, providers and components. */
async function created(): Promise<string[]> {
  return (await cloud.urns(stack)).filter(
    (urn) => !/::pulumi:|pulumi:providers:|::aks-workload-identity:[^$]*::[^:]*$/.test(urn),
  );
}

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  seeded = await seedBrownfield(cloud, azure);
  await cloud.setSecret(configuration(), 'aks-workload-identity:kubeconfigs.edge', seeded.edge.kubeconfig);
});
afterAll(() => cloud.clean());

describe('a mismatch with the configuration', () => {
  it('is refused with all errors, before anything is written', async () => {
    const before = await seeded.snapshot();

    const output = await cloud.refusedUp(
      configuration((text) =>
        text
          .replace('access: accessPolicy', 'access: rbac')
          .replace('enableWorkloadIdentity: true', 'enableWorkloadIdentity: false')
          .replace('userAssignedIdentities/id-reports', 'userAssignedIdentities/id-nobody')
          .replace('secrets: [invoices-db]', 'secrets: [nobody-db]'),
      ),
    );

    expect(output).toContain('Pulumi.reuse.yaml has 4 errors; nothing was changed.');
    expect(output).toContain(
      'aks-workload-identity:vault.access: "rbac" does not match the existing vault kv-wi-legacy, which uses accessPolicy. Allowed: accessPolicy.',
    );
    expect(output).toMatch(
      /clusters\[0\]\.id: ".*aks-legacy" is a cluster with the OIDC issuer and workload identity disabled/,
    );
    expect(output).toContain(
      'az aks update --name aks-legacy --resource-group rg-legacy --subscription 22222222-2222-4222-8222-222222222222 --enable-oidc-issuer --enable-workload-identity',
    );
    expect(output).toMatch(
      /applications\[1\]\.identity\.existing\.edge: ".*id-nobody" does not exist, or the deploying identity cannot read it/,
    );
    expect(output).toContain(
      'applications[2].secrets[0]: "nobody-db" is not in the existing vault kv-wi-roles and has no value in the stack file.',
    );
    expect(output).not.toMatch(/\n\s+at .*\(/);
    expect(await created()).toEqual([]);
    expect(await seeded.snapshot()).toEqual(before);
  });
});

describe('the credentials of others on an existing identity', () => {
  const place = /applications\[1\]\.identity\.existing\.edge: ".*id-reports"/.source;
  const credentials = () => azure.identities().federatedIdentityCredentials;
  const trustOf = (name: string, issuer: string, subject: string) =>
    credentials().createOrUpdate('rg-data', 'id-reports', name, {
      issuer,
      subject,
      audiences: ['api://AzureADTokenExchange'],
    });

  it('are reported if the stack would make one of them, and `aks-wi import` finds it', async () => {
    await trustOf('made-by-hand', seeded.edge.issuer, 'system:serviceaccount:reports:reports');

    expect(await cloud.refusedUp(configuration())).toMatch(
      new RegExp(
        `${place} already trusts system:serviceaccount:reports:reports of edge through the federated credential made-by-hand, .*npx aks-wi import --stack reuse`,
      ),
    );
    const found = await cloud.succeed('import', '--stack', stack, '--dry-run');
    expect(found).toContain('made-by-hand');

    await credentials().delete('rg-data', 'id-reports', 'made-by-hand');
  });

  it('are reported if they exceed the limit', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `job-${String(index + 1).padStart(2, '0')}`);
    for (const name of names) {
      await trustOf(name, 'https://token.actions.githubusercontent.com', `repo:example/${name}`);
    }

    expect(await cloud.refusedUp(configuration())).toMatch(
      new RegExp(
        `${place} has 20 federated credentials \\(job-01, job-02, job-03 and 17 more\\) and would get 1 more, but an identity can have at most 20\\.`,
      ),
    );

    for (const name of names) await credentials().delete('rg-data', 'id-reports', name);
  });
});

describe('existing objects in a cluster', () => {
  it('are looked up before anything is written, also before the first update', async () => {
    const output = await cloud.refusedUp(
      configuration((text) =>
        text
          .replace('name: shop, existing: true', 'name: shops, existing: true')
          // In a cluster that nothing else uses.
          .replace(
            'clusters: [edge]\n',
            'clusters: [edge]\n      namespace: { name: data, existing: true }\n',
          ),
      ),
    );

    expect(output).toContain('Pulumi.reuse.yaml has 2 errors; nothing was changed.');
    expect(output).toContain('applications[0].namespace.name: "shops" does not exist in the cluster legacy.');
    expect(output).toContain('applications[1].namespace.name: "data" does not exist in the cluster edge.');
    expect(await created()).toEqual([]);
  });
});

describe('an environment with existing resources', () => {
  it('is previewed without enabling anything', async () => {
    const preview = await cloud.preview(configuration());

    expect(new Set(preview.changed.map(({ op }) => op))).toEqual(new Set(['create']));
    expect(
      preview.summary.filter((step) =>
        /azure-native:.*:(ManagedCluster|ResourceGroup|Workspace) /.test(step),
      ),
    ).toEqual([]);
    expect((await cluster()).oidcIssuerProfile?.enabled).not.toBe(true);
  });

  it('is deployed, and every application reads its granted secrets', async () => {
    const { output } = await cloud.up(configuration());

    expect(output).toMatch(/\d+ checks passed, 0 failed/);
    const outputs = await cloud.outputs(stack);
    expect(
      outputs.workloads.map(
        (workload) => `${workload.cluster}/${workload.namespace}/${workload.serviceAccount}`,
      ),
    ).toEqual(['legacy/shop/orders-runner', 'edge/reports/reports', 'edge/invoices/invoices']);
    expect(outputs.clusters).toMatchObject({
      legacy: { mode: 'existing', identity: { clientId: seeded.identity.clientId } },
      edge: { mode: 'external', issuer: seeded.edge.issuer },
    });
    expect(outputs.clusters.edge?.id).toBeUndefined();
  });

  it('created everything in the subscription of the existing group, and has no existing resource in its state', async () => {
    const outputs = await cloud.outputs(stack);

    expect(outputs.subscriptionId).toBe('55555555-5555-4555-8555-555555555555');
    expect(outputs.vaults['kv-wi-reports']?.id).toMatch(
      /^\/subscriptions\/55555555-.*\/resourceGroups\/rg-shared\//,
    );
    const types = (await created()).map((urn) => urn.split('::')[2]?.split('$').at(-1));
    expect(types).not.toContain('azure-native:containerservice:ManagedCluster');
    expect(types).not.toContain('azure-native:resources:ResourceGroup');
    expect(types).not.toContain('azure-native:operationalinsights:Workspace');
    expect(types.filter((type) => type === 'azure-native:keyvault:Vault')).toHaveLength(1);
  });

  it('enabled issuer and workload identity, and changed no other property of the cluster', async () => {
    const found = await cluster();

    expect(found.oidcIssuerProfile?.enabled).toBe(true);
    expect(found.securityProfile?.workloadIdentity?.enabled).toBe(true);
    expect(found.securityProfile?.imageCleaner).toEqual(seeded.cluster.securityProfile?.imageCleaner);
    expect(found.tags).toEqual(seeded.cluster.tags);
    expect(found.autoUpgradeProfile).toEqual(seeded.cluster.autoUpgradeProfile);
    expect(found.apiServerAccessProfile).toEqual(seeded.cluster.apiServerAccessProfile);
  });

  it('sends the audit logs of its own vault to the existing workspace, and not those of the existing vault', async () => {
    const { vaults } = await cloud.outputs(stack);
    const settings = async (id: string) =>
      (
        await azure.request(
          'GET',
          `${id}/providers/Microsoft.Insights/diagnosticSettings?api-version=2021-05-01-preview`,
        )
      ).body as { value: { properties: { workspaceId: string } }[] };

    expect((await settings(vaults['kv-wi-reports']?.id ?? '')).value).toMatchObject([
      { properties: { workspaceId: seeded.workspaceId } },
    ]);
    expect((await settings(vaults['kv-wi-legacy']?.id ?? '')).value).toEqual([]);
  });

  it('changes nothing in a second up, and shows no drift, also after others changed the existing cluster', async () => {
    await azure.clusters().managedClusters.createOrUpdate('rg-legacy', 'aks-legacy', {
      ...(await cluster()),
      tags: { team: 'platform', changed: 'meanwhile' },
    });

    expect(await cloud.changesOfSecondUpdate(configuration())).toEqual([]);
    expect((await cluster()).tags).toEqual({ team: 'platform', changed: 'meanwhile' });
  });

  it('did not change the credentials, policies, secrets and labels of others', async () => {
    expect(await seeded.foreign()).toEqual(seeded.foreignBefore);
  });
});

describe('the end', () => {
  it('deletes what it created and nothing that existed', async () => {
    await cloud.destroy(configuration());

    expect(await seeded.foreign()).toEqual(seeded.foreignBefore);
    const found = await cluster();
    expect(found.provisioningState).toBe('Succeeded');
    // Workload identity is never disabled again, because others may use it.
    expect(found.oidcIssuerProfile?.enabled).toBe(true);
    const other = azure.resources(azure.credential, '55555555-5555-4555-8555-555555555555');
    const names = (await all(other.resourceGroups.list())).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['rg-shared', 'rg-identities', 'rg-logs']));
    const { core } = await cloud.kubernetes('aks-legacy');
    expect((await core.readNamespace({ name: 'shop' })).status?.phase).toBe('Active');
    const account = await core.readNamespacedServiceAccount({ name: 'orders-runner', namespace: 'shop' });
    expect(account.metadata?.annotations ?? {}).not.toHaveProperty('azure.workload.identity/client-id');
  });
});
