/**
 * Services of Azure that applications depend on, with the real Azure Service Operator: the example of docs/dependencies.md,
 * deployed. It proves the specifications of a storage account and of PostgreSQL against the operator's own definitions, the
 * order of things, and what becomes of a service in the local resource manager; it does not prove what Azure itself says.
 *
 * The platform is one minor version behind at first, and upgraded to the defaults: every custom resource and every
 * definition is the same object afterwards, and nothing in Azure is another. After its restart the operator writes its
 * resources again, as it does by design, so their bodies are compared, times of making included; whatever else is written
 * fails the test. The charts are the vendors' of both versions, with their definitions of cert-manager, roles, webhooks and
 * deployments. The programs in their pods are not: the local cloud runs the newest ones, whatever image a chart names, and
 * so does not prove that an older operator hands its resources over to a newer one.
 *
 * The tests are steps of one story and run in order.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import type { StackRequest } from '../support/localCloud';
import { localCloud } from '../support/localCloud';
import { accessTo, readResource, writesSince } from './azureRecord';
import type { CustomResource, Inventory } from './customResources';
import { inventory, untilReady } from './customResources';
import type { Application } from './dependenciesExample';
import { refusedServicesSuite } from './refusedServices.suite';
import {
  chartsBefore,
  defaultCharts,
  exampleWith,
  withDependencies,
  writtenOut,
} from './dependenciesExample';

jest.setTimeout(25 * 60_000);

const cloud = localCloud('dependencies');
const stack = 'dependencies';
const file = path.join(cloud.state, 'Pulumi.dependencies.yaml');
let azure: AzureClients;

function configuration(
  change: (all: Application[]) => Application[] = (all) => all,
  charts: object = defaultCharts,
): StackRequest {
  writeFileSync(file, stringify(exampleWith(change, charts)));
  return { stack, file: path.relative(projectRoot, file) };
}

const services = 'rg-dependencies-services';
/** The secret with what the operator exports of the account. */
const keys = 'legacy-files-keys-5ccb5e3a';
const account = (name: string, group = services) =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
const server = () =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/${services}/providers/Microsoft.DBforPostgreSQL/flexibleServers/pg-wi-depend-orders`;
const answer = async (id: string, version = '2025-06-01') => {
  const { status, body } = await azure.request('GET', `${id}?api-version=${version}`);
  return { status, body: (body ?? {}) as { properties?: Record<string, unknown> } };
};

async function variablesOf(cluster: string, application: string): Promise<Record<string, string>> {
  const { core } = await cloud.kubernetes(cluster);
  const { items } = await core.listNamespacedConfigMap({ namespace: application });
  return Object.assign({}, ...items.map(({ data }) => data ?? {})) as Record<string, string>;
}

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

describe('the first update', () => {
  it('provisions what the applications depend on, and ends when they run', async () => {
    const { output } = await cloud.up(configuration(undefined, chartsBefore));

    expect(output).toMatch(/\d+ checks passed, 0 failed/);
    for (const cluster of ['one', 'two']) {
      const { apps } = await cloud.kubernetes(cluster);
      const { status } = await apps.readNamespacedDeployment({ namespace: 'orders', name: 'orders' });
      expect(status).toMatchObject({ availableReplicas: 1 });
    }
  });

  it('is what the stack file says, in the resource manager', async () => {
    expect((await answer(account('stwidependorders'))).body.properties).toMatchObject({
      allowSharedKeyAccess: false,
      allowBlobPublicAccess: false,
      provisioningState: 'Succeeded',
    });
    expect((await answer(account('stwidependinvoices', `${services}-invoices`))).status).toBe(200);
    expect((await answer(server(), '2025-08-01')).body.properties).toMatchObject({ state: 'Ready' });
    expect((await answer(`${server()}/databases/orders`, '2025-08-01')).status).toBe(200);
  });

  it('tells the pods, on the cluster that manages and on the other', async () => {
    for (const cluster of ['one', 'two']) {
      expect(await variablesOf(cluster, 'orders')).toMatchObject({
        accountName: 'stwidependorders',
        blobEndpoint: 'https://stwidependorders.blob.core.windows.net/',
        host: 'pg-wi-depend-orders.postgres.database.azure.com',
        database: 'orders',
        user: `id-dependencies-${cluster}-orders`,
      });
    }
    const { dependencies } = await cloud.outputs(stack);
    expect(
      dependencies.map(({ application, name, managedBy }) => ({ application, name, managedBy })),
    ).toEqual([
      { application: 'orders', name: 'files', managedBy: 'one' },
      { application: 'orders', name: 'db', managedBy: 'one' },
      { application: 'legacy', name: 'files', managedBy: 'one' },
      { application: 'invoices', name: 'files', managedBy: 'two' },
    ]);
  });

  it('has a key where it was asked for, and only there', async () => {
    const { core } = await cloud.kubernetes('one');
    const { data } = await core.readNamespacedSecret({ namespace: 'legacy', name: keys });
    const text = (key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
    expect(text('connectionString')).toContain(`AccountName=stwidependlegacy;AccountKey=${text('key')};`);

    const two = await cloud.kubernetes('two');
    const { items } = await two.core.listNamespacedSecret({ namespace: 'invoices' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['aso-credential']);
    const { report } = await cloud.verify(stack);
    expect(report.checks.map(({ check }) => check)).toContain('reads kv-wi-dependencies/invoices-files');
    expect(report.failed).toBe(0);
  });
});

describe("an upgrade of the platform's charts by one minor version", () => {
  const clusters = ['one', 'two'] as const;
  const issuer = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: named('upgrade') };
  let before: Inventory[];
  let resources: unknown[];
  let begun: string;
  beforeAll(async () => {
    const { objects } = await cloud.kubernetes('one');
    await objects.create<CustomResource>({ ...issuer, spec: { selfSigned: {} } });
    await issue('before');
    before = await inventories();
    resources = await inAzure();
    expect(await chartsOf('one')).toEqual(['cert-manager-v1.20.3', 'v2.18.0']);
    begun = new Date().toISOString();
  });

  it('updates the four releases and nothing else', async () => {
    const { output, steps } = await cloud.up(configuration());

    expect(steps.summary).toEqual([
      'update kubernetes:helm.sh/v3:Release one-cert-manager',
      'update kubernetes:helm.sh/v3:Release one-service-operator',
      'update kubernetes:helm.sh/v3:Release two-cert-manager',
      'update kubernetes:helm.sh/v3:Release two-service-operator',
    ]);
    expect(output).toMatch(/\d+ checks passed, 0 failed/);
    for (const cluster of clusters) {
      expect(await chartsOf(cluster)).toEqual(['cert-manager-v1.21.2', 'v2.19.0']);
    }
  });

  it('keeps every custom resource and every definition', async () => {
    const kept = (all: readonly Inventory[]) =>
      all.map(({ definitions, objects }) => ({ definitions, objects }));

    expect(kept(await inventories())).toEqual(kept(before));
    expect(Object.keys(before[0]?.objects ?? {})).toEqual(
      expect.arrayContaining(['StorageAccount orders/orders-files', 'Certificate default/upgrade-before']),
    );
  });

  it('leaves them ready, certificates as they were issued, and issues others', async () => {
    for (const [index, cluster] of clusters.entries()) {
      const { objects } = await cloud.kubernetes(cluster);
      const withState = (before[index]?.all ?? []).filter(({ status }) => status?.conditions !== undefined);
      const ready = await Promise.all(withState.map((one) => untilReady(objects, one)));
      const certificates = ready.filter(({ kind }) => kind === 'Certificate');
      expect(certificates.map(({ status }) => status?.revision)).toEqual(certificates.map(() => 1));
    }
    await issue('after');
  });

  it('changes nothing the second time', async () => {
    const { steps } = await cloud.up(configuration());

    expect(steps.changed).toEqual([]);
  });

  // Last, to see what the operator did meanwhile too.
  it('changes no resource of Azure: the operator writes its own again, as they are', async () => {
    const operators = (await all(azure.identities().userAssignedIdentities.listBySubscription()))
      .filter(({ name }) => name?.endsWith('-aso'))
      .map(({ principalId }) => principalId);
    expect(operators).toHaveLength(3);

    const others = (await writesSince(azure, begun)).filter(
      ({ action, resourceId, caller }) =>
        !(action.endsWith('/write') && managed().includes(resourceId) && operators.includes(caller)),
    );

    expect(others).toEqual([]);
    expect(await inAzure()).toEqual(resources);
  });

  function named(name: string) {
    return { name, namespace: 'default' };
  }

  async function issue(name: string): Promise<void> {
    const { objects } = await cloud.kubernetes('one');
    const { apiVersion } = issuer;
    const wanted = { apiVersion, kind: 'Certificate', metadata: named(`upgrade-${name}`) };
    const spec = {
      secretName: wanted.metadata.name,
      dnsNames: [`${name}.upgrade.example`],
      issuerRef: { kind: issuer.kind, name: issuer.metadata.name },
    };
    await objects.create<CustomResource>({ ...wanted, spec });
    await untilReady(objects, wanted);
  }

  async function inventories(): Promise<Inventory[]> {
    const found = await Promise.all(clusters.map((cluster) => cloud.kubernetes(cluster)));
    return Promise.all(found.map(({ objects }) => inventory(objects)));
  }

  /** What the operators manage in Azure. */
  function managed(): string[] {
    return [...new Set(before.flatMap(({ azureIds }) => azureIds))];
  }

  function inAzure(): Promise<unknown[]> {
    return Promise.all(managed().map((id) => readResource(azure, id)));
  }

  /** Labels by which the charts tell their versions. */
  async function chartsOf(cluster: string): Promise<(string | undefined)[]> {
    const { apps } = await cloud.kubernetes(cluster);
    const labels = async (namespace: string, name: string) =>
      (await apps.readNamespacedDeployment({ namespace, name })).metadata?.labels ?? {};
    return [
      (await labels('cert-manager', 'cert-manager'))['helm.sh/chart'],
      (await labels('azureserviceoperator-system', 'azureserviceoperator-controller-manager'))[
        'app.kubernetes.io/version'
      ],
    ];
  }
});

describe('services that Azure refuses', () => {
  refusedServicesSuite({ cloud, azure: () => azure, configuration, account, answer });
});

describe('a dependency that is removed', () => {
  it('stays in Azure where it is retained, and is listed with what deletes it', async () => {
    await cloud.up(configuration(withDependencies('orders', (all) => all.slice(1))));

    expect((await answer(account('stwidependorders'))).status).toBe(200);
    const { stdout } = await cloud.command('leftovers', '--stack', stack, '--local', '--json');
    expect(JSON.parse(stdout)).toEqual({
      leftovers: [
        {
          id: account('stwidependorders'),
          type: 'Microsoft.Storage/storageAccounts',
          delete: `az resource delete --ids ${account('stwidependorders')}`,
          takeBack: `pulumi up --stack ${stack}`,
        },
      ],
    });
  });

  it('is taken back under its name', async () => {
    await cloud.up(configuration(withRaw('v1api20230101')));

    expect((await answer(account('stwidependorders'))).status).toBe(200);
    expect(await variablesOf('two', 'orders')).toMatchObject({ accountName: 'stwidependorders' });
  });

  it('goes on under another name, with the same access', async () => {
    const before = await accessTo(azure, account('stwidependorders'), server());
    expect(before.roles).toHaveLength(4);
    expect(before.administrators).toHaveLength(2);

    const made = await rawAccount();
    // One that ends half way, since the API server refuses a custom resource, is gone on with by the next.
    const wrong = { ...writtenOut('stwidependwrong'), spec: { location: 'westeurope', kind: 'Nope' } };
    await cloud.refusedUp(
      configuration((all) =>
        withDependencies('orders', (own) => [...own, { name: 'wrong', resource: wrong }])(renamed(all)),
      ),
    );
    const { steps } = await cloud.up(configuration(renamed));

    expect(
      steps.summary.filter((step) => /^(?!update)\S+ (azure-native|kubernetes:\w+\.azure)/.test(step)),
    ).toEqual([]);
    expect(await accessTo(azure, account('stwidependorders'), server())).toEqual(before);
    expect(await variablesOf('two', 'orders')).toMatchObject({ accountName: 'stwidependorders' });
    // In the newer version of the API that it has by now, it is the same object.
    expect(await rawAccount()).toBe(made);
  });

  it('is refused under a name that another service was made with', async () => {
    const taken = { name: 'files', storageAccount: { name: 'stwidependnew' } };
    const output = await cloud.refusedUp(
      configuration((all) => withDependencies('orders', (own) => [...own, taken])(renamed(all))),
    );

    expect(output.replace(/\s+/g, ' ')).toContain(
      'gives a custom resource the name "orders-files", which that of stwidependorders has on the cluster one',
    );
  });

  it('leaves no secret behind with another connection', async () => {
    const { core } = await cloud.kubernetes('one');
    const secrets = async () =>
      (await core.listNamespacedSecret({ namespace: 'legacy' })).items.map(({ metadata }) => metadata?.name);
    expect(await secrets()).toContain(keys);

    await cloud.up(
      configuration((all) =>
        withDependencies('legacy', (own) =>
          own.map((one) => (one.name === 'files' ? { ...one, connection: 'vault' } : one)),
        )(renamed(all)),
      ),
    );

    expect(await secrets()).not.toContain(keys);
    expect((await answer(account('stwidependlegacy'))).status).toBe(200);
  });

  it('is deleted in Azure where that is allowed, before the right to delete it goes', async () => {
    const { steps } = await cloud.up(
      configuration((all) => renamed(all).filter(({ name }) => name === 'orders')),
    );

    expect(steps.summary).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^delete azure-native:authorization:RoleAssignment two-invoices-aso/),
      ]),
    );
    for (const [name, group] of [
      ['stwidependlegacy', services],
      ['stwidependinvoices', `${services}-invoices`],
    ] as const) {
      expect((await answer(account(name, group))).status).toBe(404);
    }
  });

  const withRaw = (version?: string) =>
    withDependencies('legacy', (own) => [
      ...own,
      { name: 'raw', resource: writtenOut('stwidependraw', version) },
    ]);
  const renamed = (all: Application[]) =>
    withDependencies('orders', (own) =>
      own.map((one) => ({ ...one, name: one.name === 'db' ? 'data' : 'documents' })),
    )(withRaw()(all));

  async function rawAccount() {
    const { objects } = await cloud.kubernetes('one');
    const metadata = { name: 'legacy-raw', namespace: 'legacy' };
    const apiVersion = 'storage.azure.com/v20250601';
    return (await objects.read<CustomResource>({ apiVersion, kind: 'StorageAccount', metadata })).metadata
      ?.uid;
  }
});
