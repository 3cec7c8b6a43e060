/**
 * Deploys the example of docs/applications.md, with all settings of applications. It proves the program with
 * the real engine, webhook, Secrets Store driver and helm. It does not prove AKS's add-on of that driver, nor a
 * registry that needs credentials.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { parse, stringify } from 'yaml';
import { shardOf } from '../../stacks/plan/shards';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';

jest.setTimeout(15 * 60_000);

const folder = path.join(projectRoot, 'examples/configurations/applications');
const cloud = localCloud('applications');
const stack = 'applications';
/** A copy of the release file, which the tests can change. */
const releases = path.join(cloud.state, 'orders.yaml');

interface StackFile {
  config: Record<string, unknown> & { 'aks-workload-identity:applications': Application[] };
}
type Application = Record<string, unknown> & { name: string };

/** The example with the local cloud's registry, the test's release file, and the changes of `change`. */
function configuration(change: (applications: Application[]) => Application[] = (all) => all) {
  const example = readFileSync(path.join(folder, 'Pulumi.applications.yaml'), 'utf8')
    .replace('oci://ghcr.io/aks-workload-identity/charts', 'oci://charts.example.azurecr.io/helm')
    .replace('./examples/configurations/applications/orders.yaml', path.relative(projectRoot, releases));
  const file = parse(example) as StackFile;
  const key = 'aks-workload-identity:applications';
  file.config[key] = change(file.config[key]);
  return { stack, yaml: stringify(file) };
}

/** Without the application whose namespace does not exist yet. */
const withoutShop = () => configuration((all) => all.filter(({ name }) => name !== 'shop'));

/** The last line of the verification at the end of `up`. */
const allVerified = /\n[1-9]\d* checks passed, 0 failed/;

beforeAll(async () => {
  writeFileSync(releases, readFileSync(path.join(folder, 'orders.yaml'), 'utf8'));
  await cloud.start();
});
afterAll(async () => {
  await cloud.clean();
  rmSync(releases, { force: true });
});

describe('a release file', () => {
  it('without a pin for the stack is refused, with its name in the message', async () => {
    const before = readFileSync(releases, 'utf8');
    writeFileSync(releases, before.replace('  applications:', '  application:'));

    const output = await cloud.refusedUp(withoutShop());

    writeFileSync(releases, before);
    expect(output).toContain(
      'orders.yaml: environments.applications: is missing, so the stack has no release of the application. Allowed: 1.0.0, 1.1.0. Add it, for example `applications: "1.0.0"`; there is application.',
    );
    expect(output).not.toMatch(/\n\s+at .*\(/);
  });
});

describe('the applications', () => {
  it('are deployed to their clusters, and read their granted secrets', async () => {
    const { output } = await cloud.up(withoutShop());

    expect(output).toMatch(allVerified);
    const { workloads } = await cloud.outputs(stack);
    expect(workloads.map(({ cluster, application, version }) => ({ cluster, application, version }))).toEqual(
      [
        { cluster: 'front', application: 'orders', version: '1.0.0' },
        { cluster: 'front', application: 'invoices', version: undefined },
        { cluster: 'front', application: 'mailer', version: undefined },
        { cluster: 'back', application: 'invoices', version: undefined },
        { cluster: 'back', application: 'gateway', version: undefined },
        { cluster: 'back', application: 'portal', version: undefined },
        { cluster: 'back', application: 'reports', version: undefined },
      ],
    );
  });

  it('use the identity of their shard, or their own', async () => {
    const { workloads } = await cloud.outputs(stack);
    const identityOf = (cluster: string, application: string) =>
      workloads.find((workload) => workload.cluster === cluster && workload.application === application)
        ?.identity.name;

    expect(identityOf('front', 'orders')).toBe(`id-applications-front-${shardOf('orders')}`);
    expect(identityOf('back', 'invoices')).toBe(`id-applications-back-${shardOf('invoices')}`);
    expect(identityOf('back', 'gateway')).toBe('id-applications-back-gateway');
  });

  it('are verified, including the further service account and the other audience', async () => {
    const { code, report } = await cloud.verify(stack);
    const { checks } = report;

    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(code).toBe(0);
    expect(checks.find(({ check }) => check.includes('mailer/mailer-worker'))).toMatchObject({
      cluster: 'front',
      application: 'mailer',
    });
    expect(checks.filter(({ application }) => application === 'gateway').map(({ check }) => check)).toContain(
      'reads kv-wi-applications/shared-api-key',
    );
  });

  it('have their secrets in the requested form', async () => {
    const { apps, core, custom } = await cloud.kubernetes('front');
    const classes = (await custom.listClusterCustomObject({
      group: 'secrets-store.csi.x-k8s.io',
      version: 'v1',
      plural: 'secretproviderclasses',
    })) as { items: { metadata: { namespace: string; name: string } }[] };
    expect(classes.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort()).toEqual([
      'invoices/invoices-secrets',
      'mailer/mailer-secrets',
    ]);
    // The reader is ready once it has found each file and variable, and only then are the deployments
    // available.
    for (const name of ['invoices', 'mailer']) {
      const { status } = await apps.readNamespacedDeployment({ namespace: name, name });
      expect(status).toMatchObject({ availableReplicas: 1 });
      const pods = await core.listNamespacedPod({ namespace: name });
      const pod = pods.items[0]?.metadata?.name ?? '';
      const log = await core.readNamespacedPodLog({ namespace: name, name: pod });
      const proved = log.split('\n').filter((line) => line.includes('"event":"read"'));
      expect(proved.join('\n')).toContain(
        name === 'invoices' ? 'file invoices-db' : 'variable SMTP_PASSWORD',
      );
    }
  });

  it('differ where an override is set', async () => {
    const { apps } = await cloud.kubernetes('front');
    const { spec } = await apps.readNamespacedDeployment({ namespace: 'orders', name: 'orders' });

    expect(spec?.replicas).toBe(1);
    expect(spec?.template.spec?.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'GREETING', value: 'hi' },
        { name: 'REGION', value: 'westeurope' },
      ]),
    );
  });
});

