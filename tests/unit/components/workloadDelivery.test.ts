import * as pulumi from '@pulumi/pulumi';
import type { WorkloadArgs } from '../../../components/application/workload';
import { parse } from 'yaml';
import { component, account, deployment, release, withChart, withImage } from './support/workloads';
import { guidOf } from './support/azure';

// What mocks do not prove: that the driver fetches the secrets, and that the webhook leaves the token's variable; the
// end-to-end test of applications does.

const template = (recording: Awaited<ReturnType<typeof withImage>>) =>
  (recording.find(deployment, 'aks-1-orders').inputs as unknown as DeliveredTemplate).spec.template;

interface DeliveredTemplate {
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        volumes?: unknown[];
        containers: { env: { name: string; [key: string]: unknown }[]; volumeMounts?: unknown[] }[];
      };
    };
  };
}

const providerClass = 'kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass';
const volume = {
  name: 'secrets',
  csi: {
    driver: 'secrets-store.csi.k8s.io',
    readOnly: true,
    volumeAttributes: { secretProviderClass: 'orders-secrets' },
  },
};
const mount = { name: 'secrets', mountPath: '/mnt/secrets', readOnly: true };

describe('Workload whose secrets the driver delivers', () => {
  it('as files mounts exactly the named secrets, fetched as its own identity', async () => {
    const recording = await withImage({ delivery: 'files' });

    const registered = recording.find(providerClass, 'aks-1-orders-secrets');
    expect(registered.parent).toBe(`${component}::aks-1-orders`);
    expect(registered.inputs).toEqual({
      apiVersion: 'secrets-store.csi.x-k8s.io/v1',
      kind: 'SecretProviderClass',
      metadata: {
        name: 'orders-secrets',
        namespace: 'shop',
        labels: { 'app.kubernetes.io/name': 'orders' },
        annotations: { 'pulumi.com/patchForce': 'true' },
      },
      spec: {
        provider: 'azure',
        parameters: {
          usePodIdentity: 'false',
          clientID: guidOf('client'),
          tenantId: guidOf('tenant'),
          keyvaultName: 'kv-a',
          objects: [
            'array:',
            '  - |',
            '    objectName: "orders-db"',
            '    objectType: secret',
            '  - |',
            '    objectName: "shared"',
            '    objectType: secret',
            '',
          ].join('\n'),
        },
      },
    });
    const { metadata, spec } = template(recording);
    expect(metadata.labels['azure.workload.identity/use']).toBe('true');
    expect(spec.volumes).toEqual([volume]);
    expect(spec.containers[0]?.volumeMounts).toEqual([mount]);
    expect(spec.containers[0]?.env.map(({ name }) => name)).toEqual(['KEY_VAULT_URI', 'SECRET_NAMES']);
    expect(recording.find(deployment, 'aks-1-orders').dependencies).toContain(
      `${providerClass}::aks-1-orders-secrets`,
    );
  });

  it('tells the driver which cloud the vault is in, if it is not the public one', async () => {
    const vault = { name: 'kv-a', uri: 'x', cloudName: 'AzureChinaCloud', secretNames: ['orders-db'] };
    const recording = await withImage({ delivery: 'files', vault });

    expect(recording.find(providerClass, 'aks-1-orders-secrets').inputs).toMatchObject({
      spec: { parameters: { keyvaultName: 'kv-a', cloudName: 'AzureChinaCloud' } },
    });
  });

  it('writes the objects as the provider reads them: a list of YAML texts in a YAML text', async () => {
    const recording = await withImage({
      delivery: 'files',
      vault: { name: 'kv-a', uri: 'x', secretNames: ['007', 'no'] },
    });

    const { spec } = recording.find(providerClass, 'aks-1-orders-secrets').inputs as unknown as {
      spec: { parameters: { objects: string } };
    };
    const { array } = parse(spec.parameters.objects) as { array: string[] };
    expect(array.map((text) => parse(text) as unknown)).toEqual([
      { objectName: '007', objectType: 'secret' },
      { objectName: 'no', objectType: 'secret' },
    ]);
  });

  it('as variables copies them into a Kubernetes secret, named by what is in it', async () => {
    const secretName = async (...secretNames: string[]) => {
      const recording = await withImage({
        delivery: 'environment',
        image: { reference: 'reader:1', env: { LEVEL: 'debug' } },
        vault: { name: 'kv-a', uri: 'https://kv.vault.azure.net/', secretNames },
      });
      const { spec } = recording.find(providerClass, 'aks-1-orders-secrets').inputs as unknown as {
        spec: { secretObjects: { secretName: string }[] };
      };
      return { recording, objects: spec.secretObjects, name: spec.secretObjects[0]?.secretName ?? '' };
    };
    const { recording, objects, name } = await secretName('shared', 'orders-db');

    expect(name).toMatch(/^orders-secrets-[0-9a-f]{8}$/);
    expect(objects).toEqual([
      {
        secretName: name,
        type: 'Opaque',
        labels: { 'app.kubernetes.io/name': 'orders' },
        data: [
          { objectName: 'orders-db', key: 'orders-db' },
          { objectName: 'shared', key: 'shared' },
        ],
      },
    ]);
    const { spec } = template(recording);
    expect(spec.containers[0]?.env.filter(({ valueFrom }) => valueFrom !== undefined)).toEqual([
      { name: 'ORDERS_DB', valueFrom: { secretKeyRef: { name, key: 'orders-db' } } },
      { name: 'SHARED', valueFrom: { secretKeyRef: { name, key: 'shared' } } },
    ]);
    expect(spec.volumes).toEqual([volume]);
    // The order means nothing; another list is another secret, so that the pods are made anew with it.
    expect((await secretName('orders-db', 'shared')).name).toBe(name);
    expect((await secretName('orders-db')).name).not.toBe(name);
  });

  it('takes the name of a vault that is known later', async () => {
    const secretOf = async (name: pulumi.Input<string>) => {
      const vault = { name, uri: 'https://kv.vault.azure.net/', secretNames: ['orders-db'] };
      const { find } = await withImage({ delivery: 'environment', vault });
      return find(providerClass, 'aks-1-orders-secrets').inputs.spec;
    };

    expect(await secretOf(pulumi.output('kv-a'))).toEqual(await secretOf('kv-a'));
  });

  it('makes new pods of another list of secrets, with files as well', async () => {
    const pods = async (...secretNames: string[]) =>
      template(await withImage({ delivery: 'files', vault: { name: 'kv-a', uri: 'x', secretNames } }));

    expect(await pods('a', 'b')).not.toEqual(await pods('a'));
  });

  it('tells the owner’s chart where they are', async () => {
    const chart = { source: { chart: './charts/orders' } };
    const files = await withChart(chart, { delivery: 'files' });
    const environment = await withChart(chart, { delivery: 'environment' });
    const told = ({ find }: typeof files) =>
      (find(release, 'aks-1-orders').inputs.values as { azure: Record<string, unknown> }).azure;

    expect(told(files)).toMatchObject({ secretProviderClass: 'orders-secrets' });
    expect(told(files)).not.toHaveProperty('kubernetesSecret');
    expect(told(environment)).toMatchObject({
      secretProviderClass: 'orders-secrets',
      kubernetesSecret: expect.stringMatching(/^orders-secrets-[0-9a-f]{8}$/) as unknown,
    });
    expect(files.names(providerClass)).toEqual(['aks-1-orders-secrets']);
  });

  it.each<[Partial<WorkloadArgs>, string]>([
    [
      { delivery: 'files', audience: 'openshift' },
      'Workload aks-1-orders: audience "openshift" does not go with the delivery files: the driver asks for tokens of its own audience. Allowed: api://AzureADTokenExchange.',
    ],
    [
      { delivery: 'files', vault: { name: 'kv-a', uri: 'x', secretNames: [] } },
      'Workload aks-1-orders: delivery "files" has nothing to deliver.',
    ],
  ])('refuses %j', async (wrong, message) => {
    await expect(withImage(wrong)).rejects.toThrow(message);
  });
});

