/**
 * The example of docs/rotation.md, rotated while its pods read without pause: the identity of an application and that of a
 * cluster, then the values of secrets. The pods are processes that the webhook and the Secrets Store driver serve. It does not
 * prove how long Azure takes until a new credential and a new role assignment are effective, which docs/rotation.md waits for
 * with `aks-wi verify`.
 *
 * The tests are steps of one story and run in order.
 */
import { setTimeout } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { localCloud } from '../support/localCloud';
import type { AzureClients } from '../support/azureClients';
import { exampleFile } from './support/exampleFile';
import { digestOf, readingImage, Readings } from './support/readings';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('rotation');
const readings = new Readings(cloud.state);
const stack = 'rotation';
const vault = 'kv-wi-rotation';
const vaultScope = 'https://vault.azure.net/.default';
const example = exampleFile('rotation');

interface StackFile {
  config: Record<string, Record<string, unknown>[]>;
}

/** The example with pods that read without pause, and the generations of both of its identities. */
function configuration(generations: readonly number[]) {
  const file = parse(example) as StackFile;
  const of = (key: string) => file.config[`aks-workload-identity:${key}`] ?? [];
  for (const cluster of of('clusters')) cluster['identityGenerations'] = generations;
  for (const application of of('applications')) {
    if (application['name'] === 'orders') application['identityGenerations'] = generations;
    application['image'] = `${readingImage}:1`;
    application['env'] = {
      READINGS: readings.file,
      ...(application['delivery'] === 'files' && { SECRET_FILES: '/mnt/secrets' }),
    };
  }
  return { stack, yaml: stringify(file) };
}

const allVerified = /\n[1-9]\d* checks passed, 0 failed/;

async function identityOf(application: string) {
  const { workloads } = await cloud.outputs(stack);
  const found = workloads.find((workload) => workload.application === application);
  if (found === undefined) throw new Error(`no ${application}`);
  return found.identity;
}

/** A job of orders that started before the rotation, with the client id of then. */
class Job {
  reads = 0;
  private readonly stop = new AbortController();
  private done: Promise<void> | undefined;

  constructor(
    private readonly azure: AzureClients,
    readonly clientId: string,
  ) {}

  /** What its credential asks for whenever it signs in. */
  private readonly assertion = async () => {
    const { core } = await cloud.kubernetes('aks-1');
    const { status } = await core.createNamespacedServiceAccountToken({
      namespace: 'orders',
      name: 'orders-job',
      body: { spec: { audiences: ['api://AzureADTokenExchange'] } },
    });
    return status?.token ?? '';
  };

  /** As a program that starts now. */
  signIn() {
    return this.azure.assertionCredential(this.clientId, this.assertion);
  }

  start(): void {
    this.done = (async () => {
      while (!this.stop.signal.aborted) {
        const secrets = this.azure.secrets(vault, this.signIn());
        for (let i = 0; i < 50; i++) {
          await secrets.getSecret('orders-db');
          this.reads += 1;
          await setTimeout(50);
        }
      }
    })();
    // It is awaited at the end.
    this.done.catch(() => undefined);
  }

  /** Rejects if a read failed. */
  async end(): Promise<void> {
    this.stop.abort();
    await this.done;
  }
}

let azure: AzureClients;
let job: Job;
/** A token that the old identity got before the rotation ended, as a client keeps it for a day. */
let oldToken = '';
let invoicesBefore = '';

