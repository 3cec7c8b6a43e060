/**
 * Services that applications depend on, with the real Azure Service Operator: deploys the example of
 * docs/dependencies.md. It proves the specifications of a storage account and of PostgreSQL against the
 * operator's definitions, the order, and the lifecycle of a service in the local resource manager. It does not
 * prove Azure's own answers.
 *
 * Pods read by the keys of their storage accounts without pause, until these are rotated. The local blob service checks each
 * request as Azure documents it, and stores nothing.
 *
 * The platform starts one minor version behind and is upgraded to the defaults. Every custom resource and
 * definition must stay the same object, and nothing in Azure may be replaced. After its restart the operator
 * writes its resources again by design, so their bodies are compared, including times of creation; any other
 * write fails the test. The charts of both versions are the vendors', with cert-manager's definitions, roles,
 * webhooks and deployments. The local cloud always runs the newest programs, so the test does not prove that an
 * older operator hands its resources over to a newer one.
 *
 * The tests are steps of one story and run in order.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import type { StackRequest } from '../support/localCloud';
import { localCloud } from '../support/localCloud';
import { accessTo } from './azureRecord';
import type { CustomResource } from './customResources';
import type { Application } from './dependenciesExample';
import { keyRotationSuite, readsByKey } from './keyRotation.suite';
import { platformUpgradeSuite } from './platformUpgrade.suite';
import { refusedServicesSuite } from './refusedServices.suite';
import { Readings } from './support/readings';
import {
  chartsBefore,
  defaultCharts,
  exampleWith,
  renamed,
  withDependencies,
  withRaw,
  writtenOut,
} from './dependenciesExample';

jest.setTimeout(25 * 60_000);

const cloud = localCloud('dependencies');
const stack = 'dependencies';
const file = path.join(cloud.state, 'Pulumi.dependencies.yaml');
const readings = new Readings(cloud.state);
/** Some of the pods read by their keys, without pause. */
const reading = readsByKey(readings);
let azure: AzureClients;

function configuration(
  change: (all: Application[]) => Application[] = (all) => all,
  charts: object = defaultCharts,
): StackRequest {
  writeFileSync(file, stringify(exampleWith(change, charts)));
  return { stack, file: path.relative(projectRoot, file) };
}

const services = 'rg-dependencies-services';
/** The secret with the operator's exports of the account. */
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

/** What pods of the namespaces on cluster one were seen to wait for, until all were seen or the signal comes. */
async function seenWaiting(
  namespaces: readonly string[],
  ended: AbortSignal,
): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  // Until then there is no cluster to ask.
  while (!ended.aborted && (await cloud.command('cloud', 'kubeconfig', 'one')).code !== 0)
    await setTimeout(1000);
  while (!ended.aborted && Object.keys(seen).length < namespaces.length) {
    const { core } = await cloud.kubernetes('one');
    const { items } = await core.listPodForAllNamespaces();
    for (const { metadata, status } of items) {
      const { reason, message } = status?.containerStatuses?.[0]?.state?.waiting ?? {};
      const { namespace = '' } = metadata ?? {};
      if (namespaces.includes(namespace) && reason === 'CreateContainerConfigError')
        seen[namespace] = message ?? '';
    }
    await setTimeout(100);
  }
  return seen;
}

