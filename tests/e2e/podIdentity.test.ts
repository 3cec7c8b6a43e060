/**
 * The example of docs/pod-identity.md: an application that signs in by aad-pod-identity, whose controller and node component
 * are the vendor's, and its migration to workload identity in the documented order while its pods read without pause. It does
 * not prove how long Azure takes to assign an identity to nodes.
 *
 * The tests are steps of one story and run in order.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';
import { ForeignPodIdentity } from './support/foreignPodIdentity';
import { readingImage, Readings } from './support/readings';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('pod-identity');
const readings = new Readings(cloud.state);
/** What the pods of somebody else read. */
const shopReadings = new Readings(path.join(cloud.state, 'shop'));
let foreign: ForeignPodIdentity;
const stack = 'pod-identity';
const example = readFileSync(
  path.join(projectRoot, 'examples/configurations/pod-identity/Pulumi.pod-identity.yaml'),
  'utf8',
);
const allVerified = /\n[1-9]\d* checks passed, 0 failed/;

interface StackFile {
  config: Record<string, Record<string, unknown>[]>;
}

/** A service principal that signs in by federation. */
const withoutPassword = { identity: 'servicePrincipal', signIn: 'workloadIdentity' };

/** The example with pods of orders that read without pause. */
function configuration(
  signIn: 'podIdentity' | 'both' | 'workloadIdentity',
  { installed = true, withPassword = false } = {},
) {
  const file = parse(example) as StackFile;
  const [orders = {}, reports = {}] = file.config['aks-workload-identity:applications'] ?? [];
  const [cluster = {}] = file.config['aks-workload-identity:clusters'] ?? [];
  if (!installed) delete cluster['podIdentity'];
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

interface Migration {
  done: boolean;
  workloads: {
    namespace: string;
    name: string;
    application?: string;
    identity: string;
    progress: { prepared: boolean; switched: boolean; ready: boolean };
  }[];
  obstacles: unknown[];
  next: string[];
}
const migrate = async (...args: string[]) =>
  JSON.parse(
    await cloud.succeed('migrate', '--stack', stack, '--cluster', 'aks-1', ...args, '--json'),
  ) as Migration;
/** How far each workload is: its application in the stack, and what is prepared, switched, ready. */
const stepsOf = ({ workloads }: Migration): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    workloads.map(({ namespace, name, application = '', progress: { prepared, switched, ready } }) => [
      `${namespace}/${name}`,
      [application, prepared, switched, ready],
    ]),
  );

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

describe('an application that signs in by aad-pod-identity', () => {
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

  it('is audited with what the controller did', async () => {
    const { bindingEvents } = JSON.parse(
      await cloud.succeed('audit', '--stack', stack, '--application', 'orders', '--json'),
    ) as { bindingEvents: { cluster: string; application: string; reason: string; message: string }[] };

    expect(bindingEvents[0]).toMatchObject({
      ...{ cluster: 'aks-1', application: 'orders', reason: 'binding applied' },
      message: expect.stringMatching(/^Binding orders applied on node \S+ for pod orders-/) as string,
    });
  });

  it('is left alone by a second update, and a refresh shows no drift', async () => {
    expect(await cloud.changesOfSecondUpdate(configuration('podIdentity', { withPassword: true }))).toEqual(
      [],
    );
  });
});

describe('an application that signs in by aad-pod-identity with a password', () => {
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
        (one) => (one.toJS() as Parameters<typeof foreign.apply>[0] | null) ?? [],
      );
    for (const one of objectsIn('service-accounts.yaml')) await foreign.apply(one);
    const prepared = await migrate();
    expect(stepsOf(prepared)['shop/shop']).toEqual(['', true, false, false]);
    expect(prepared.next.join()).toContain('Step 2, switch: add labels.yaml to Deployment shop/shop');

    for (const one of objectsIn('labels.yaml')) await foreign.apply(one);
    await until('the switch', async () => {
      const { 'shop/shop': shop } = stepsOf(await migrate());
      return shop?.[3] === true || new Miss(JSON.stringify(shop));
    });
    const { identity } = (await migrate()).workloads.find(({ name }) => name === 'shop') ?? {};
    expect(identity).toMatch(/\/id-shop$/);
    expect((await migrate()).next.join()).toMatch(
      /audit --sign-ins.*Step 4, remove: take the label aadpodidbinding from/,
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

  it('says of what there is nothing to migrate', async () => {
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
