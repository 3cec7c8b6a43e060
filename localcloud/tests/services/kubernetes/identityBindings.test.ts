/**
 * Identity bindings in two real clusters: the vendor's webhook, the token proxy, and a program that signs in with
 * @azure/identity.
 */
import https from 'node:https';
import { json } from 'node:stream/consumers';
import { refusal } from '../../support/azure';
import { isReady, podEvent, podWhen, until } from '../../support/kubernetes/client';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import {
  clusterWith,
  managedCluster,
  mayRead,
  startWholeCloud,
  vaultWith,
} from '../../support/kubernetes/cloud';
import { readerImage, startTimeout } from '../../support/kubernetes/runtime';

const namespace = 'shop';
const audience = 'api://AKSIdentityBinding';
const proof = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let whole: WholeCloud;
let first: ManagedCluster;
let second: ManagedCluster;
let vault: string;
/** Client ids of an identity with a binding, and of one without. */
let bound: string;
let unbound: string;
let proxy: { url: string; name: string; ca: string };

const apply = async ({ client }: ManagedCluster, body: object) => {
  const library = await import('@kubernetes/client-node');
  await library.KubernetesObjectApi.makeApiClient(client.config).create(body);
};

/** Lets the service account `orders` use an identity. */
async function permit(cluster: ManagedCluster, clientId: string): Promise<void> {
  const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
  const metadata = { name: `use-${clientId}` };
  const rules = [
    { apiGroups: ['cid.wi.aks.azure.com'], resources: [clientId], verbs: ['use-managed-identity'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', name: 'orders', namespace }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name: metadata.name };
  await apply(cluster, { apiVersion, kind: 'ClusterRole', metadata, rules });
  await apply(cluster, { apiVersion, kind: 'ClusterRoleBinding', metadata, subjects, roleRef });
}

/** A pod of the reader, which is ready when it has read the secret. */
const readerPod = (name: string, annotations: Record<string, string>) => ({
  metadata: { name, labels: { 'azure.workload.identity/use': 'true' }, annotations },
  spec: {
    serviceAccountName: 'orders',
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: 'main',
        image: `${readerImage}:1`,
        ports: [{ name: 'http', containerPort: 8080 }],
        env: [
          { name: 'KEY_VAULT_URI', value: `https://${vault}.vault.azure.net/` },
          { name: 'SECRET_NAME', value: 'orders-db' },
        ],
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 1 },
      },
    ],
  },
});
const annotated = { 'azure.workload.identity/use-identity-binding': 'true' };

/** Variables and audiences that a pod with these annotations gets. */
async function injected(annotations: Record<string, string>) {
  const body = readerPod('tried', annotations);
  const pod = await first.client.core.createNamespacedPod({ namespace, body, dryRun: 'All' });
  const env = (pod.spec?.containers[0]?.env ?? []).map(({ name, value }) => [name, value] as const);
  const audiences = pod.spec?.volumes?.flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken?.audience ?? []),
  );
  return { env: Object.fromEntries(env) as Record<string, string | undefined>, audiences };
}

async function tokenOf({ client }: ManagedCluster, name: string, audiences = [audience]): Promise<string> {
  const { status } = await client.core.createNamespacedServiceAccountToken({
    ...{ name, namespace },
    body: { spec: { audiences, expirationSeconds: 3600 } },
  });
  return status?.token ?? '';
}

/** A request to the token proxy of the first cluster. */
async function ask(
  token: string,
  { clientId = bound, path = '/', servername = proxy.name } = {},
): Promise<{ status?: number; body: Record<string, unknown> }> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    scope: 'https://vault.azure.net/.default',
    client_assertion_type: proof,
    client_assertion: token,
  });
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const options = { method: 'POST', ca: proxy.ca, servername, headers };
    const request = https.request(new URL(path, proxy.url), options, (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode, body: body as Record<string, unknown> }),
        reject,
      );
    });
    request.once('error', reject);
    request.end(form.toString());
  });
}

const bindings = () => whole.cloud.clusters().identityBindings;
const bind = async (cluster: string, name: string) => {
  const { id = '' } = await whole.cloud.identities().userAssignedIdentities.get('rg', name);
  await bindings().createOrUpdate('rg', cluster, 'orders', {
    properties: { managedIdentity: { resourceId: id } },
  });
};

