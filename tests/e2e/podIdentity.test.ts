/**
 * The example of docs/pod-identity.md: an application that signs in with aad-pod-identity, whose controller and node component
 * are the vendor's, and its migration to workload identity in the documented order while its pods read without pause. It does
 * not prove how long Azure takes to assign an identity to nodes.
 *
 * The tests are steps of one story and run in order.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { localCloud } from '../support/localCloud';
import { exampleFile } from './support/exampleFile';
import { ForeignPodIdentity } from './support/foreignPodIdentity';
import { stepsOf, type Migration } from './support/migration';
import { readingImage, Readings } from './support/readings';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('pod-identity');
const readings = new Readings(cloud.state);
/** What the pods of somebody else read. */
const shopReadings = new Readings(path.join(cloud.state, 'shop'));
let foreign: ForeignPodIdentity;
const stack = 'pod-identity';
const example = exampleFile('pod-identity');
const tokenEvents = 'aks-workload-identity:tokenEvents';
const allVerified = /\n[1-9]\d* checks passed, 0 failed/;

interface StackFile {
  config: Record<string, Record<string, unknown>[]> & Record<typeof tokenEvents, Record<string, unknown>>;
}

/** A service principal that signs in with federation. */
const withoutPassword = { identity: 'servicePrincipal', signIn: 'workloadIdentity' };

/** The example with pods of orders that read without pause. */
function configuration(
  signIn: 'podIdentity' | 'both' | 'workloadIdentity',
  { installed = true, withPassword = false } = {},
) {
  const file = parse(example) as StackFile;
  const [orders = {}, reports = {}] = file.config['aks-workload-identity:applications'] ?? [];
  const [cluster = {}] = file.config['aks-workload-identity:clusters'] ?? [];
  if (installed) file.config[tokenEvents] = { intervalSeconds: 5 };
  else delete cluster['podIdentity'];
  orders['signIn'] = signIn;
  if (!withPassword) Object.assign(reports, withoutPassword);
  orders['image'] = `${readingImage}:1`;
  orders['env'] = { AZURE_TOKEN_CREDENTIALS: 'prod', READINGS: readings.file };
  return { stack, yaml: stringify(file) };
}

async function clientIdOfOrders(): Promise<string> {
  const { workloads } = await cloud.outputs(stack);
  return workloads.find(({ application }) => application === 'orders')?.identity.clientId ?? '';
}

/** What aad-pod-identity says of the namespace. */
async function assignments(namespace = 'orders'): Promise<string[]> {
  const { objects } = await cloud.kubernetes('aks-1');
  interface Assigned {
    metadata: { name?: string };
    status?: { status?: string };
  }
  const { items } = await objects.list('aadpodidentity.k8s.io/v1', 'AzureAssignedIdentity', namespace);
  return (items as Assigned[]).map(({ status }) => status?.status ?? '');
}

/** The events of tokens at the binding of orders. */
async function eventsOfTokens(type: string) {
  const { core } = await cloud.kubernetes('aks-1');
  const fieldSelector = `source=aks-workload-identity,involvedObject.name=orders,type=${type}`;
  return (await core.listNamespacedEvent({ namespace: 'orders', fieldSelector })).items;
}

/** A pod with the label of orders that asks for tokens of another identity. */
const stranger = { namespace: 'orders', name: 'stranger' };

const migrate = async (...args: string[]) =>
  JSON.parse(
    await cloud.succeed('migrate', '--stack', stack, '--cluster', 'aks-1', ...args, '--json'),
  ) as Migration;

const readMore = async (of = readings) => {
  const before = of.reads('vault');
  await of.until(() => of.reads('vault') > before + 30);
};

beforeAll(async () => {
  process.env.AKS_WI_IMAGES = readings.imagesFile();
  mkdirSync(path.join(cloud.state, 'shop'));
  await cloud.start();
});
afterAll(async () => {
  delete process.env.AKS_WI_IMAGES;
  await cloud.clean();
});

