import { randomUUID } from 'node:crypto';
import { groupId } from '../../support/azure';
import { selfSigned } from '../../support/certificates';
import { isReady, Miss, podWhen, until } from '../../support/kubernetes/client';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import { mayRead, vaultWith } from '../../support/kubernetes/cloud';
import { certificateVolume, createClass } from '../../support/kubernetes/hypershiftClass';
import { programPod } from '../../support/kubernetes/pods';
import { hostedClusterImage } from '../../support/kubernetes/runtime';

const namespace = 'clusters-hc2';
const reader = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';

interface Answer {
  status: number;
  body: unknown;
  error?: string;
}

/**
 * Pods with HyperShift's own library (msi-dataplane): from the vault by the node's identity and the vendors' driver to
 * Entra, by the certificate in the file, and the resource manager.
 */
export function hostedClusterPodSuite(shared: () => { whole: WholeCloud; cluster: ManagedCluster }): void {
  let whole: WholeCloud;
  let cluster: ManagedCluster;
  let vault: string;
  const group = () => `https://management.azure.com${groupId('rg')}?api-version=2024-03-01`;

  /** A principal that signs in with a certificate, and its credentials as a vault has them. */
  const identity = async (displayName: string, notBefore: string) => {
    const { certificate, bundle } = await selfSigned();
    const { control } = whole.cloud.azure;
    const principal = control.addServicePrincipal({ displayName, certificates: [certificate] });
    const credentials = JSON.stringify({
      authentication_endpoint: 'https://login.microsoftonline.com/',
      client_id: principal.clientId,
      client_secret: Buffer.from(bundle).toString('base64'),
      tenant_id: whole.cloud.tenantId,
      not_before: notBefore,
      not_after: '2099-01-01T00:00:00Z',
    });
    return { ...principal, credentials };
  };
  const mayReadGroup = async (principalId: string): Promise<() => Promise<unknown>> => {
    const { roleAssignments } = whole.cloud.authorization();
    const name = randomUUID();
    await roleAssignments.create(groupId('rg'), name, {
      ...{ principalId, principalType: 'ServicePrincipal', roleDefinitionId: reader },
    });
    return () => roleAssignments.delete(groupId('rg'), name);
  };

  beforeAll(async () => {
    ({ whole, cluster } = shared());
    vault = await vaultWith(whole.cloud, {});
    await mayRead(whole.cloud, vault, cluster.addon.principalId);
    await cluster.client.core.createNamespace({ body: { metadata: { name: namespace } } });
  });
  afterAll(() => cluster.client.core.deleteNamespace({ name: namespace }));

  /** A pod with a class of its own for the secret. */
  const start = async (
    name: string,
    secret: string,
    { encoding = 'utf-8', reload }: { encoding?: string; reload?: string } = {},
  ): Promise<void> => {
    const { tenantId } = whole.cloud;
    const identityId = cluster.addon.clientId;
    const options = { name, namespace, vault, tenantId, secret, encoding, identity: identityId };
    await createClass(cluster.client, options);
    const body = programPod(
      name,
      {
        image: `${hostedClusterImage}:1`,
        args: [],
        env: [
          { name: 'MANAGED_AZURE_HCP_CREDENTIALS_FILE_PATH', value: `/mnt/certs/${secret}` },
          ...(reload === undefined ? [] : [{ name: 'RELOAD', value: reload }]),
        ],
        volumeMounts: [{ name: 'cert', mountPath: '/mnt/certs', readOnly: true }],
      },
      { volumes: [certificateVolume(name)] },
    );
    await cluster.client.core.createNamespacedPod({ namespace, body });
    await podWhen(cluster.client, name, isReady, namespace);
  };
  const get = async (pod: string, url: string, { fresh = false } = {}): Promise<Answer> => {
    const running = whole.test.runtime.status().flatMap(({ pods }) => pods);
    const port =
      running.find((candidate) => candidate.pod === pod && candidate.namespace === namespace)?.ports[8080] ??
      0;
    const query = `url=${encodeURIComponent(url)}${fresh ? '&fresh' : ''}`;
    const answer = (await (await fetch(`http://127.0.0.1:${port}/get?${query}`)).json()) as Answer;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  const signedIn = () => whole.cloud.azure.control.audit().at(-1);

  it.each(['utf-8', 'base64', 'hex'] as const)(
    'sign in with a file from a secret in %s, and may what their role allows',
    async (encoding) => {
      const { clientId, objectId, credentials } = await identity(encoding, '2026-01-01T00:00:00Z');
      const bytes = Buffer.from(credentials);
      const value = encoding === 'utf-8' ? credentials : bytes.toString(encoding);
      await whole.cloud.secrets(vault).setSecret(`${encoding}-json`, value);
      await start(encoding, `${encoding}-json`, { encoding });

      expect(await get(encoding, group(), { fresh: true })).toMatchObject({ status: 403 });
      const revoke = await mayReadGroup(objectId);
      expect(await get(encoding, group())).toMatchObject({ status: 200, body: { name: 'rg' } });
      expect(signedIn()).toMatchObject({ grant: 'certificate', clientId, outcome: 'issued' });
      const other = group().replace('/rg?', '/rg-other?');
      expect(await get(encoding, other)).toMatchObject({ status: 403 });
      await revoke();
      expect(await get(encoding, group())).toMatchObject({ status: 403 });
    },
  );

  it('sign in with the renewed file at their next reload, and no earlier', async () => {
    const [old, renewed] = [
      await identity('old', '2026-01-01T00:00:00Z'),
      await identity('renewed', '2026-02-01T00:00:00Z'),
    ];
    await Promise.all([old, renewed].map(({ objectId }) => mayReadGroup(objectId)));
    await whole.cloud.secrets(vault).setSecret('renewed-json', old.credentials);
    await start('reloading', 'renewed-json', { reload: '1s' });
    await start('waiting', 'renewed-json');
    for (const pod of ['reloading', 'waiting'])
      expect(await get(pod, group())).toMatchObject({ status: 200 });

    await whole.cloud.secrets(vault).setSecret('renewed-json', renewed.credentials);
    const signsInAs = (pod: string, { clientId }: { clientId: string }, options = {}) =>
      until(`${pod} to sign in with the new file`, async () => {
        expect(await get(pod, group(), options)).toMatchObject({ status: 200 });
        return signedIn()?.clientId === clientId || new Miss(signedIn()?.displayName ?? '');
      });
    await signsInAs('reloading', renewed);
    await signsInAs('waiting', renewed, { fresh: true });
    // The driver replaces the folder, so the file that the library watches is never written.
    const before = whole.cloud.azure.control.audit().length;
    await get('waiting', 'https://graph.microsoft.com/v1.0/organization');
    expect(whole.cloud.azure.control.audit().slice(before)).toMatchObject([{ clientId: old.clientId }]);
  }, 120_000);
}