beforeAll(async () => {
  whole = await startWholeCloud();
  const { cloud } = whole;
  [first, second] = await Promise.all([managedCluster(whole, 'aks-1'), managedCluster(whole, 'aks-2', true)]);
  await cloud.clusters().managedClusters.createOrUpdate('rg', 'aks-1', {
    ...clusterWith(false),
    securityProfile: { workloadIdentity: { enabled: true } },
  });
  vault = await vaultWith(cloud, { 'orders-db': 'db-value' });
  const identity = async (name: string) => {
    const created = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg', name, { location: 'westeurope' });
    await mayRead(cloud, vault, created.principalId ?? '');
    return created.clientId ?? '';
  };
  [bound, unbound] = [await identity('id-bound'), await identity('id-unbound')];
  await bind('aks-1', 'id-bound');
  for (const cluster of [first, second]) {
    const { core } = cluster.client;
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    const annotations = { 'azure.workload.identity/client-id': bound };
    for (const name of ['orders', 'stranger'])
      await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name, annotations } } });
    await permit(cluster, bound);
    await permit(cluster, unbound);
  }
  const { env } = await injected(annotated);
  const authority = await until('the authority of the cluster', () =>
    first.client.core.readNamespacedConfigMap({ name: 'kube-root-ca.crt', namespace }),
  );
  proxy = {
    url: env['AZURE_KUBERNETES_TOKEN_PROXY'] ?? '',
    name: env['AZURE_KUBERNETES_SNI_NAME'] ?? '',
    ca: authority.data?.['ca.crt'] ?? '',
  };
}, 2 * startTimeout);
afterAll(() => whole.dispose());

describe('a pod with an identity binding', () => {
  it('gets the token proxy only if it has the annotation', async () => {
    const { env, audiences } = await injected(annotated);
    expect(env).toMatchObject({
      AZURE_CLIENT_ID: bound,
      AZURE_FEDERATED_TOKEN_FILE: '/var/run/secrets/azure/wi/token/azure-identity-token',
      AZURE_KUBERNETES_CA_FILE: '/var/run/secrets/azure/wi/ca-cert/ca.crt',
      AZURE_KUBERNETES_SNI_NAME: expect.stringMatching(/^a[0-9a-v]{52}\.ests\.aks$/) as string,
      AZURE_KUBERNETES_TOKEN_PROXY: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string,
    });
    expect(audiences).toEqual([audience]);
    const without = await injected({});
    expect(Object.keys(without.env).filter((name) => name.startsWith('AZURE_KUBERNETES'))).toEqual([]);
    expect(without.audiences).toEqual(['api://AzureADTokenExchange']);
  });

  it('reads a secret with a token of the identity, which the token proxy gives it', async () => {
    await first.client.core.createNamespacedPod({ namespace, body: readerPod('reader', annotated) });
    await podWhen(first.client, 'reader', isReady, namespace);

    const { cloud } = whole;
    expect(cloud.azure.control.audit().filter(({ clientId }) => clientId === bound)).toContainEqual(
      expect.objectContaining({
        outcome: 'issued',
        grant: 'federated',
        cluster: 'aks-1',
        subject: `system:serviceaccount:${namespace}:orders`,
        credential: 'aks-identity-binding',
        resource: 'https://vault.azure.net',
      }),
    );
  });
});

