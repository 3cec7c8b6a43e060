import { isReady, podWhen } from '../../support/kubernetes/client';
import { program, programPod } from '../../support/kubernetes/pods';
import { startTimeout } from '../../support/kubernetes/runtime';
import type { SharedCluster } from '../../support/kubernetes/sharedCluster';

const namespace = 'webhook';
const label = { 'azure.workload.identity/use': 'true' };

/** Names of the variables that a pod with these labels gets. */
export async function injectedVariables(
  { client }: SharedCluster,
  labels: Record<string, string> = label,
): Promise<string[]> {
  const body = programPod('tried', {}, {}, { labels });
  const pod = await client.core.createNamespacedPod({ namespace: 'default', body, dryRun: 'All' });
  return (pod.spec?.containers[0]?.env ?? []).map(({ name }) => name);
}

/**
 * The unmodified chart of the workload identity webhook. It needs a cluster without it, and removes it at the
 * end.
 */
export function webhookSuite(cluster: SharedCluster): void {
  const { spec } = cluster;
  const setTo = (workloadIdentity: boolean) => cluster.test.runtime.ensure({ ...spec, workloadIdentity });

  beforeAll(() => cluster.namespace(namespace));
  afterAll(() => cluster.client.core.deleteNamespace({ name: namespace }));

  it(
    'runs only once it is enabled',
    async () => {
      expect(await injectedVariables(cluster)).toEqual([]);
      await setTo(true);
      expect((await injectedVariables(cluster)).sort()).toEqual([
        'AZURE_AUTHORITY_HOST',
        'AZURE_FEDERATED_TOKEN_FILE',
        'AZURE_TENANT_ID',
      ]);
      expect(await injectedVariables(cluster, {})).toEqual([]);
    },
    startTimeout,
  );

  it('gives a labelled pod of an annotated service account its identity and a token in a file', async () => {
    const { core } = cluster.client;
    await core.createNamespacedServiceAccount({
      namespace,
      body: {
        metadata: { name: 'orders', annotations: { 'azure.workload.identity/client-id': 'the-client-id' } },
      },
    });
    await core.createNamespacedPod({
      namespace,
      body: programPod('orders', {}, { serviceAccountName: 'orders' }, { labels: label }),
    });
    await podWhen(cluster.client, 'orders', isReady, namespace);
    const { env } = await program(cluster.test, 'orders', namespace).about();
    expect(env).toMatchObject({
      AZURE_CLIENT_ID: 'the-client-id',
      AZURE_TENANT_ID: spec.tenantId,
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
    });
    expect(
      await program(cluster.test, 'orders', namespace).file(env['AZURE_FEDERATED_TOKEN_FILE'] ?? ''),
    ).toMatch(/^ey.+\..+\..+$/);
  });

  it(
    'is removed when it is disabled',
    async () => {
      await setTo(false);
      expect(await injectedVariables(cluster)).toEqual([]);
    },
    startTimeout,
  );
}