describe('Workload with another audience', () => {
  it('has a token of its own for it, which the client libraries find', async () => {
    const { metadata, spec } = template(await withImage({ audience: 'openshift' }));

    expect(metadata.labels['azure.workload.identity/use']).toBe('true');
    expect(spec.volumes).toEqual([
      {
        name: 'azure-identity-token',
        projected: {
          sources: [
            {
              serviceAccountToken: {
                audience: 'openshift',
                expirationSeconds: 3600,
                path: 'azure-identity-token',
              },
            },
          ],
        },
      },
    ]);
    expect(spec.containers[0]?.volumeMounts).toEqual([
      { name: 'azure-identity-token', mountPath: '/var/run/secrets/aks-workload-identity', readOnly: true },
    ]);
    expect(spec.containers[0]?.env).toContainEqual({
      name: 'AZURE_FEDERATED_TOKEN_FILE',
      value: '/var/run/secrets/aks-workload-identity/azure-identity-token',
    });
  });

  it('is as without one with that of the webhook', async () => {
    const { spec } = template(await withImage({ audience: 'api://AzureADTokenExchange' }));

    expect(spec).not.toHaveProperty('volumes');
    expect(spec.containers[0]).not.toHaveProperty('volumeMounts');
  });

  it('tells the owner’s chart', async () => {
    const { find } = await withChart({ source: { chart: './charts/orders' } }, { audience: 'openshift' });

    expect(find(release, 'aks-1-orders').inputs.values).toMatchObject({ azure: { audience: 'openshift' } });
  });
});