beforeAll(async () => {
  process.env.AKS_WI_IMAGES = readings.imagesFile();
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(async () => {
  delete process.env.AKS_WI_IMAGES;
  await cloud.clean();
});

describe('the first update', () => {
  it('provisions the dependencies of the applications, and ends when they run', async () => {
    const ended = new AbortController();
    const waiting = seenWaiting(['legacy', 'archive'], ended.signal);
    const { output } = await cloud.up(configuration(reading, chartsBefore)).finally(() => ended.abort());

    expect(output).toMatch(/\d+ checks passed, 0 failed/);
    // Both were there before their secrets, that of the owner's chart too.
    expect(await waiting).toEqual({
      legacy: `secret "${keys}" not found`,
      archive: 'secret "archive-key" not found',
    });
    // The service of the owner's chart may be there before the progress is asked for why its pods wait.
    expect(output).toContain(`Waiting: CreateContainerConfigError: secret "${keys}" not found`);
    expect(output).toMatch(/Waiting: .* \(the pods of archive are not ready yet\)/);
    expect(output).toContain('(last event: BeginCreateOrUpdate: Successfully sent resource to Azure');
    for (const cluster of ['one', 'two']) {
      const { apps } = await cloud.kubernetes(cluster);
      const { status } = await apps.readNamespacedDeployment({ namespace: 'orders', name: 'orders' });
      expect(status).toMatchObject({ availableReplicas: 1 });
    }
  });

  it('is in the resource manager as in the stack file', async () => {
    expect((await answer(account('stwidependorders'))).body.properties).toMatchObject({
      allowSharedKeyAccess: false,
      allowBlobPublicAccess: false,
      provisioningState: 'Succeeded',
    });
    expect((await answer(account('stwidependinvoices', `${services}-invoices`))).status).toBe(200);
    expect((await answer(server(), '2025-08-01')).body.properties).toMatchObject({ state: 'Ready' });
    expect((await answer(`${server()}/databases/orders`, '2025-08-01')).status).toBe(200);
  });

  it('sets the variables of the pods, on the managing cluster and on the other', async () => {
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

  it('has a key where it was requested, and only there', async () => {
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
  platformUpgradeSuite({ cloud, azure: () => azure, configuration: () => configuration(reading) });
});

describe('the keys of services, rotated while pods read by them', () => {
  keyRotationSuite({
    ...{ cloud, azure: () => azure, readings, stack },
    configuration: (change) => configuration((all) => change(reading(all))),
  });
});

describe('a service that is deleted outside the program', () => {
  it('fails an update, which says how it comes back, and comes back with its access', async () => {
    const id = account('stwidependorders');
    const before = await accessTo(azure, id, server());
    await azure.request('DELETE', `${id}?api-version=2025-06-01`);
    const up = ['up', '--refresh', '--yes', '--skip-preview', '--non-interactive'];

    const output = (await cloud.fail('pulumi', '--stack', stack, ...up)).replace(/\s+/g, ' ');

    expect(output).toContain('StorageAccount orders/orders-files on one (storage account stwidependorders');
    expect(output).toContain('was not provisioned: AzureResourceNotFound: ');
    const [namespace, name] = ['azureserviceoperator-system', 'azureserviceoperator-controller-manager'];
    expect(output).toContain(`kubectl rollout restart deployment/${name} --namespace ${namespace}`);
    const { apps } = await cloud.kubernetes('one');
    const body = await apps.readNamespacedDeployment({ namespace, name });
    const { metadata } = body.spec?.template ?? {};
    const annotations = { ...metadata?.annotations, 'kubectl.kubernetes.io/restartedAt': 'now' };
    Object.assign(metadata ?? {}, { annotations });
    await apps.replaceNamespacedDeployment({ namespace, name, body });
    while ((await answer(id)).status === 404) await setTimeout(1000);
    await cloud.succeed('pulumi', '--stack', stack, ...up);
    expect(await accessTo(azure, id, server())).toEqual(before);
    expect((await cloud.verify(stack)).report.failed).toBe(0);
  });
});

describe('services that Azure refuses', () => {
  refusedServicesSuite({ cloud, azure: () => azure, configuration, account, answer });
});

describe('a dependency that is removed', () => {
  it('stays in Azure if it is retained, and is listed with the command that deletes it', async () => {
    await cloud.deploy(configuration(withDependencies('orders', (all) => all.slice(1))));

    expect((await answer(account('stwidependorders'))).status).toBe(200);
    const { stdout } = await cloud.command('orphans', '--stack', stack, '--local', '--json');
    expect(JSON.parse(stdout)).toEqual({
      orphans: [
        {
          id: account('stwidependorders'),
          type: 'Microsoft.Storage/storageAccounts',
          delete: `az resource delete --ids ${account('stwidependorders')}`,
          takeBack: `npx aks-wi pulumi --stack ${stack} up`,
        },
      ],
    });
  });

  it('is taken back under its name', async () => {
    await cloud.deploy(configuration(withRaw('v1api20230101')));

    expect((await answer(account('stwidependorders'))).status).toBe(200);
    expect(await variablesOf('two', 'orders')).toMatchObject({ accountName: 'stwidependorders' });
  });

  it('continues under another name, with the same access', async () => {
    const before = await accessTo(azure, account('stwidependorders'), server());
    expect(before.roles).toHaveLength(4);
    expect(before.administrators).toHaveLength(2);

    const raw = await rawAccount();
    // An update that is interrupted, because the API server refuses a custom resource, is completed by the
    // next.
    const wrong = { ...writtenOut('stwidependwrong'), spec: { location: 'westeurope', kind: 'Nope' } };
    await cloud.refusedUp(
      configuration((all) =>
        withDependencies('orders', (own) => [...own, { name: 'wrong', resource: wrong }])(renamed(all)),
      ),
    );
    const steps = await cloud.deploy(configuration(renamed));

    const created = steps.summary.filter((step) =>
      /^(?!update)\S+ (azure-native|kubernetes:\w+\.azure)/.test(step),
    );
    expect(created.filter((step) => !step.includes('FlexibleServersFirewallRule'))).toEqual([]);
    expect((await answer(`${server()}/firewallRules/allowed-203-0-113-7`, '2024-08-01')).status).toBe(200);
    expect(await accessTo(azure, account('stwidependorders'), server())).toEqual(before);
    expect(await variablesOf('two', 'orders')).toMatchObject({ accountName: 'stwidependorders' });
    // In a newer API version, it is the same object.
    expect(await rawAccount()).toBe(raw);
  });

  it('is refused under the name of another service, and in a namespace that its data would not reach', async () => {
    const taken = { name: 'files', storageAccount: { name: 'stwidependnew' } };
    const output = await cloud.refusedUp(
      configuration((all) =>
        withDependencies('orders', (own) => [...own, taken])(renamed(all)).map((application) =>
          application.name === 'invoices' ? { ...application, namespace: 'elsewhere' } : application,
        ),
      ),
    );
    const reported = output.replace(/\s+/g, ' ');
    for (const problem of [
      'gives a custom resource the name "orders-files", which the custom resource of stwidependorders already has on the cluster one',
      '"stwidependinvoices" is managed from the namespace invoices of the cluster two: moving it to the namespace elsewhere of the cluster two would delete it in Azure, with its data',
    ])
      expect(reported).toContain(problem);
  });

  it('leaves no secret with another connection', async () => {
    const { core } = await cloud.kubernetes('one');
    const secrets = async () =>
      (await core.listNamespacedSecret({ namespace: 'legacy' })).items.map(({ metadata }) => metadata?.name);
    expect(await secrets()).toContain(keys);

    await cloud.deploy(
      configuration((all) =>
        withDependencies('legacy', (own) =>
          own.map((dependency) =>
            dependency.name === 'files' ? { ...dependency, connection: 'vault' } : dependency,
          ),
        )(renamed(all)),
      ),
    );

    expect(await secrets()).not.toContain(keys);
    expect((await answer(account('stwidependlegacy'))).status).toBe(200);
  });

  it('is deleted in Azure if that is allowed, before the role for the deletion is revoked', async () => {
    const steps = await cloud.deploy(
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
    // What a chart declared stays, and its custom resource does not keep the namespace.
    expect((await answer(account('stwidependarchive'))).status).toBe(200);
    const { core } = await cloud.kubernetes('one');
    await expect(core.readNamespace({ name: 'archive' })).rejects.toMatchObject({ code: 404 });
  });

  async function rawAccount() {
    const { objects } = await cloud.kubernetes('one');
    const metadata = { name: 'legacy-raw', namespace: 'legacy' };
    const apiVersion = 'storage.azure.com/v20250601';
    return (await objects.read<CustomResource>({ apiVersion, kind: 'StorageAccount', metadata })).metadata
      ?.uid;
  }
});
