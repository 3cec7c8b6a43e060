/**
 * aad-pod-identity in a managed cluster: the released chart with the vendor's controller and node component, and pods
 * that sign in with the metadata service with the vendor's library.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { ComputeManagementClient } from '@azure/arm-compute';
import type { CustomObjectsApi } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { isReady, Miss, podWhen, until } from '../../support/kubernetes/client';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import { managedCluster, mayRead, startWholeCloud, vaultWith } from '../../support/kubernetes/cloud';
import { helm } from '../../support/kubernetes/helm';
import { charts, readerImage, startTimeout } from '../../support/kubernetes/runtime';

const MACHINE_CONTRIBUTOR = '9980e02c-c2be-4d73-94e8-173b1dc7cf3c';
const IDENTITY_OPERATOR = 'f1a07417-d97a-45cb-824c-7a7467783830';
const namespace = 'legacy';
const group = 'aadpodidentity.k8s.io';
const tokenPath = '/metadata/identity/oauth2/token';
const parameters = 'api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net';

interface AssignedIdentity {
  spec: { azureIdentityRef: { metadata: { name: string } }; pod: string; nodename: string };
  status?: { status?: string };
}

describe('aad-pod-identity', () => {
  let whole: WholeCloud;
  let cluster: ManagedCluster;
  let vault: string;
  let nodeGroup: string;
  let kubelet: { objectId?: string; clientId?: string };

  beforeAll(async () => {
    whole = await startWholeCloud();
    cluster = await managedCluster(whole, 'aks-legacy');
    const about = await whole.cloud.clusters().managedClusters.get('rg', 'aks-legacy');
    nodeGroup = about.nodeResourceGroup ?? '';
    kubelet = about.identityProfile?.['kubeletidentity'] ?? {};
    vault = await vaultWith(whole.cloud, { 'orders-db': 'value' });
    await cluster.client.core.createNamespace({ body: { metadata: { name: namespace } } });
    const { id = '' } = await whole.cloud.resources().resourceGroups.get(nodeGroup);
    await grant(MACHINE_CONTRIBUTOR, id);
    const { 'aad-pod-identity': chart } = await charts();
    await helm(
      ...([whole.test, cluster] as const),
      ...['install', 'aad-pod-identity', chart, '--namespace', 'kube-system', '--wait'],
      ...['--set', 'mic.replicas=1', '--set-string', 'forceNamespaced=true'],
      ...['--set', 'nmi.retryAttemptsForCreated=3', '--set', 'nmi.findIdentityRetryIntervalInSeconds=1'],
    );
  }, startTimeout);
  afterAll(() => whole.dispose());

  const grant = (role: string, scope: string) =>
    whole.cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId: kubelet.objectId ?? '',
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${whole.cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    });
  const custom = async (): Promise<CustomObjectsApi> => {
    const library = await import('@kubernetes/client-node');
    return cluster.client.config.makeApiClient(library.CustomObjectsApi);
  };
  const create = async (kind: string, plural: string, name: string, spec: object): Promise<unknown> =>
    (await custom()).createNamespacedCustomObject({
      ...{ group, version: 'v1', namespace, plural },
      body: { apiVersion: `${group}/v1`, kind, metadata: { name }, spec },
    });
  const assignments = async (): Promise<AssignedIdentity[]> => {
    const list: unknown = await (
      await custom()
    ).listNamespacedCustomObject({
      ...{ group, version: 'v1', namespace, plural: 'azureassignedidentities' },
    });
    return (list as { items: AssignedIdentity[] }).items;
  };
  const reader = (
    name: string,
    labels: Record<string, string>,
    env: { name: string; value: string }[] = [],
  ) =>
    cluster.client.core.createNamespacedPod({
      namespace,
      body: {
        metadata: { name, labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: 'reader',
              image: `${readerImage}:1`,
              env: [
                { name: 'KEY_VAULT_URI', value: `https://${vault}.vault.azure.net/` },
                { name: 'SECRET_NAME', value: 'orders-db' },
                { name: 'AZURE_TOKEN_CREDENTIALS', value: 'ManagedIdentityCredential' },
                ...env,
              ],
              readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 1 },
            },
          ],
        },
      },
    });
  /** What a pod's request for a token of the vault is answered. */
  const ask = async (
    name: string,
    query: string,
    {
      headers = { metadata: 'true' },
      at = tokenPath,
    }: { headers?: Record<string, string>; at?: string } = {},
  ) => {
    const pod = await cluster.client.core.readNamespacedPod({ name, namespace });
    const proxy = new URL(whole.cloud.azure.nodeProxy(cluster.id, pod.status?.podIP));
    const authorization = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = {
        ...{
          host: proxy.hostname,
          port: proxy.port,
          path: `http://169.254.169.254${at}?${parameters}&${query}`,
        },
        headers: { ...headers, 'proxy-authorization': `Basic ${authorization}` },
      };
      const request = http.get(options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      request.on('error', reject);
    });
  };
  const onNodes = async () => {
    const { cloud } = whole;
    const client = new ComputeManagementClient(
      cloud.administrator(),
      cloud.subscriptionId,
      cloud.clientOptions(),
    );
    const { identity } = await client.virtualMachineScaleSets.get(nodeGroup, 'aks-nodepool1-local-vmss');
    return Object.values(identity?.userAssignedIdentities ?? {}).map(({ clientId }) => clientId);
  };

  it('assigns an identity to the node by its controller, and gives its pod a token of it', async () => {
    const identities = whole.cloud.identities().userAssignedIdentities;
    const created = await identities.createOrUpdate('rg', 'id-orders', { location: 'westeurope' });
    const { id: resourceID = '', clientId: clientID = '', principalId = '' } = created;
    await mayRead(whole.cloud, vault, principalId, 'orders-db');
    await grant(IDENTITY_OPERATOR, resourceID);
    await create('AzureIdentity', 'azureidentities', 'orders', { type: 0, resourceID, clientID });
    await create('AzureIdentityBinding', 'azureidentitybindings', 'orders', {
      azureIdentity: 'orders',
      selector: 'orders',
    });
    await reader('orders', { aadpodidbinding: 'orders' });

    await podWhen(cluster.client, 'orders', isReady, namespace);
    expect(await assignments()).toMatchObject([
      {
        spec: { azureIdentityRef: { metadata: { name: 'orders' } }, pod: 'orders' },
        status: { status: 'Assigned' },
      },
    ]);
    expect((await onNodes()).sort()).toEqual([kubelet.clientId, clientID].sort());
    const issued = whole.cloud.azure.control.audit().filter(({ clientId }) => clientId === clientID);
    expect(issued.at(-1)).toMatchObject({
      ...{ grant: 'managed identity', outcome: 'issued', cluster: 'aks-legacy' },
    });
    // The claim is the pod's alone: another identity is refused to it.
    expect(await ask('orders', `client_id=${kubelet.clientId ?? ''}`)).toMatchObject({ status: 404 });
  }, 120_000);

  it('refuses a token to a pod without a binding, also of an identity that is on the node', async () => {
    await reader('stranger', {});
    await podWhen(cluster.client, 'stranger', ({ status }) => status?.podIP !== undefined, namespace);
    const [identity] = await onNodes();
    for (const query of ['', `client_id=${identity ?? ''}`]) {
      const { status, text } = await ask('stranger', query);
      expect({ status, text }).toMatchObject({
        ...{
          status: 404,
          text: expect.stringContaining('getting assigned identities for pod legacy/stranger') as string,
        },
      });
    }
    expect(await ask('stranger', '', { headers: {} })).toMatchObject({
      ...{ status: 400, text: expect.stringContaining('Required metadata header not specified') as string },
    });
  }, 120_000);

  it.each([
    '/metadata/identity/oauth2/TOKEN',
    '/metadata/identity/OAuth2/token',
    '/metadata/Identity/oauth2/token',
    '/METADATA/IDENTITY/OAUTH2/TOKEN',
    '/metadata/./identity/oauth2/TOKEN',
    '/metadata/x/../identity/oauth2/TOKEN',
    '/metadata//identity/oauth2/token',
    '/metadata\\identity\\oauth2\\token',
    '/metadata/identity\\oauth2/token',
    '/metadata/identity/oauth2/%54oken',
    '/metadata/identity%2Foauth2/token',
  ])('gives a pod without a binding no token at %s', async (at) => {
    for (const clientId of await onNodes()) {
      const { status, text } = await ask('stranger', `client_id=${clientId ?? ''}`, { at });
      expect([301, 400, 404]).toContain(status);
      expect(text).not.toContain('access_token');
    }
  });

  it('gives an excepted pod a token of the node', async () => {
    await mayRead(whole.cloud, vault, kubelet.objectId ?? '', 'orders-db');
    await create('AzurePodIdentityException', 'azurepodidentityexceptions', 'agents', {
      podLabels: { app: 'agent' },
    });
    await reader('agent', { app: 'agent' }, [{ name: 'AZURE_CLIENT_ID', value: kubelet.clientId ?? '' }]);
    await podWhen(cluster.client, 'agent', isReady, namespace);
  }, 120_000);

  it('takes the identity off the node when no pod has it any more', async () => {
    await cluster.client.core.deleteNamespacedPod({ name: 'orders', namespace });
    await until('the identity to go', async () => {
      const [left, held] = [await assignments(), await onNodes()];
      return (left.length === 0 && held.length === 1) || new Miss(JSON.stringify({ left, held }));
    });
  }, 120_000);
});
