import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { WorkloadDependency } from '../../../components/application/dependencies';
import { component, account, deployment, release, withChart, withImage } from './support/workloads';
import { guidOf } from './support/azure';

// What mocks do not prove: that the webhook injects the identity, that the pods start and read their secrets,
// and that an owner's chart uses the values.

interface PodTemplate {
  spec: {
    replicas: number;
    template: {
      metadata: { labels: Record<string, string> };
      spec: { serviceAccountName: string; containers: { env: { name: string; value: string }[] }[] };
    };
  };
}

const secret = 'kubernetes:core/v1:Secret';

describe('Workload with a stored credential', () => {
  const keyId = guidOf('key');
  interface Stored extends PodTemplate {
    spec: PodTemplate['spec'] & {
      template: {
        metadata: { annotations: Record<string, string> };
        spec: { volumes?: unknown[]; containers: { env: object[]; volumeMounts?: unknown[] }[] };
      };
    };
  }
  const podOf = ({ inputs }: { inputs: unknown }) => (inputs as { spec: Stored['spec'] }).spec.template;

  it('mounts the certificate of its Kubernetes secret, without the label, and names its file', async () => {
    const { find } = await withImage({
      credential: { certificate: 'pem', name: '2026-11-03-90d', keyId, authority: 'https://login.example/' },
    });
    const { metadata, immutable, stringData } = find(secret, 'aks-1-orders-credential').inputs as {
      metadata: object;
      immutable: boolean;
      stringData: { value: Record<string, unknown> };
    };
    expect(metadata).toMatchObject({ name: 'orders.certificate-2026-11-03-90d', namespace: 'shop' });
    expect(immutable).toBe(true);
    expect(Object.keys(stringData.value).sort()).toEqual([
      'AZURE_AUTHORITY_HOST',
      'AZURE_CLIENT_CERTIFICATE',
      'AZURE_CLIENT_ID',
      'AZURE_TENANT_ID',
    ]);
    const pod = podOf(find(deployment, 'aks-1-orders'));
    expect(pod.metadata.labels).toEqual({ 'app.kubernetes.io/name': 'orders' });
    expect(pod.metadata.annotations).toMatchObject({ 'aks-workload-identity/credential': keyId });
    expect(pod.spec.volumes).toEqual([
      {
        name: 'credential',
        secret: {
          secretName: 'orders.certificate-2026-11-03-90d',
          items: [{ key: 'AZURE_CLIENT_CERTIFICATE', path: 'certificate.pem' }],
        },
      },
    ]);
    const folder = '/var/run/secrets/aks-workload-identity/credential';
    expect(pod.spec.containers[0]?.volumeMounts).toEqual([
      { name: 'credential', mountPath: folder, readOnly: true },
    ]);
    expect(pod.spec.containers[0]?.env).toEqual([
      { name: 'AZURE_AUTHORITY_HOST', value: 'https://login.example/' },
      { name: 'AZURE_CLIENT_CERTIFICATE_PATH', value: `${folder}/certificate.pem` },
      { name: 'AZURE_CLIENT_ID', value: guidOf('client') },
      { name: 'AZURE_TENANT_ID', value: guidOf('tenant') },
      { name: 'KEY_VAULT_URI', value: 'https://kv.vault.azure.net/' },
      { name: 'SECRET_NAMES', value: 'orders-db,shared' },
    ]);
  });

  it('has the password as a variable of its Kubernetes secret', async () => {
    const { find } = await withImage({ credential: { password: 'text', name: '2026-11-03-90d', keyId } });
    const pod = podOf(find(deployment, 'aks-1-orders'));
    expect(pod.spec.volumes).toBeUndefined();
    expect(pod.spec.containers[0]?.env).toContainEqual({
      name: 'AZURE_CLIENT_SECRET',
      valueFrom: { secretKeyRef: { name: 'orders.password-2026-11-03-90d', key: 'AZURE_CLIENT_SECRET' } },
    });
  });

  it('gives a chart the name of the secret and the id of its key, and no label', async () => {
    const chart = { source: { chart: './charts/orders' }, values: { podLabels: { team: 'a' } } };
    const { find } = await withChart(chart, {
      credential: { password: 'text', name: '2026-11-03-90d', keyId },
    });
    expect(find(release, 'aks-1-orders').inputs.values).toMatchObject({
      podLabels: { team: 'a' },
      azure: { credentialSecret: 'orders.password-2026-11-03-90d', credentialKeyId: keyId },
    });
    expect(JSON.stringify(find(release, 'aks-1-orders').inputs)).not.toContain('workload.identity/use');
  });

  it('is refused with what signs in by tokens, and with two kinds', async () => {
    const credential = { password: 'text', name: '2026-11-03-90d', keyId };
    await expect(withImage({ credential, delivery: 'files' })).rejects.toThrow(
      'delivery "files" does not go with `credential`',
    );
    await expect(withImage({ credential, audience: 'api://other' })).rejects.toThrow(
      'audience "api://other" does not go with `credential`',
    );
    await expect(withImage({ credential: { ...credential, certificate: 'pem' } })).rejects.toThrow(
      'cannot have both certificate and password',
    );
  });
});