describe('the provider of the Secrets Store driver', () => {
  it('refuses useAzureTokenProxy by name', async () => {
    await apply(second, {
      apiVersion: 'secrets-store.csi.x-k8s.io/v1',
      kind: 'SecretProviderClass',
      metadata: { name: 'orders', namespace },
      spec: {
        provider: 'azure',
        parameters: {
          useAzureTokenProxy: 'true',
          clientID: bound,
          tenantId: whole.cloud.tenantId,
          keyvaultName: vault,
          objects: 'array:\n  - |\n    objectName: orders-db\n    objectType: secret\n',
        },
      },
    });
    const { spec } = readerPod('mounts', {});
    const csi = {
      driver: 'secrets-store.csi.k8s.io',
      readOnly: true,
      volumeAttributes: { secretProviderClass: 'orders' },
    };
    const [container] = spec.containers;
    await second.client.core.createNamespacedPod({
      namespace,
      body: {
        metadata: { name: 'mounts' },
        spec: {
          ...spec,
          volumes: [{ name: 'secrets', csi }],
          containers: [
            { name: 'main', ...container, volumeMounts: [{ name: 'secrets', mountPath: '/mnt/secrets' }] },
          ],
        },
      },
    });
    await podEvent(second.client, 'mounts', 'the local cloud does not support useAzureTokenProxy', namespace);
  });
});

describe('the token proxy of a cluster', () => {
  it('answers at the path of Entra and at the root', async () => {
    const token = await tokenOf(first, 'orders');
    const issued = { status: 200, body: { access_token: expect.any(String) as string, expires_in: 3599 } };
    expect(await ask(token)).toMatchObject(issued);
    expect(await ask(token, { path: `/${whole.cloud.tenantId}/oauth2/v2.0/token` })).toMatchObject(issued);
    expect(await ask(token, { path: '/common/discovery/instance' })).toMatchObject({ status: 404 });
    const other = ask(token, { path: '/99999999-9999-4999-8999-999999999999/oauth2/v2.0/token' });
    expect((await other).body['error_description']).toContain('AADSTS90002');
  });

  it('is distinguished by its name in the TLS handshake', async () => {
    const token = await tokenOf(first, 'orders');
    await expect(ask(token, { servername: 'kubernetes.default.svc.cluster.local' })).rejects.toThrow();
    await expect(ask(token, { servername: '' })).rejects.toThrow();
  });

  it.each([
    ['an account without the permission', () => tokenOf(first, 'stranger'), 'bound', 403, 'may not'],
    [
      'another audience',
      () => tokenOf(first, 'orders', ['api://AzureADTokenExchange']),
      'bound',
      401,
      'audience',
    ],
    ['an account of another cluster', () => tokenOf(second, 'orders'), 'bound', 401, 'refuses the token'],
    ['no token', () => Promise.resolve('abc'), 'bound', 401, 'refuses the token'],
    ['an identity without a binding', () => tokenOf(first, 'orders'), 'unbound', 403, 'no identity binding'],
  ])('refuses %s', async (_what, token, identity, status, text) => {
    const clientId = identity === 'unbound' ? unbound : bound;
    const { status: answered, body } = await ask(await token(), { clientId });
    expect(answered).toBe(status);
    expect(body['error_description']).toContain(text);
    expect(body).not.toHaveProperty('access_token');
  });

  it('needs a binding of the same cluster', async () => {
    await bind('aks-2', 'id-unbound');
    const { status, body } = await ask(await tokenOf(first, 'orders'), { clientId: unbound });
    expect({ status, text: body['error_description'] }).toEqual({
      status: 403,
      text: expect.stringContaining("'aks-1' has no identity binding") as string,
    });
  });

  it('is the only place for its tokens: Entra itself refuses them', async () => {
    const credential = whole.cloud.assertionCredential(bound, () => tokenOf(first, 'orders'));
    const refused = await refusal(credential.getToken('https://vault.azure.net/.default'));
    expect(refused.message).toContain('AADSTS700211');
  });

  it('gives no token without the shared credential, or after the deletion of the binding', async () => {
    const { federatedIdentityCredentials } = whole.cloud.identities();
    await federatedIdentityCredentials.delete('rg', 'id-bound', 'aks-identity-binding');
    const withoutCredential = await ask(await tokenOf(first, 'orders'));
    expect(withoutCredential).toMatchObject({ status: 401 });
    expect(withoutCredential.body['error_description']).toContain('AADSTS70021');

    await bind('aks-1', 'id-bound');
    expect(await ask(await tokenOf(first, 'orders'))).toMatchObject({ status: 200 });
    await bindings().delete('rg', 'aks-1', 'orders');
    const unboundNow = await ask(await tokenOf(first, 'orders'));
    expect(unboundNow.body['error_description']).toContain('no identity binding');
  });
});
