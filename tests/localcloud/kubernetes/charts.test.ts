import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from './support/client';
import { connect, isReady, podWhen } from './support/client';
import { helm } from './support/helm';
import { program, programPod } from './support/pods';
import type { TestRuntime } from './support/runtime';
import { charts, clusterSpec, openRuntime, startTimeout } from './support/runtime';

const spec = clusterSpec();

describe('unmodified charts', () => {
  let test: TestRuntime;
  let client: Client;

  const dryRun = async (labels: Record<string, string>) => {
    const body = programPod('tried', {}, {}, { labels });
    const pod = await client.core.createNamespacedPod({ namespace: 'default', body, dryRun: 'All' });
    return (pod.spec?.containers[0]?.env ?? []).map(({ name }) => name);
  };
  const label = { 'azure.workload.identity/use': 'true' };

  beforeAll(async () => {
    test = openRuntime();
    // Given a cluster without workload identity
    await test.runtime.ensure(spec);
    client = await connect(test.runtime, spec.id);
  }, startTimeout);
  afterAll(() => test.dispose());

  it(
    'run the workload identity webhook only once it is switched on',
    async () => {
      expect(await dryRun(label)).toEqual([]);
      await test.runtime.ensure({ ...spec, workloadIdentity: true });
      expect((await dryRun(label)).sort()).toEqual([
        'AZURE_AUTHORITY_HOST',
        'AZURE_FEDERATED_TOKEN_FILE',
        'AZURE_TENANT_ID',
      ]);
      expect(await dryRun({})).toEqual([]);
    },
    startTimeout,
  );

  it('give a labelled pod of an annotated service account its identity and a token in a file', async () => {
    await client.core.createNamespacedServiceAccount({
      namespace: 'default',
      body: {
        metadata: { name: 'orders', annotations: { 'azure.workload.identity/client-id': 'the-client-id' } },
      },
    });
    await client.core.createNamespacedPod({
      namespace: 'default',
      body: programPod('orders', {}, { serviceAccountName: 'orders' }, { labels: label }),
    });
    await podWhen(client, 'orders', isReady);
    const { env } = await program(test, 'orders').about();
    expect(env).toMatchObject({
      AZURE_CLIENT_ID: 'the-client-id',
      AZURE_TENANT_ID: spec.tenantId,
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
    });
    expect(await program(test, 'orders').file(env['AZURE_FEDERATED_TOKEN_FILE'] ?? '')).toMatch(
      /^ey.+\..+\..+$/,
    );
  });

  it(
    'install the webhook once: another ensure, also after a restart, leaves its release alone',
    async () => {
      const revisions = async () => {
        const releases = await helm(test, spec.id, 'list', '--namespace', 'kube-system', '--output', 'json');
        return (JSON.parse(releases) as { revision: string }[]).map(({ revision }) => revision);
      };
      await test.runtime.ensure({ ...spec, workloadIdentity: true });
      await test.runtime.close();
      test.runtime = openRuntime({ stateDir: test.stateDir }).runtime;
      await test.runtime.ensure({ ...spec, workloadIdentity: true });
      client = await connect(test.runtime, spec.id);
      expect(await dryRun(label)).toContain('AZURE_FEDERATED_TOKEN_FILE');
      expect(await revisions()).toEqual(['1']);
    },
    startTimeout,
  );

  it(
    'install cert-manager with its own readiness and start-up check, after which issuers work',
    async () => {
      const { 'cert-manager': chart } = await charts();
      await helm(
        ...([test, spec.id] as const),
        ...['install', 'cert-manager', chart, '--namespace', 'cert-manager', '--create-namespace'],
        ...['--set', 'crds.enabled=true', '--wait', '--timeout', '120s'],
      );
      const library = await import('@kubernetes/client-node');
      const { config } = await connect(test.runtime, spec.id);
      const objects = library.KubernetesObjectApi.makeApiClient(config);
      await objects.create({
        apiVersion: 'cert-manager.io/v1',
        kind: 'Issuer',
        metadata: { name: 'own', namespace: 'default' },
        spec: { selfSigned: {} },
      } as Parameters<typeof objects.create>[0]);
      await objects.create({
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: { name: 'site', namespace: 'default' },
        spec: { secretName: 'site-tls', dnsNames: ['site.test'], issuerRef: { name: 'own' } },
      } as Parameters<typeof objects.create>[0]);
      await client.core.createNamespacedPod({
        namespace: 'default',
        body: programPod(
          'site',
          {
            env: [{ name: 'FILE', value: '/tls/tls.crt' }],
            volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
          },
          { volumes: [{ name: 'tls', secret: { secretName: 'site-tls' } }] },
        ),
      });
      await podWhen(client, 'site', isReady);
      const { env } = await program(test, 'site').about();
      expect(await program(test, 'site').file(env['FILE'] ?? '')).toContain('BEGIN CERTIFICATE');
      // The chart's own check is a hook that helm removes when it has succeeded; its log stays.
      const logs = path.join(test.stateDir, spec.id, 'logs/pods');
      const check = readdirSync(logs).find((name) =>
        name.startsWith('cert-manager_cert-manager-startupapicheck-'),
      );
      expect(readFileSync(path.join(logs, check ?? ''), 'utf8')).toContain('The cert-manager API is ready');
    },
    startTimeout,
  );

  it(
    'remove the webhook again when it is switched off',
    async () => {
      await test.runtime.ensure({ ...spec, workloadIdentity: false });
      expect(await dryRun(label)).toEqual([]);
    },
    startTimeout,
  );
});