describe('Workload of an image', () => {
  it('annotates the service account with the ids of its identity', async () => {
    const { find } = await withImage();

    expect(find(account, 'aks-1-orders-account')).toEqual({
      type: account,
      name: 'aks-1-orders-account',
      inputs: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {
          name: 'orders',
          namespace: 'shop',
          labels: { 'app.kubernetes.io/name': 'orders' },
          annotations: {
            'azure.workload.identity/client-id': guidOf('client'),
            'azure.workload.identity/tenant-id': guidOf('tenant'),
            'pulumi.com/patchForce': 'true',
          },
        },
      },
      parent: `${component}::aks-1-orders`,
      dependencies: ['kubernetes:core/v1:Namespace::aks-1-shop'],
      protect: false,
      retainOnDelete: false,
      provider: undefined,
    });
  });

  it('runs pods with the label, under the account, that know their vault and secrets', async () => {
    const { find } = await withImage();

    const registered = find(deployment, 'aks-1-orders');
    expect(registered.parent).toBe(`${component}::aks-1-orders`);
    expect(registered.dependencies).toContain(`${account}::aks-1-orders-account`);
    expect(registered.inputs).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'orders',
        namespace: 'shop',
        labels: { 'app.kubernetes.io/name': 'orders' },
        annotations: { 'pulumi.com/patchForce': 'true' },
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: { 'app.kubernetes.io/name': 'orders' } },
        template: {
          metadata: {
            labels: { 'app.kubernetes.io/name': 'orders', 'azure.workload.identity/use': 'true' },
            // Another identity, other pods: theirs is injected when they are made.
            annotations: { 'aks-workload-identity/client-id': guidOf('client') },
          },
          spec: {
            serviceAccountName: 'orders',
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                name: 'orders',
                image: 'reader:1',
                ports: [{ name: 'http', containerPort: 8080 }],
                env: [
                  { name: 'KEY_VAULT_URI', value: 'https://kv.vault.azure.net/' },
                  { name: 'SECRET_NAMES', value: 'orders-db,shared' },
                ],
                livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
                readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
                resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      },
    });
  });

  it('takes another account, replicas, port and environment, whose order makes no difference', async () => {
    const image = { reference: 'reader:1', replicas: 1, port: 9000 };
    const one = await withImage({
      serviceAccount: 'shop-orders',
      image: { ...image, env: { Z: '1', A: '2' } },
    });
    const other = await withImage({
      serviceAccount: 'shop-orders',
      image: { ...image, env: { A: '2', Z: '1' } },
    });

    const { inputs } = one.find(deployment, 'aks-1-orders');
    const { spec } = inputs as unknown as PodTemplate;
    expect(spec.replicas).toBe(1);
    expect(spec.template.spec.serviceAccountName).toBe('shop-orders');
    expect(spec.template.spec.containers[0]?.env.map(({ name }) => name)).toEqual([
      'A',
      'KEY_VAULT_URI',
      'SECRET_NAMES',
      'Z',
    ]);
    expect(other.find(deployment, 'aks-1-orders').inputs).toEqual(inputs);
  });

  it('does not let the environment name another vault', async () => {
    const { find } = await withImage({
      image: { reference: 'reader:1', env: { KEY_VAULT_URI: 'https://other/' } },
    });

    const { spec } = find(deployment, 'aks-1-orders').inputs as unknown as PodTemplate;
    expect(spec.template.spec.containers[0]?.env).toContainEqual({
      name: 'KEY_VAULT_URI',
      value: 'https://kv.vault.azure.net/',
    });
  });
});

describe('Workload with dependencies', () => {
  it('is made once it has access to its services, so that the engine waits for pods that can start', async () => {
    const { find } = await withImage(() => {
      const access = new kubernetes.core.v1.ConfigMap('access', {});
      const dependency = {
        ...{ dependency: 'files', values: [], azureName: 'stfiles' },
        accessible: access.id.apply(() => true),
      } satisfies WorkloadDependency;
      return { dependencies: [dependency] };
    });

    const { dependencies, inputs } = find(deployment, 'aks-1-orders');
    expect(dependencies).toContain('kubernetes:core/v1:ConfigMap::access');
    expect(inputs.metadata).toMatchObject({ annotations: { 'pulumi.com/patchForce': 'true' } });
  });
});

