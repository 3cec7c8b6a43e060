import { isReady, podEvent, podWhen as podOf } from '../../support/kubernetes/client';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import { identityFor, mayRead, vaultWith } from '../../support/kubernetes/cloud';
import { certificateVolume, createClass } from '../../support/kubernetes/hypershiftClass';
import { program as programOf, programPod } from '../../support/kubernetes/pods';

const namespace = 'clusters-hc1';
const credentials = JSON.stringify({ client_id: 'ä', not_before: '2026-01-01T00:00:00Z' });

/** Secrets that are mounted as HyperShift has it: by an identity of the node, each from a class of its own. */
export function nodeIdentitySuite(shared: () => { whole: WholeCloud; cluster: ManagedCluster }): void {
  let whole: WholeCloud;
  let cluster: ManagedCluster;
  let vault: string;
  const values = {
    'cpo-json': credentials,
    'disk-json': Buffer.from(credentials).toString('base64'),
    'file-json': Buffer.from(credentials).toString('hex'),
    'ingress-json': 'no base64!',
    'network-json': credentials,
  };

  beforeAll(async () => {
    ({ whole, cluster } = shared());
    vault = await vaultWith(whole.cloud, values);
    await cluster.client.core.createNamespace({ body: { metadata: { name: namespace } } });
  });
  afterAll(() => cluster.client.core.deleteNamespace({ name: namespace }));

  const podWhen = (name: string, holds: typeof isReady) => podOf(cluster.client, name, holds, namespace);
  const pathOf = async (pod: string, secret: string) =>
    `${(await programOf(whole.test, pod, namespace).about()).env['FOLDER'] ?? ''}/${secret}`;
  const file = async (pod: string, secret: string) =>
    programOf(whole.test, pod, namespace).file(await pathOf(pod, secret));
  const refusedBecause = (pod: string, part: string) => podEvent(cluster.client, pod, part, namespace);

  /** A pod that mounts a secret, from a class of its own. */
  const mount = async (
    name: string,
    secret: keyof typeof values,
    { encoding = 'utf-8', identity = cluster.addon.clientId } = {},
  ): Promise<void> => {
    const { tenantId } = whole.cloud;
    await createClass(cluster.client, { name, namespace, vault, tenantId, secret, encoding, identity });
    const volumeMounts = [{ name: 'cert', mountPath: '/mnt/certs', readOnly: true }];
    const env = [{ name: 'FOLDER', value: '/mnt/certs' }];
    const body = programPod(name, { env, volumeMounts }, { volumes: [certificateVolume(name)] });
    await cluster.client.core.createNamespacedPod({ namespace, body });
  };

  it.each([
    ['utf-8', 'cpo-json'],
    ['base64', 'disk-json'],
    ['hex', 'file-json'],
  ] as const)('mounts a secret in %s, decoded, by the identity of the add-on', async (encoding, secret) => {
    await mayRead(whole.cloud, vault, cluster.addon.principalId, secret);
    await mount(encoding, secret, { encoding });

    await podWhen(encoding, isReady);
    expect(await file(encoding, secret)).toBe(credentials);
    const issued = whole.cloud.azure.control.audit().filter(({ grant }) => grant === 'managed identity');
    expect(issued.at(-1)).toMatchObject({
      ...{ cluster: cluster.name, clientId: cluster.addon.clientId, outcome: 'issued' },
    });
  });

  it('does not mount a secret that is not in its encoding', async () => {
    await mayRead(whole.cloud, vault, cluster.addon.principalId, 'ingress-json');
    await mount('wrong-encoding', 'ingress-json', { encoding: 'base64' });
    await refusedBecause('wrong-encoding', 'illegal base64');
  });

  it('does not mount a secret by an identity that is not on the node', async () => {
    const elsewhere = await identityFor(whole.cloud, {
      ...{ name: 'id-elsewhere', issuer: cluster.issuer, vault },
      serviceAccount: `${namespace}:default`,
    });
    await mount('elsewhere', 'cpo-json', { identity: elsewhere.clientId });
    await refusedBecause('elsewhere', "identity isn't assigned to this resource");
  });

  it('mounts a secret only while the identity may read it, and renews the file', async () => {
    const pod = 'network';
    await mount(pod, 'network-json');
    await refusedBecause(pod, 'ForbiddenByRbac');

    const revoke = await mayRead(whole.cloud, vault, cluster.addon.principalId, 'network-json');
    await podWhen(pod, isReady);
    expect(await file(pod, 'network-json')).toBe(credentials);

    const renewed = credentials.replace('2026', '2027');
    await whole.cloud.secrets(vault).setSecret('network-json', renewed);
    const renewedFile = await pathOf(pod, 'network-json');
    await programOf(whole.test, pod, namespace).fileWhen(renewedFile, (text) => text === renewed);

    await revoke();
    await mount('network-revoked', 'network-json');
    await refusedBecause('network-revoked', 'ForbiddenByRbac');
    expect(await file(pod, 'network-json')).toBe(renewed);
  }, 120_000);
}
