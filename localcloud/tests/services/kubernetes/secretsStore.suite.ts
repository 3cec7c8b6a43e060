import type { V1Deployment, V1Pod, V1Volume } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import type { Client } from '../../support/kubernetes/client';
import { isReady, Miss, podWhen as podOf, until } from '../../support/kubernetes/client';
import type { WholeCloud } from '../../support/kubernetes/cloud';
import { identityFor, managedCluster, mayRead, vaultWith } from '../../support/kubernetes/cloud';
import { program as programOf, programPod } from '../../support/kubernetes/pods';
import { readerImage, startTimeout } from '../../support/kubernetes/runtime';

const clusterName = 'aks-1';
const namespace = 'secrets';
const apiVersion = 'secrets-store.csi.x-k8s.io/v1';

/** The add-on for Key Vault secrets, in a cluster that others may use. */
export function secretsStoreSuite(cloudOf: () => WholeCloud): void {
  let whole: WholeCloud;
  let client: Client;
  let vault: string;
  let issuer: string;
  let clientId: string;
  const podWhen = (name: string, holds: (pod: V1Pod) => boolean) => podOf(client, name, holds, namespace);
  const program = (pod: string) => programOf(whole.test, pod, namespace);

  beforeAll(async () => {
    whole = cloudOf();
    const { cloud } = whole;
    ({ client, issuer } = await managedCluster(whole, clusterName, true));
    vault = await vaultWith(cloud, { 'orders-db': 'db-value', 'shared-key': 'key-value' });
    ({ clientId } = await identityFor(cloud, {
      ...{ name: 'id-secrets-orders', issuer, vault },
      serviceAccount: `${namespace}:orders`,
    }));
    await client.core.createNamespace({ body: { metadata: { name: namespace } } });
    for (const name of ['orders', 'stranger'])
      await client.core.createNamespacedServiceAccount({ namespace, body: { metadata: { name } } });
    await apply(providerClass('orders', clientId));
  }, startTimeout);
  afterAll(() => client.core.deleteNamespace({ name: namespace }));

  const apply = async (body: object) => {
    const library = await import('@kubernetes/client-node');
    await library.KubernetesObjectApi.makeApiClient(client.config).create(body);
  };
  const read = async <T>(kind: string, name: string) => {
    const library = await import('@kubernetes/client-node');
    const objects = library.KubernetesObjectApi.makeApiClient(client.config);
    return (await objects.read({ apiVersion, kind, metadata: { name, namespace } })) as T;
  };
  const providerClass = (name: string, identity: string) => ({
    apiVersion,
    kind: 'SecretProviderClass',
    metadata: { name, namespace },
    spec: {
      provider: 'azure',
      parameters: {
        usePodIdentity: 'false',
        clientID: identity,
        tenantId: whole.cloud.tenantId,
        keyvaultName: vault,
        objects: [
          'array:',
          '  - |',
          '    objectName: orders-db',
          '    objectType: secret',
          '  - |',
          '    objectName: shared-key',
          '    objectType: secret',
          '    objectAlias: key.txt',
        ].join('\n'),
      },
      secretObjects: [
        {
          secretName: `${name}-synced`,
          type: 'Opaque',
          data: [{ objectName: 'orders-db', key: 'password' }],
        },
      ],
    },
  });
  const secretsVolume = (secretProviderClass: string): V1Volume => ({
    name: 'secrets',
    csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { secretProviderClass } },
  });
  const consumer = (name: string, serviceAccountName: string, secretProviderClass: string) =>
    programPod(
      name,
      {
        env: [
          { name: 'FOLDER', value: '/mnt/secrets' },
          {
            name: 'PASSWORD',
            valueFrom: { secretKeyRef: { name: `${secretProviderClass}-synced`, key: 'password' } },
          },
        ],
        volumeMounts: [{ name: 'secrets', mountPath: '/mnt/secrets', readOnly: true }],
      },
      { serviceAccountName, volumes: [secretsVolume(secretProviderClass)] },
    );

  it('mounts the secrets as files, and provides them as variables through the synchronized Secret', async () => {
    await client.core.createNamespacedPod({ namespace, body: consumer('orders', 'orders', 'orders') });
    await podWhen('orders', isReady);

    const { env } = await program('orders').about();
    const file = (name: string) => program('orders').file(`${env['FOLDER']}/${name}`);
    expect(env['PASSWORD']).toBe('db-value');
    expect(await file('orders-db')).toBe('db-value');
    expect(await file('key.txt')).toBe('key-value');
  });

  it('records the mounts, and owns the Secret', async () => {
    const status = await read<{ status: { mounted: boolean; podName: string; objects: { id: string }[] } }>(
      'SecretProviderClassPodStatus',
      'orders-secrets-orders',
    );
    const secret = await client.core.readNamespacedSecret({ namespace, name: 'orders-synced' });

    expect(status.status).toMatchObject({ mounted: true, podName: 'orders' });
    expect(status.status.objects.map(({ id }) => id)).toEqual(['secret/orders-db', 'secret/shared-key']);
    expect(secret.metadata?.labels).toMatchObject({ 'secrets-store.csi.k8s.io/managed': 'true' });
  });

  it('keeps a pod waiting whose identity may not read, with an event, and continues once it may', async () => {
    const { cloud } = whole;
    const late = await identityFor(cloud, {
      ...{ name: 'id-secrets-late', issuer },
      serviceAccount: `${namespace}:stranger`,
    });
    await apply(providerClass('late', late.clientId));
    await client.core.createNamespacedPod({ namespace, body: consumer('late', 'stranger', 'late') });

    const event = await until('the event', async () => {
      const events = await client.core.listNamespacedEvent({
        namespace,
        fieldSelector: 'involvedObject.name=late,reason=FailedMount',
      });
      return events.items[0] ?? new Miss('no event');
    });
    const waiting = await client.core.readNamespacedPod({ namespace, name: 'late' });
    expect(event.message).toContain('MountVolume.SetUp failed for volume "secrets" : rpc error');
    expect(event.message).toContain('ForbiddenByRbac');
    expect(event.source?.component).toBe('kubelet');
    expect(waiting.status?.phase).toBe('Pending');
    expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ContainerCreating');

    await mayRead(cloud, vault, late.principalId);
    await podWhen('late', isReady);
  }, 90_000);

  it('serves a pod that also reads the vault itself', async () => {
    const env = {
      KEY_VAULT_URI: `https://${vault}.vault.azure.net/`,
      SECRET_NAME: 'orders-db',
      // The webhook would set it, but this cluster does not have it.
      AZURE_CLIENT_ID: clientId,
      AZURE_TENANT_ID: whole.cloud.tenantId,
      AZURE_FEDERATED_TOKEN_FILE: '/tokens/azure',
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
    };
    const body = consumer('reader', 'orders', 'orders');
    const token = { audience: 'api://AzureADTokenExchange', path: 'azure' };
    body.spec?.volumes?.push({
      name: 'tokens',
      projected: { sources: [{ serviceAccountToken: token }] },
    });
    const [container] = body.spec?.containers ?? [];
    if (!container) throw new Error('no container');
    container.image = `${readerImage}:1`;
    container.env?.push(...Object.entries(env).map(([name, value]) => ({ name, value })));
    container.volumeMounts?.push({ name: 'tokens', mountPath: '/tokens' });
    await client.core.createNamespacedPod({ namespace, body });

    await podWhen('reader', isReady);
    const log = await client.core.readNamespacedPodLog({ namespace, name: 'reader' });
    expect(log).toContain('read orders-db');
  });

  it("repeats Entra's refusal of a service account that the identity does not trust", async () => {
    await client.core.createNamespacedPod({ namespace, body: consumer('foreign', 'stranger', 'orders') });

    const event = await until('the event', async () => {
      const events = await client.core.listNamespacedEvent({
        namespace,
        fieldSelector: 'involvedObject.name=foreign,reason=FailedMount',
      });
      return events.items[0] ?? new Miss('no event');
    });

    expect(event.message).toContain('AADSTS700213');
    await client.core.deleteNamespacedPod({ namespace, name: 'foreign' });
  });

  it('deletes the Secret after the last pod that needs it', async () => {
    const labels = { app: 'worker' };
    await apply(providerClass('worker', clientId));
    const { spec } = consumer('worker', 'orders', 'worker');
    const body: V1Deployment = {
      metadata: { name: 'worker' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: spec ?? { containers: [] } },
      },
    };
    await client.apps.createNamespacedDeployment({ namespace, body });
    const name = 'worker-synced';
    await until('an owner', async () => {
      const { metadata } = await client.core.readNamespacedSecret({ namespace, name });
      const [owner] = metadata?.ownerReferences ?? [];
      return owner?.kind === 'ReplicaSet' ? owner : new Miss(JSON.stringify(metadata));
    });

    await client.apps.deleteNamespacedDeployment({ namespace, name: 'worker' });

    await until('the Secret to go', () =>
      client.core.readNamespacedSecret({ namespace, name }).then(
        () => new Miss('it is still there'),
        (error: unknown) =>
          (error as { code?: number }).code === 404 ? true : new Miss(JSON.stringify(error)),
      ),
    );
  }, 90_000);

  it('simulates a pod without a process as usual', async () => {
    await client.core.createNamespacedPod({
      namespace,
      body: {
        metadata: { name: 'simulated' },
        spec: {
          containers: [{ name: 'main', image: 'example.test/other:1' }],
          volumes: [secretsVolume('orders')],
        },
      },
    });

    expect((await podWhen('simulated', isReady)).status?.phase).toBe('Running');
  });

  it('is removed when the add-on is disabled, and a pod that needs it has an event', async () => {
    await managedCluster(whole, clusterName, false);
    await client.core.createNamespacedPod({ namespace, body: consumer('without', 'orders', 'orders') });

    const event = await until('the event', async () => {
      const events = await client.core.listNamespacedEvent({
        namespace,
        fieldSelector: 'involvedObject.name=without,reason=FailedMount',
      });
      return events.items[0] ?? new Miss('no event');
    });

    expect(event.message).toContain('not found in the list of registered CSI drivers');
    await managedCluster(whole, clusterName, true);
    await podWhen('without', isReady);
  }, 90_000);
}
