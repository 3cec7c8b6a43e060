import path from 'node:path';
import { ChartsService } from '../../../../charts';
import { isReady, podWhen } from '../../../support/kubernetes/client';
import { program, programPod } from '../../../support/kubernetes/pods';
import { charts, startTimeout } from '../../../support/kubernetes/runtime';
import { TestCloud } from '../../../support/azure';
import type { Plugin, Recorded } from './support/plugin';
import { failureFrom, urn } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';
import { variable } from '../../../../project';

const releaseType = 'kubernetes:helm.sh/v3:Release';
/** Namespace of the webhook. */
const namespace = 'azure-workload-identity-system';
/** Namespace of the pods that it serves. */
const served = 'external';

/** A cluster that is known by its kubeconfig only, in which the program installs what AKS includes. */
export function externalClusterSuite(cluster: PluginCluster): void {
  const { spec } = cluster;
  let cloud: TestCloud;
  let plugin: Plugin;
  let installed: Recorded | undefined;

  beforeAll(async () => {
    const packaged = path.dirname((await charts())['workload-identity-webhook']);
    const sources = path.resolve(__dirname, '../../../support/charts');
    cloud = await TestCloud.start({ charts: new ChartsService({ packaged, sources }) });
    await cluster.namespace(served);
    plugin = await cluster.plugin(served, {
      [variable('HELM')]: cluster.helm,
      HTTPS_PROXY: `http://127.0.0.1:${cloud.azure.proxyPort}`,
      NO_PROXY: '127.0.0.1,localhost',
      SSL_CERT_FILE: cloud.azure.caFile,
    });
  }, startTimeout);
  afterAll(async () => {
    if (installed !== undefined) await plugin.delete(webhook, installed);
    await plugin.stop();
    await cloud.stop();
  });

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
      const { client, test } = cluster;
      const created = await plugin.create(webhook, inputs);
      installed = created;

      expect(created.id).toBe(`${namespace}/workload-identity-webhook`);
      const pods = test.runtime.status().flatMap((cluster) => cluster.pods);
      expect(pods.map((pod) => pod.namespace)).toEqual([namespace]);
      await client.core.createNamespacedServiceAccount({
        namespace: served,
        body: { metadata: { name: 'edge', annotations: { 'azure.workload.identity/client-id': 'edge-id' } } },
      });
      const labels = { 'azure.workload.identity/use': 'true' };
      await client.core.createNamespacedPod({
        namespace: served,
        body: programPod('edge', {}, { serviceAccountName: 'edge' }, { labels }),
      });
      await podWhen(client, 'edge', isReady, served);
      const { env } = await program(test, 'edge', served).about();
      expect(env).toMatchObject({ AZURE_CLIENT_ID: 'edge-id', AZURE_TENANT_ID: spec.tenantId });
      const token = await program(test, 'edge', served).file(env['AZURE_FEDERATED_TOKEN_FILE'] ?? '');
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
      expect(claims).toMatchObject({ iss: spec.issuer, sub: 'system:serviceaccount:external:edge' });

      // A second update changes nothing.
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
      values: { serviceAccountName: 'edge' },
    });

    expect(created.inputs['version']).toBe('0.1.0');
    const { items } = await cluster.client.apps.listNamespacedDeployment({ namespace: served });
    expect(items.map(({ spec }) => spec?.template.spec?.serviceAccountName)).toEqual(['edge']);
    await plugin.delete(urn(releaseType, 'reports'), created);
  });

  it('reports a repository that cannot be reached', async () => {
    const failure = await failureFrom(
      plugin.create(urn(releaseType, 'nowhere'), {
        ...{ chart: 'thing', version: '1.0.0', name: 'nowhere' },
        repositoryOpts: { repo: 'https://charts.elsewhere.example' },
      }),
    );

    expect(failure.message).toContain('charts.elsewhere.example');
    expect(failure.message).toContain('Forbidden');
  });
}
