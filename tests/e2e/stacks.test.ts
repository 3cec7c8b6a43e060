/**
 * Deploys the stack files for Azure to one local cloud, with a secret set as their headers describe. It does
 * not prove that a subscription has their VM sizes, nor that their names are free.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/command';
import { localCloud, resourceCounts } from '../support/localCloud';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('stacks');

/** As in the files' headers. The other secrets get random values. */
async function setSecret(stack: string): Promise<void> {
  const path = 'secretValues.orders-db';
  await cloud.pulumi({ stack }, 'config', 'set', '--secret', '--path', path, `set for ${stack}`);
}

beforeAll(() => cloud.start());
afterAll(() => cloud.clean());

describe('the stack dev', () => {
  it('is previewed as creations only', async () => {
    await setSecret('dev');
    const preview = await cloud.preview({ stack: 'dev' });
    expect(new Set(preview.changed.map(({ op }) => op))).toEqual(new Set(['create']));
    expect(preview.summary).toContain('create azure-native:containerservice:ManagedCluster aks-dev-1');
  });

  it('is deployed and verified', async () => {
    const { output, steps } = await cloud.up({ stack: 'dev' });
    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    expect(new Set(steps.changed.map(({ op }) => op))).toEqual(new Set(['create']));
    const { environment, clusters, workloads } = await cloud.outputs('dev');
    expect(environment).toBe('dev');
    expect(Object.keys(clusters)).toEqual(['aks-dev-1']);
    expect(workloads.map(({ application, identity }) => `${application}: ${identity.name}`).sort()).toEqual([
      'billing: id-dev-aks-dev-1-billing',
      'orders: id-dev-aks-dev-1',
    ]);
  });
});

describe('the stack prod', () => {
  it('is previewed as creations only, next to the other', async () => {
    await setSecret('prod');
    const preview = await cloud.preview({ stack: 'prod' });
    expect(new Set(preview.changed.map(({ op }) => op))).toEqual(new Set(['create']));
    expect(preview.summary).toEqual(
      expect.arrayContaining([
        'create azure-native:containerservice:ManagedCluster aks-prod-1',
        'create azure-native:containerservice:ManagedCluster aks-prod-2',
      ]),
    );
  });

  it('is deployed and verified', async () => {
    const { output } = await cloud.up({ stack: 'prod' });
    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const { clusters, workloads } = await cloud.outputs('prod');
    expect(Object.keys(clusters).sort()).toEqual(['aks-prod-1', 'aks-prod-2']);
    // Each application has its own identity on each of its clusters.
    expect(workloads.map(({ identity }) => identity.name).sort()).toEqual([
      'id-prod-aks-prod-1-orders',
      'id-prod-aks-prod-2-billing',
      'id-prod-aks-prod-2-orders',
    ]);
  });

  it('has the settings for production', async () => {
    const azure = await cloud.azure();
    const { vaults, resourceGroup } = await cloud.outputs('prod');
    const [name = ''] = Object.keys(vaults);
    const vault = await azure.vaults().vaults.get(resourceGroup, name);
    expect(vault.properties).toMatchObject({
      enableRbacAuthorization: true,
      enablePurgeProtection: true,
      softDeleteRetentionInDays: 90,
    });
    const under = (path: string): Promise<unknown> =>
      azure.request('GET', `${vault.id ?? ''}/providers/${path}`).then(({ body }) => body);
    // Its pipeline may make none.
    expect(await under('Microsoft.Authorization/locks?api-version=2020-05-01')).toMatchObject({ value: [] });
    expect(await under('Microsoft.Insights/diagnosticSettings?api-version=2021-05-01-preview')).toMatchObject(
      {
        value: [
          { properties: { workspaceId: expect.stringContaining('/log-workload-identity-prod') as string } },
        ],
      },
    );
  });

  it('runs the replicas of each cluster', async () => {
    const replicas = async (cluster: string): Promise<number | undefined> => {
      const { apps } = await cloud.kubernetes(cluster);
      return (await apps.readNamespacedDeployment({ name: 'orders', namespace: 'orders' })).status
        ?.readyReplicas;
    };
    expect([await replicas('aks-prod-1'), await replicas('aks-prod-2')]).toEqual([3, 2]);
  });

  it('is not destroyed, because of protected resources, and nothing is deleted', async () => {
    const before = await cloud.urns('prod');
    const output = await cloud.fail('pulumi', '--stack', 'prod', 'destroy', '--yes', '--non-interactive');
    expect(output).toMatch(
      /keyvault:Vault \(kv-wi-prod[\w-]*\):\s+error: .*cannot be deleted\s+because it is protected/,
    );
    expect(output).toContain('To unprotect the resource');
    expect(await cloud.urns('prod')).toEqual(before);
  });
});