describe('the service accounts of a Workload', () => {
  const patch = 'kubernetes:core/v1:ServiceAccountPatch';

  it('are all made and annotated, and the pods run under the first', async () => {
    const recording = await withImage({ furtherServiceAccounts: ['worker', 'cron.daily'] });

    expect(recording.names(account)).toEqual([
      'aks-1-orders-account',
      'aks-1-orders-account/worker',
      'aks-1-orders-account/cron.daily',
    ]);
    const accounts = recording.registrations.filter(({ type }) => type === account);
    expect(accounts.map(({ inputs }) => inputs.metadata)).toEqual(
      ['orders', 'worker', 'cron.daily'].map((name) => ({
        name,
        namespace: 'shop',
        labels: { 'app.kubernetes.io/name': 'orders' },
        annotations: {
          'azure.workload.identity/client-id': guidOf('client'),
          'azure.workload.identity/tenant-id': guidOf('tenant'),
          'pulumi.com/patchForce': 'true',
        },
      })),
    );
    expect(template(recording).spec).toMatchObject({ serviceAccountName: 'orders' });
  });

  it('are told to the owner’s chart where there are several', async () => {
    const { find } = await withChart(
      { source: { chart: './charts/orders' } },
      { furtherServiceAccounts: ['worker'] },
    );

    const registered = find(release, 'aks-1-orders');
    expect(registered.inputs.values).toMatchObject({
      serviceAccount: { name: 'orders' },
      serviceAccounts: ['orders', 'worker'],
    });
    expect(registered.dependencies).toContain(`${account}::aks-1-orders-account/worker`);
  });

  it('are annotated and nothing else where the first exists', async () => {
    const recording = await withImage({ existingServiceAccount: true, furtherServiceAccounts: ['worker'] });

    expect(recording.names(account)).toEqual(['aks-1-orders-account/worker']);
    expect(recording.find(patch, 'aks-1-orders-account').inputs).toEqual({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name: 'orders',
        namespace: 'shop',
        annotations: {
          'azure.workload.identity/client-id': guidOf('client'),
          'azure.workload.identity/tenant-id': guidOf('tenant'),
        },
      },
    });
    expect(recording.find(deployment, 'aks-1-orders').dependencies).toContain(
      `${patch}::aks-1-orders-account`,
    );
  });
});
