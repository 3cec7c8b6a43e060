import path from 'node:path';
import { Secret } from '../../../../localcloud/plugins/protocol';
import type { Client } from '../../kubernetes/support/client';
import { connect, isReady, podWhen } from '../../kubernetes/support/client';
import { program, programPod } from '../../kubernetes/support/pods';
import type { TestRuntime } from '../../kubernetes/support/runtime';
import {
  charts,
  clusterSpec,
  openRuntime,
  requireTool,
  startTimeout,
} from '../../kubernetes/support/runtime';
import { TestCloud } from '../../support/azure';
import { Plugin, bundlePlugin, failureFrom, urn } from './support/plugin';

const releaseType = 'kubernetes:helm.sh/v3:Release';
const namespace = 'azure-workload-identity-system';

// A cluster that nobody but its kubeconfig knows: what AKS brings along is installed by the program.
describe('a cluster that is not managed by AKS', () => {
  let cloud: TestCloud;
  let test: TestRuntime;
  let plugin: Plugin;
  let client: Client;
  const spec = clusterSpec();

  beforeAll(async () => {
    const packaged = path.dirname((await charts())['workload-identity-webhook']);
    const sources = path.resolve(__dirname, '../../../../examples/charts');
    test = openRuntime();
    cloud = await TestCloud.start({ charts: { packaged, sources } });
    await test.runtime.ensure(spec);
    client = await connect(test.runtime, spec.id);
    const environment = {
      AKS_WI_HELM: await requireTool('helm'),
      HTTPS_PROXY: `http://127.0.0.1:${cloud.azure.proxyPort}`,
      NO_PROXY: '127.0.0.1,localhost',
      SSL_CERT_FILE: cloud.azure.caFile,
    };
    plugin = await Plugin.start(await bundlePlugin(test.stateDir), environment, test.stateDir);
    await plugin.configure({ kubeconfig: new Secret(await test.runtime.kubeconfig(spec.id, 'user')) });
  }, startTimeout);
  afterAll(async () => {
    await plugin.stop();
    await test.dispose();
    await cloud.stop();
  }, 60_000);

  const webhook = urn(releaseType, 'webhook');
  const inputs = {
    chart: 'workload-identity-webhook',
    version: '1.6.0',
    repositoryOpts: { repo: 'https://azure.github.io/azure-workload-identity/charts' },
    name: 'workload-identity-webhook',
    namespace,
    createNamespace: true,
    values: { azureTenantID: spec.tenantId, replicaCount: 1 },
  };

  it(
    "gets the workload identity webhook by Azure's chart from its repository, and is injected by it",
    async () => {
      const created = await plugin.create(webhook, inputs);

      expect(created.id).toBe(`${namespace}/workload-identity-webhook`);
      const pods = test.runtime.status().flatMap((cluster) => cluster.pods);
      expect(pods.map((pod) => pod.namespace)).toEqual([namespace]);
      await client.core.createNamespacedServiceAccount({
        namespace: 'default',
        body: { metadata: { name: 'edge', annotations: { 'azure.workload.identity/client-id': 'edge-id' } } },
      });
      const labels = { 'azure.workload.identity/use': 'true' };
      await client.core.createNamespacedPod({
        namespace: 'default',
        body: programPod('edge', {}, { serviceAccountName: 'edge' }, { labels }),
      });
      await podWhen(client, 'edge', isReady);
      const { env } = await program(test, 'edge').about();
      expect(env).toMatchObject({ AZURE_CLIENT_ID: 'edge-id', AZURE_TENANT_ID: spec.tenantId });
      const token = await program(test, 'edge').file(env['AZURE_FEDERATED_TOKEN_FILE'] ?? '');
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
      expect(claims).toMatchObject({ iss: spec.issuer, sub: 'system:serviceaccount:default:edge' });

      // And nothing to do the next time.
      const again = await plugin.check(webhook, inputs, created.inputs);
      expect((await plugin.diff(webhook, created, again)).getDiffsList()).toEqual([]);
      const refreshed = await plugin.read(webhook, created.id, created.state, created.inputs);
      expect(refreshed?.inputs).toEqual(created.inputs);
    },
    startTimeout,
  );

  it('gets a chart from a registry, whose newest version is recorded', async () => {
    const created = await plugin.create(urn(releaseType, 'reports'), {
      chart: 'oci://charts.example.azurecr.io/helm/reports',
      name: 'reports',
      skipAwait: true,
      values: {
        serviceAccount: { name: 'edge' },
        podLabels: { 'azure.workload.identity/use': 'true' },
        azure: {
          clientId: 'a',
          tenantId: 'b',
          keyVaultUri: 'https://kv.vault.azure.net/',
          secretNames: ['a'],
        },
      },
    });

    expect(created.inputs['version']).toBe('0.1.0');
    const { items } = await client.apps.listNamespacedDeployment({ namespace: 'default' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['reports']);
    await plugin.delete(urn(releaseType, 'reports'), created);
  });

  it('says what is wrong with a repository that cannot be reached', async () => {
    const failure = await failureFrom(
      plugin.create(urn(releaseType, 'nowhere'), {
        ...{ chart: 'thing', version: '1.0.0', name: 'nowhere' },
        repositoryOpts: { repo: 'https://charts.elsewhere.example' },
      }),
    );

    expect(failure.message).toContain('charts.elsewhere.example');
    expect(failure.message).toContain('Forbidden');
  });
});