beforeAll(async () => {
  process.env.AKS_WI_IMAGES = readings.imagesFile();
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(async () => {
  delete process.env.AKS_WI_IMAGES;
  await cloud.clean();
});

describe('an identity, rotated while its clients read', () => {
  it('is one before, and both applications read', async () => {
    await cloud.deploy(configuration([1]));
    const { clientId } = await identityOf('orders');
    job = new Job(azure, clientId);
    job.start();
    invoicesBefore = (await identityOf('invoices')).clientId;

    await readings.until(() => readings.reads('vault') > 50 && readings.reads('file') > 50);

    expect(readings.reads('vault', clientId)).toBe(readings.reads('vault'));
  });

  it('gets another one beside it, with the same trust and grants, and no pod changes', async () => {
    const { output, steps } = await cloud.up(configuration([1, 2]));

    expect(steps.summary).toEqual(
      [
        ...['aks-1', 'aks-1-orders'].flatMap((key) => [
          `create aks-workload-identity:identity:FederatedCredentials ${key}-g2`,
          `create aks-workload-identity:identity:ManagedIdentity ${key}-g2`,
          `create azure-native:managedidentity:UserAssignedIdentity ${key}-g2`,
        ]),
        `create azure-native:authorization:RoleAssignment ${vault}/aks-1-g2/invoices-db`,
        `create azure-native:authorization:RoleAssignment ${vault}/aks-1-orders-g2/orders-db`,
        'create azure-native:managedidentity:FederatedIdentityCredential aks-1-g2/invoices_invoices',
        'create azure-native:managedidentity:FederatedIdentityCredential aks-1-orders-g2/orders_orders',
        'create azure-native:managedidentity:FederatedIdentityCredential aks-1-orders-g2/orders_orders-job',
      ].sort(),
    );
    expect(output).toMatch(allVerified);
    expect((await identityOf('orders')).clientId).toBe(job.clientId);
  });

  it('is verified together with the other one, before any pod needs that', async () => {
    const { code, report } = await cloud.verify(stack);
    const own = report.checks.filter(({ application }) => application === 'orders').map(({ check }) => check);

    expect(code).toBe(0);
    expect(own).toEqual(
      expect.arrayContaining([
        'token exchange, as id-rotation-aks-1-orders-g2',
        'token exchange of service account orders/orders-job, as id-rotation-aks-1-orders-g2',
        `reads ${vault}/orders-db, as id-rotation-aks-1-orders-g2`,
        `is refused ${vault}/invoices-db, as id-rotation-aks-1-orders-g2`,
      ]),
    );
  });

  it('makes way for the other one: pods are replaced, and clients that still act as the old one read on', async () => {
    const { output, steps } = await cloud.up(configuration([2, 1]));

    expect(steps.summary).toEqual([
      'update kubernetes:apps/v1:Deployment aks-1-invoices',
      'update kubernetes:apps/v1:Deployment aks-1-orders',
      'update kubernetes:core/v1:ServiceAccount aks-1-invoices-account',
      'update kubernetes:core/v1:ServiceAccount aks-1-orders-account',
      'update kubernetes:core/v1:ServiceAccount aks-1-orders-account/orders-job',
      'update kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass aks-1-invoices-secrets',
    ]);
    expect(output).toMatch(allVerified);
    const orders = await identityOf('orders');
    const invoices = await identityOf('invoices');
    expect(orders.name).toBe('id-rotation-aks-1-orders-g2');
    expect(orders.clientId).not.toBe(job.clientId);
    expect(invoices.clientId).not.toBe(invoicesBefore);
    const later = job.reads + 20;
    await readings.until(
      () =>
        readings.reads('vault', orders.clientId) > 100 &&
        readings.reads('file', invoices.clientId) > 100 &&
        job.reads > later,
    );
  });

  it('is removed, after reads in each phase without a failure', async () => {
    oldToken = (await job.signIn().getToken(vaultScope)).token;
    await job.end();

    const { output, steps } = await cloud.up(configuration([2]));

    expect(steps.summary).toEqual(
      [
        ...['aks-1', 'aks-1-orders'].flatMap((key) => [
          `delete aks-workload-identity:identity:FederatedCredentials ${key}`,
          `delete aks-workload-identity:identity:ManagedIdentity ${key}`,
          `retain azure-native:managedidentity:UserAssignedIdentity ${key}`,
        ]),
        `delete azure-native:authorization:RoleAssignment ${vault}/aks-1/invoices-db`,
        `delete azure-native:authorization:RoleAssignment ${vault}/aks-1-orders/orders-db`,
        'delete azure-native:managedidentity:FederatedIdentityCredential aks-1/invoices_invoices',
        'delete azure-native:managedidentity:FederatedIdentityCredential aks-1-orders/orders_orders',
        'delete azure-native:managedidentity:FederatedIdentityCredential aks-1-orders/orders_orders-job',
      ].sort(),
    );
    expect(output).toMatch(allVerified);
    const before = readings.reads('vault');
    await readings.until(() => readings.reads('vault') > before + 50);
    expect(readings.failures).toEqual([]);
  });

  it('is refused afterwards, to sign in and with a token from before', async () => {
    await expect(job.signIn().getToken(vaultScope)).rejects.toThrow(/AADSTS70021/);
    const { status, body } = await azure.raw(
      `https://${vault}.vault.azure.net/secrets/orders-db?api-version=7.6`,
      { headers: { authorization: `Bearer ${oldToken}` } },
    );
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { error: { code: 'Forbidden', innererror: { code: 'ForbiddenByRbac' } } },
    });
  });

  it('stays in Azure as an orphan', async () => {
    const { stdout } = await cloud.command('orphans', '--stack', stack, '--local', '--json');
    const { orphans } = JSON.parse(stdout) as { orphans: { id: string }[] };

    expect(orphans.map(({ id }) => id.split('/').at(-1)).sort()).toEqual([
      'id-rotation-aks-1',
      'id-rotation-aks-1-orders',
    ]);
  });

  it('is rotated for good: a second up changes nothing', async () => {
    expect(await cloud.changesOfSecondUpdate(configuration([2]))).toEqual([]);
  });
});

describe('the value of a secret, changed while it is read', () => {
  it('reaches pods that read the vault and pods that read files, without a failure', async () => {
    const request = configuration([2]);
    const before = { vault: readings.values('vault'), file: readings.values('file') };
    await cloud.setSecret(request, 'secretValues.orders-db', 'second orders');
    await cloud.setSecret(request, 'secretValues.invoices-db', 'second invoices');

    const steps = await cloud.deploy(request);

    expect(steps.summary).toEqual([
      `update azure-native:keyvault:Secret ${vault}/invoices-db`,
      `update azure-native:keyvault:Secret ${vault}/orders-db`,
    ]);
    const now = { vault: digestOf('second orders'), file: digestOf('second invoices') };
    // The add-on looks for new values every two minutes.
    await readings.until(
      () => readings.values('vault').includes(now.vault) && readings.values('file').includes(now.file),
    );
    expect(readings.values('vault')).toEqual([...before.vault, now.vault].sort());
    expect(readings.values('file')).toEqual([...before.file, now.file].sort());
    expect(before.vault).toHaveLength(1);
    expect(readings.failures).toEqual([]);
  });
});