describe('an application that signs in with aad-pod-identity', () => {
  it('reads its secret by an identity that the controller has assigned', async () => {
    const { output } = await cloud.up(configuration('podIdentity', { withPassword: true }));

    expect(output).toMatch(allVerified);
    expect(await assignments()).toEqual(['Assigned']);
    await readMore();
  });

  it('is not trusted by workload identity', async () => {
    const { code, report } = await cloud.verify(stack);
    const { identities } = await cloud.outputs(stack);

    expect(code).toBe(0);
    expect(identities.find(({ name }) => name === 'id-pod-identity-aks-1-orders')?.trusts).toEqual([]);
    expect(report.checks).toContainEqual({
      ...{ cluster: 'aks-1', application: 'orders', ok: true },
      check: 'identity assigned by aad-pod-identity',
      detail: 'id-pod-identity-aks-1-orders is assigned for 1 pod',
    });
  });

  it('has an event at its binding for the tokens that its pod got, with pod, identity, resource and result', async () => {
    const { core, objects } = await cloud.kubernetes('aks-1');
    const { items } = await core.listNamespacedPod({
      ...{ namespace: 'orders', labelSelector: 'aadpodidbinding=orders' },
    });
    const { name = '', uid } = items[0]?.metadata ?? {};
    const [issued] = await until('an event of a token', async () => {
      const found = await eventsOfTokens('Normal');
      return found.length > 0 ? found : new Miss('there is none');
    });
    const apiVersion = 'aadpodidentity.k8s.io/v1';
    const binding = await objects.read({
      ...{ apiVersion, kind: 'AzureIdentityBinding' },
      metadata: { name: 'orders', namespace: 'orders' },
    });

    expect(issued).toMatchObject({
      ...{ reason: 'TokenIssued', source: { component: 'aks-workload-identity' } },
      involvedObject: { apiVersion, kind: 'AzureIdentityBinding', uid: binding.metadata?.uid },
      related: { kind: 'Pod', namespace: 'orders', name, uid },
      message: `pod orders/${name} got a token of identity orders/orders for https://vault.azure.net (status 200)`,
    });
    expect(JSON.stringify(issued)).not.toMatch(/eyJ/);
  });

  it('is audited with what the controller did, and with the tokens', async () => {
    const { bindingEvents } = JSON.parse(
      await cloud.succeed('audit', '--stack', stack, '--application', 'orders', '--json'),
    ) as { bindingEvents: { cluster: string; application: string; reason: string; message: string }[] };

    expect(bindingEvents).toContainEqual(
      expect.objectContaining({
        ...{ cluster: 'aks-1', application: 'orders', reason: 'binding applied' },
        message: expect.stringMatching(/^Binding orders applied on node \S+ for pod orders-/) as string,
      }),
    );
    expect(await cloud.succeed('audit', '--stack', stack, '--application', 'orders')).toMatch(
      /orders on aks-1: pod orders\/orders-\S+ got a token of identity orders\/orders for https:\/\/vault/,
    );
  });

  it('has its writer of events verified', async () => {
    const { report } = await cloud.verify(stack);

    expect(report.checks.find(({ application }) => application === 'token-events')).toMatchObject({
      ...{ check: 'pods', ok: true, detail: '1 ready' },
    });
  });

  it('has an event of a token that a pod with its label was refused', async () => {
    const { core } = await cloud.kubernetes('aks-1');
    await core.createNamespacedPod({
      namespace: 'orders',
      body: {
        metadata: { ...stranger, labels: { aadpodidbinding: 'orders' } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              ...{ name: 'stranger', image: 'ghcr.io/aks-workload-identity/reader:0.1.0' },
              env: Object.entries({
                KEY_VAULT_URI: 'https://kv-wi-pod-identity.vault.azure.net/',
                SECRET_NAMES: 'orders-db',
                AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
                AZURE_CLIENT_ID: '99999999-0000-4000-8000-000000008888',
              }).map(([name, value]) => ({ name, value })),
            },
          ],
        },
      },
    });

    // The node component looks for the identity for 80 seconds.
    const [refused] = await until(
      'an event of a refusal',
      async () => {
        const found = await eventsOfTokens('Warning');
        return found.length > 0 ? found : new Miss('there is none');
      },
      180_000,
    );
    await core.deleteNamespacedPod(stranger);

    expect(refused).toMatchObject({
      reason: 'TokenRefused',
      message: expect.stringMatching(
        /^pod orders\/stranger was refused a token \(status 404\): clientID in request: 9999##### REDACTED #####8888, /,
      ) as string,
    });
  });

  it('is left alone by a second update, and a refresh shows no drift', async () => {
    expect(await cloud.changesOfSecondUpdate(configuration('podIdentity', { withPassword: true }))).toEqual(
      [],
    );
  });
});