describe.each(['dev', 'prod'])('once both are deployed, the stack %s', (stack) => {
  it('changes nothing in a second up, and shows no drift', async () => {
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });
});

describe('the policies', () => {
  const file = 'Pulumi.dev.yaml';
  /** With a further tag of all that has tags, and with these lines. */
  const changed = (...policies: string[]) =>
    readFileSync(path.join(projectRoot, file), 'utf8')
      // An update would begin with those of the resource group.
      .replace('    environment: dev\n', '    environment: dev\n    team: of the test\n')
      .concat(...['  aks-workload-identity:policies:', ...policies].map((line) => `${line}\n`));
  const tagsOfVault = async () =>
    (await (await cloud.azure()).vaults().vaults.get('rg-workload-identity-dev', 'kv-wi-dev-edit-me')).tags;

  const tagsOfGroup = async () =>
    (await (await cloud.azure()).resources().resourceGroups.get('rg-workload-identity-dev')).tags;

  it('stop the update of a vault that is not kept as one in production, before the first change', async () => {
    const before = await cloud.urns('dev');
    const output = await cloud.refusedUp({ stack: 'dev', yaml: changed('    production: true') });
    expect(output).toMatch(
      /\[mandatory\]\s+kept-in-production\s+\(azure-native:keyvault:Vault: kv-wi-dev-edit-me\)/,
    );
    expect(output).toContain('enablePurgeProtection is not true.');
    expect(output).toContain(
      'pulumi up failed, refused by the policy pack (kept-in-production); nothing was changed.',
    );
    expect(output).toContain('or add a temporary exception (docs/policies.md)');
    expect(output).not.toMatch(/unhandled|^\s+at /im);
    expect(await cloud.urns('dev')).toEqual(before);
    expect(await tagsOfVault()).not.toHaveProperty('team');
    expect(await tagsOfGroup()).not.toHaveProperty('team');
  });

  it('let it pass while there is an exception', async () => {
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const exception = `{ policy: kept-in-production, resource: kv-wi-dev-edit-me, reason: of the test, until: '${until}' }`;
    const yaml = changed('    production: true', '    exceptions:', `      - ${exception}`);
    const { output } = await cloud.up({ stack: 'dev', yaml });
    expect(output).toContain(`Excepted until ${until} (of the test): enablePurgeProtection is not true.`);
    expect([await tagsOfVault(), await tagsOfGroup()]).toEqual([
      expect.objectContaining({ team: 'of the test' }),
      expect.objectContaining({ team: 'of the test' }),
    ]);
  });

  it('are silent about the stack as it is', async () => {
    const { output } = await cloud.up({ stack: 'dev', file });
    expect(output).not.toMatch(/\[(advisory|mandatory)\]/);
  });
});

describe('the end of dev', () => {
  it('deletes everything of its own, and nothing of prod, once its file has the line from the comment', async () => {
    const line = '# aks-workload-identity:retainOnDelete: false';
    const kept = readFileSync(path.join(projectRoot, 'Pulumi.dev.yaml'), 'utf8');
    expect(kept).toContain(`\n  ${line}\n`);
    await cloud.deploy({ stack: 'dev', yaml: kept.replace(line, line.slice(2)) });

    expect(resourceCounts(await cloud.destroy({ stack: 'dev' })).deleted).toBeGreaterThan(30);
    const groups = (await cloud.azure()).resources().resourceGroups;
    expect(await groups.checkExistence('rg-workload-identity-dev')).toMatchObject({ body: false });
    expect(await groups.checkExistence('rg-workload-identity-prod')).toMatchObject({ body: true });
    expect((await cloud.verify('prod')).code).toBe(0);
    // Its name is taken until then, which is reported before anything is created.
    expect(await cloud.refusedUp({ stack: 'dev' })).toMatch(
      /vault: "kv-wi-dev-edit-me" is the name of a deleted vault, .*`az keyvault recover --name kv-wi-dev-edit-me`/,
    );
    expect(await groups.checkExistence('rg-workload-identity-dev')).toMatchObject({ body: false });
    expect(await cloud.succeed('cloud', 'purge', 'kv-wi-dev-edit-me', '--yes')).toContain(
      'kv-wi-dev-edit-me',
    );
  });
});

describe('the secrets of prod', () => {
  it('have the values that were set, and random ones', async () => {
    const azure = await cloud.azure();
    const { vaults } = await cloud.outputs('prod');
    const [name = ''] = Object.keys(vaults);
    // The last test, because it makes a role assignment that the stack does not have.
    const user = '4633458b-17de-408a-b874-0445c86b69e6';
    await azure.grant(vaults[name]?.id ?? '', user);
    const secrets = azure.secrets(name);
    expect((await secrets.getSecret('orders-db')).value).toBe('set for prod');
    expect((await secrets.getSecret('billing-db')).value).toMatch(/^[\w-]{32}$/);
  });
});