describe('an application that others deploy', () => {
  const ofPortal = async () => {
    const { checks } = (await cloud.verify(stack)).report;
    return checks.filter(({ application }) => application === 'portal');
  };
  const pods = (checks: Awaited<ReturnType<typeof ofPortal>>) =>
    checks.find(({ check }) => check.startsWith('pods'));

  it('has its access, and no pods of the stack', async () => {
    const checks = await ofPortal();
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.map(({ check }) => check)).toContain('reads kv-wi-applications/shared-api-key');
    expect(pods(checks)).toMatchObject({ detail: 'there are none in namespace portal' });
    expect((await cloud.urns(stack)).filter((urn) => /Deployment::back-portal/.test(urn))).toEqual([]);
  });

  it('runs as its identity once they deploy it, and is reported', async () => {
    const { objects, apps } = await cloud.kubernetes('back');
    await objects.create(
      parse(readFileSync(path.join(folder, 'portal/deployment.yaml'), 'utf8')) as KubernetesObject,
    );
    const ready = async () =>
      (await apps.readNamespacedDeployment({ name: 'portal', namespace: 'portal' })).status
        ?.availableReplicas === 1;
    // The reader is ready once it has read the secret.
    while (!(await ready())) await delay(500);
    expect(pods(await ofPortal())).toMatchObject({ ok: true, detail: '1 ready' });
    expect((await cloud.deploy(withoutShop())).changed).toEqual([]);
  });
});

describe('an application in a namespace that exists', () => {
  it('is refused if it does not, with its place and the hint, before anything is written', async () => {
    const before = await cloud.urns(stack);

    const output = await cloud.refusedUp(configuration());

    expect(output).toContain('Pulumi.applications.yaml has 1 error; nothing was changed.');
    expect(output).toMatch(
      /applications\[\d\]\.namespace\.name: "storefront" does not exist in the cluster front\. Create it there \(`kubectl create namespace storefront`\)/,
    );
    expect(await cloud.urns(stack)).toEqual(before);
  });

  it('is deployed to it, and changes only its own resources', async () => {
    const { core } = await cloud.kubernetes('front');
    await core.createNamespace({
      body: { metadata: { name: 'storefront', labels: { owner: 'shop-team' } } },
    });
    expect(await cloud.refusedUp(configuration())).toMatch(
      /serviceAccount\.name: "checkout" does not exist in the namespace storefront of the cluster front\./,
    );
    await core.createNamespacedServiceAccount({
      namespace: 'storefront',
      body: { metadata: { name: 'checkout', annotations: { team: 'shop' } } },
    });

    const { output, steps } = await cloud.up(configuration());

    const shard = `front-${shardOf('shop')}`;
    expect(steps.summary).toEqual(
      [
        'create aks-workload-identity:application:Workload front-shop',
        ...['ManagedIdentity', 'FederatedCredentials'].map(
          (type) => `create aks-workload-identity:identity:${type} ${shard}`,
        ),
        `create azure-native:authorization:RoleAssignment kv-wi-applications/${shard}/shared-api-key`,
        `create azure-native:managedidentity:FederatedIdentityCredential ${shard}/storefront_checkout`,
        `create azure-native:managedidentity:UserAssignedIdentity ${shard}`,
        'create kubernetes:apps/v1:Deployment front-shop',
        'create kubernetes:core/v1:ServiceAccountPatch front-shop-account',
      ].sort(),
    );
    const account = await core.readNamespacedServiceAccount({ namespace: 'storefront', name: 'checkout' });
    expect(account.metadata?.annotations).toEqual({
      team: 'shop',
      'azure.workload.identity/client-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      'azure.workload.identity/tenant-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    });
    const namespace = await core.readNamespace({ name: 'storefront' });
    expect(namespace.metadata?.labels).toMatchObject({ owner: 'shop-team' });
    expect(namespace.metadata?.annotations ?? {}).toEqual({});
    expect(output).toMatch(allVerified);
  });

  it('changes nothing in a second up, and shows no drift', async () => {
    expect(await cloud.changesOfSecondUpdate(configuration())).toEqual([]);
  });
});