describe('an application that signs in with aad-pod-identity with a password', () => {
  it('reads its secret as a service principal, whose password the pods never have', async () => {
    const { report } = await cloud.verify(stack);
    const { objects } = await cloud.kubernetes('aks-1');
    const { items } = await objects.list('v1', 'Pod', 'reports');

    expect(
      report.checks
        .filter(({ application, ok }) => application === 'reports' && ok)
        .map(({ check }) => check),
    ).toEqual(
      expect.arrayContaining([
        'identity assigned by aad-pod-identity',
        'reads kv-wi-pod-identity/reports-db',
      ]),
    );
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toMatch(/reports\.pod-identity|AZURE_CLIENT_SECRET/);
  });

  it('leaves other secrets of its namespace to others', async () => {
    const { objects } = await cloud.kubernetes('aks-1');
    const review = (name: string) =>
      objects.create({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: 'system:serviceaccount:kube-system:aad-pod-identity-nmi',
          resourceAttributes: { namespace: 'reports', verb: 'get', resource: 'secrets', name },
        },
      } as never);

    expect(await review('reports.pod-identity')).toMatchObject({ status: { allowed: true } });
    expect(await review('another')).toMatchObject({ status: { allowed: false } });
  });

  it('needs none by workload identity, as which it is the same service principal', async () => {
    const clientIdOf = async () =>
      (await cloud.outputs(stack)).workloads.find(({ application }) => application === 'reports')?.identity
        .clientId;
    const before = await clientIdOf();

    const { output } = await cloud.up(configuration('podIdentity'));

    expect(output).toMatch(allVerified);
    expect(await clientIdOf()).toBe(before);
    const { objects } = await cloud.kubernetes('aks-1');
    expect((await objects.list('v1', 'Secret', 'reports')).items).toEqual([]);
  });
});