describe('Workload with a dependency that is known late, as another component’s outputs are', () => {
  const plain = {
    ...{ dependency: 'files', azureName: 'stfiles', accessible: true },
    values: [
      { from: 'configMap', name: 'orders-files', key: 'endpoint' },
      { from: 'secret', name: 'orders-files-keys', key: 'key' },
    ],
  } satisfies WorkloadDependency;
  const late = (): WorkloadDependency => ({
    dependency: pulumi.output(plain.dependency),
    azureName: pulumi.output(plain.azureName),
    values: pulumi.output(plain.values),
    accessible: pulumi.output(true),
  });

  it('has the variables and the annotation of one that is known at once', async () => {
    const [early, after] = [
      await withImage(() => ({ dependencies: [plain] })),
      await withImage(() => ({ dependencies: [late()] })),
    ];
    const { inputs } = find(after, deployment);

    expect(inputs).toEqual(find(early, deployment).inputs);
    expect((inputs as unknown as PodTemplate).spec.template).toMatchObject({
      metadata: { annotations: { 'aks-workload-identity/dependencies': 'files=stfiles' } },
      spec: {
        containers: [
          {
            env: expect.arrayContaining([
              {
                name: 'FILES_ENDPOINT',
                valueFrom: { configMapKeyRef: { name: 'orders-files', key: 'endpoint' } },
              },
              { name: 'FILES_KEY', valueFrom: { secretKeyRef: { name: 'orders-files-keys', key: 'key' } } },
            ]) as unknown,
          },
        ],
      },
    });
  });

  it('gives a chart the values of one that is known at once', async () => {
    const source = { source: { chart: './charts/orders' } };
    const [early, after] = [
      await withChart(source, { dependencies: [plain] }),
      await withChart(source, { dependencies: [late()] }),
    ];

    expect(find(after, release).inputs).toEqual(find(early, release).inputs);
    expect(find(after, release).inputs).toMatchObject({
      values: {
        dependencies: { files: { configMap: 'orders-files', secret: 'orders-files-keys' } },
      },
    });
  });

  const find = (recorded: Awaited<ReturnType<typeof withImage>>, type: string) =>
    recorded.find(type, 'aks-1-orders');
});

describe('Workload of a chart', () => {
  it('hands the identity to the owner’s chart, after the account', async () => {
    const { find, names } = await withChart({ source: { chart: './charts/orders' } });

    expect(names(deployment)).toEqual([]);
    const registered = find(release, 'aks-1-orders');
    expect(registered.dependencies).toContain(`${account}::aks-1-orders-account`);
    expect(registered.inputs).toEqual({
      chart: './charts/orders',
      name: 'orders',
      namespace: 'shop',
      values: {
        serviceAccount: { create: false, name: 'orders' },
        podLabels: { 'azure.workload.identity/use': 'true' },
        azure: {
          clientId: guidOf('client'),
          tenantId: guidOf('tenant'),
          keyVaultUri: 'https://kv.vault.azure.net/',
          secretNames: ['orders-db', 'shared'],
        },
      },
      timeout: 600,
      compat: 'true',
    });
  });

  it('keeps the owner’s values beside it, and lets none of them undo it', async () => {
    const { find } = await withChart({
      source: { chart: 'orders', repository: 'https://charts.example', version: '1.2.3' },
      values: {
        replicaCount: 4,
        serviceAccount: { create: true, annotations: { a: 'b' } },
        podLabels: { team: 'shop', 'azure.workload.identity/use': 'false' },
      },
    });

    const { inputs } = find(release, 'aks-1-orders');
    expect(inputs).toMatchObject({
      chart: 'orders',
      version: '1.2.3',
      repositoryOpts: { repo: 'https://charts.example' },
    });
    expect(inputs.values).toMatchObject({
      replicaCount: 4,
      serviceAccount: { create: false, name: 'orders', annotations: { a: 'b' } },
      podLabels: { team: 'shop', 'azure.workload.identity/use': 'true' },
    });
  });
});

describe('Workload', () => {
  it.each([
    [{ application: 'Orders' }, /application "Orders" is not a valid name/],
    [{ furtherServiceAccounts: ['a_b'] }, /furtherServiceAccounts\[0\] "a_b" is not a valid name/],
    [{ serviceAccount: 'a_b' }, /serviceAccount "a_b" is not a valid name/],
  ])('refuses %j', async (wrong, message) => {
    await expect(withImage(wrong)).rejects.toThrow(message);
  });
});