describe('an update of several applications', () => {
  it('changes only what each change needs', async () => {
    const text = readFileSync(releases, 'utf8').replace("applications: '1.0.0'", "applications: '1.1.0'");
    writeFileSync(releases, text);
    const change = (application: Application) =>
      application.name === 'mailer'
        ? {
            ...application,
            secrets: ['smtp-password', 'shared-api-key'],
            env: { SECRET_ENVIRONMENT: 'SMTP_PASSWORD,SHARED_API_KEY' },
          }
        : application;

    const { output, steps } = await cloud.up(
      configuration((all) => all.filter(({ name }) => name !== 'shop').map(change)),
    );

    const [shop, orders, mailer] = ['shop', 'orders', 'mailer'].map((name) => `front-${shardOf(name)}`);
    expect(steps.summary).toEqual(
      [
        // A new release for one application,
        `create azure-native:authorization:RoleAssignment kv-wi-applications/${orders}/shared-api-key`,
        'update kubernetes:apps/v1:Deployment front-orders',
        // a new secret as a variable for another,
        `create azure-native:authorization:RoleAssignment kv-wi-applications/${mailer}/shared-api-key`,
        'update kubernetes:apps/v1:Deployment front-mailer',
        'update kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass front-mailer-secrets',
        // and the removal of a third.
        'delete aks-workload-identity:application:Workload front-shop',
        ...['ManagedIdentity', 'FederatedCredentials'].map(
          (type) => `delete aks-workload-identity:identity:${type} ${shop}`,
        ),
        `delete azure-native:authorization:RoleAssignment kv-wi-applications/${shop}/shared-api-key`,
        `delete azure-native:managedidentity:FederatedIdentityCredential ${shop}/storefront_checkout`,
        `delete azure-native:managedidentity:UserAssignedIdentity ${shop}`,
        'delete kubernetes:apps/v1:Deployment front-shop',
        'delete kubernetes:core/v1:ServiceAccountPatch front-shop-account',
        // The namespace was only read.
        'discard kubernetes:core/v1:Namespace front/storefront',
      ].sort(),
    );
    expect(output).toMatch(allVerified);
  });

  it('has the new release, with its secrets', async () => {
    const { workloads } = await cloud.outputs(stack);
    expect(workloads.find(({ application }) => application === 'orders')).toMatchObject({
      version: '1.1.0',
      grants: [
        { vault: 'kv-wi-applications', secret: 'orders-db' },
        { vault: 'kv-wi-applications', secret: 'shared-api-key' },
      ],
    });
  });

  it('replaces the pods of the application that has the new secret as a variable', async () => {
    const { apps, core } = await cloud.kubernetes('front');
    const { status } = await apps.readNamespacedDeployment({ namespace: 'mailer', name: 'mailer' });
    expect(status).toMatchObject({ availableReplicas: 1, updatedReplicas: 1 });
    const { items } = await core.listNamespacedPod({ namespace: 'mailer' });
    const running = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    const log = await core.readNamespacedPodLog({
      namespace: 'mailer',
      name: running[0]?.metadata?.name ?? '',
    });
    expect(log).toContain('variable SHARED_API_KEY');
  });

  it('keeps the namespace and the service account of the removed application, without its annotations', async () => {
    const { core } = await cloud.kubernetes('front');
    const account = await core.readNamespacedServiceAccount({ namespace: 'storefront', name: 'checkout' });
    expect(account.metadata?.annotations).toEqual({ team: 'shop' });
    const namespace = await core.readNamespace({ name: 'storefront' });
    expect(namespace.status?.phase).toBe('Active');
  });
});