describe('the migration, while the pods read', () => {
  it('begins with an application of the stack and one of somebody else', async () => {
    foreign = new ForeignPodIdentity(await cloud.azure(), cloud);
    await foreign.make(shopReadings.file);
    await shopReadings.until(() => shopReadings.reads('vault') > 10);

    const found = await migrate();

    expect(found).toMatchObject({ done: false, obstacles: [] });
    expect(stepsOf(found)).toEqual({
      'orders/orders': ['orders', false, false, false],
      'shop/shop': ['', false, false, false],
    });
    expect(found.next.join()).toContain('set `signIn: both` of orders');
    expect(found.next.join()).toContain('Step 1, both ways side by side: for Deployment shop/shop');
  });

  it('has both ways of the stack’s application side by side', async () => {
    const { output, steps } = await cloud.up(configuration('both'));

    expect(steps.summary).toEqual([
      'create aks-workload-identity:identity:FederatedCredentials aks-1-orders',
      'create azure-native:managedidentity:FederatedIdentityCredential aks-1-orders/orders_orders',
      'update kubernetes:apps/v1:Deployment aks-1-orders',
    ]);
    expect(output).toMatch(allVerified);
    const clientId = await clientIdOfOrders();
    await readings.until(() => readings.reads('vault', clientId) > 30);
    expect(stepsOf(await migrate())).toMatchObject({ 'orders/orders': ['orders', true, true, true] });
  });

  it('has both ways of the other side by side, by the files that it wrote', async () => {
    const folder = path.join(cloud.state, 'review');
    await migrate('--write', folder);
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    await foreign.trust(path.join(folder, 'federated-credentials.sh'), cloud.state);
    const objectsIn = (name: string) =>
      parseAllDocuments(read(name)).flatMap(
        (document) => (document.toJS() as Parameters<typeof foreign.apply>[0] | null) ?? [],
      );
    for (const object of objectsIn('service-accounts.yaml')) await foreign.apply(object);
    const prepared = await migrate();
    expect(stepsOf(prepared)['shop/shop']).toEqual(['', true, false, false]);
    expect(prepared.next.join()).toContain('Step 2, switch: add labels.yaml to Deployment shop/shop');

    for (const object of objectsIn('labels.yaml')) await foreign.apply(object);
    await until('the switch', async () => {
      const { 'shop/shop': shop } = stepsOf(await migrate());
      return shop?.[3] === true || new Miss(JSON.stringify(shop));
    });
    const { identity } = (await migrate()).workloads.find(({ name }) => name === 'shop') ?? {};
    expect(identity).toMatch(/\/id-shop$/);
    expect((await migrate()).next.join()).toMatch(
      /audit --sign-ins.*Step 4, remove: remove the label aadpodidbinding from/,
    );
  });

  it('ends aad-pod-identity for both', async () => {
    const { output, steps } = await cloud.up(configuration('workloadIdentity'));

    expect(steps.summary).toEqual([
      'delete aks-workload-identity:podIdentity:PodIdentityBinding aks-1-orders',
      'delete azure-native:authorization:RoleAssignment aks-1-pod-identity/aks-1-orders',
      'delete kubernetes:aadpodidentity.k8s.io/v1:AzureIdentity aks-1-orders-identity',
      'delete kubernetes:aadpodidentity.k8s.io/v1:AzureIdentityBinding aks-1-orders-binding',
      'update kubernetes:apps/v1:Deployment aks-1-orders',
    ]);
    expect(output).toMatch(allVerified);
    await foreign.unbind();
    await foreign.replaced();
    await readMore(shopReadings);
    await until('the assignments to go', async () => {
      const left = [...(await assignments()), ...(await assignments('shop'))];
      return left.length === 0 || new Miss(left.join());
    });
    await readMore();
    expect(await migrate()).toMatchObject({
      ...{ done: false, workloads: [], obstacles: [] },
      next: [expect.stringContaining('Step 4, remove: remove `podIdentity` of the cluster') as string],
    });
  });

  it('removes aad-pod-identity, after reads without a failure', async () => {
    const { output } = await cloud.up(configuration('workloadIdentity', { installed: false }));

    expect(output).toMatch(allVerified);
    await readMore();
    expect(readings.failures).toEqual([]);
    expect(shopReadings.failures).toEqual([]);
    // Its pods end a little later than the update.
    await until('the end of aad-pod-identity', async () => {
      const migration = await migrate();
      return migration.done || new Miss(migration.next.join());
    });
    expect((await migrate()).workloads).toEqual([]);
  });

  it('says that there is nothing to migrate', async () => {
    expect(await cloud.fail('migrate', '--stack', stack, '--cluster', 'aks-9')).toContain(
      'The deployed stack has no cluster aks-9. It has: aks-1.',
    );
    const { objects } = await cloud.kubernetes('aks-1');
    for (const kind of ['azureidentities', 'azureidentitybindings', 'azurepodidentityexceptions'])
      await objects.delete({
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: `${kind}.aadpodidentity.k8s.io` },
      });
    await until('the definitions to go', async () => {
      const output = await cloud.command('migrate', '--stack', stack, '--cluster', 'aks-1');
      return output.stderr.includes('The cluster aks-1 has no aad-pod-identity') || new Miss(output.stdout);
    });
  });
});
