import { existsSync, readdirSync, readFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { stopOrphanedClusters } from '../../../kubernetes/orphanedClusters';
import { Miss, connect, isReady, podWhen, until } from '../../support/kubernetes/client';
import { helm } from '../../support/kubernetes/helm';
import { program, programPod } from '../../support/kubernetes/pods';
import { startTimeout } from '../../support/kubernetes/runtime';
import type { SharedCluster } from '../../support/kubernetes/sharedCluster';
import { injectedVariables } from './webhook.suite';

const namespace = 'restarts';
const alive = (pid: number) => existsSync(`/proc/${pid}/stat`);
const restartsOf = (pod: V1Pod) => pod.status?.containerStatuses?.[0]?.restartCount ?? 0;

/**
 * Restarts of a local cloud, and its end. This must be the last suite of the cluster, because it removes it.
 */
export function restartsSuite(cluster: SharedCluster): void {
  const { spec } = cluster;
  const portsFile = () => path.join(cluster.test.stateDir, spec.id, 'ports.json');
  const ports = () => JSON.parse(readFileSync(portsFile(), 'utf8')) as Record<string, number>;
  const pids = () => cluster.status.processes.map(({ pid }) => pid ?? 0);
  const kept = async () =>
    (await cluster.client.core.readNamespacedConfigMap({ namespace, name: 'kept' })).data;
  const survivor = (holds: (pod: V1Pod) => boolean) => podWhen(cluster.client, 'survivor', holds, namespace);
  const about = () => program(cluster.test, 'survivor', namespace).about();

  beforeAll(async () => {
    // Given a cluster with the webhook, a pod that has a token, and an object
    await cluster.test.runtime.ensure({ ...spec, workloadIdentity: true });
    await cluster.namespace(namespace);
    const { core } = cluster.client;
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'kept' }, data: { answer: '42' } },
    });
    const volumes = [
      {
        name: 'azure',
        projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'azure' } }] },
      },
    ];
    const container = {
      env: [{ name: 'TOKEN_FILE', value: '/tokens/token' }],
      volumeMounts: [{ name: 'azure', mountPath: '/tokens' }],
    };
    await core.createNamespacedPod({ namespace, body: programPod('survivor', container, { volumes }) });
    // And one that is not restarted
    const once = programPod('once', {}, { restartPolicy: 'Never' });
    await core.createNamespacedPod({ namespace, body: once });
    // And one that cannot start again after the restart, and one that never could
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'needed' } } });
    const needs = (name: string) => ({ envFrom: [{ secretRef: { name } }] });
    await core.createNamespacedPod({ namespace, body: programPod('needy', needs('needed')) });
    await core.createNamespacedPod({ namespace, body: programPod('never', needs('missing')) });
    await survivor(isReady);
    await podWhen(cluster.client, 'needy', isReady, namespace);
    await podWhen(cluster.client, 'once', isReady, namespace);
    await core.deleteNamespacedSecret({ namespace, name: 'needed' });
  }, startTimeout);

  describe('a restart of the local cloud', () => {
    let before: { pid: number; env: Record<string, string>; ports: Record<string, number> };
    beforeAll(async () => {
      const { pid, env } = await about();
      before = { pid, env, ports: ports() };
      expect(restartsOf(await survivor(isReady))).toBe(0);
      // Another ensure, before the restart and after it.
      await cluster.test.runtime.ensure({ ...spec, workloadIdentity: true });
      await cluster.test.runtime.close();
      expect(existsSync(`/proc/${pid}`)).toBe(false);
      const kubelet = new Promise((resolve, reject) => {
        https.get(`https://127.0.0.1:${before.ports['kubelet']}/`, resolve).once('error', reject);
      });
      await expect(kubelet).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await cluster.resume({ workloadIdentity: true });
    }, startTimeout);

    it('keeps ports and state', async () => {
      expect(ports()).toEqual(before.ports);
      expect(await kept()).toEqual({ answer: '42' });
    });

    it('takes pods over, with their volumes', async () => {
      await survivor((pod) => isReady(pod) && restartsOf(pod) === 1);
      expect((await about()).env['TOKEN_FILE']).toBe(before.env['TOKEN_FILE']);
    });

    it('fails the pods that are not restarted', async () => {
      const isFailed = ({ status }: V1Pod) => status?.phase === 'Failed';
      const { status } = await podWhen(cluster.client, 'once', isFailed, namespace);
      expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 137 });
    });

    it('knows the pods that were ready and are not again', async () => {
      const are = (...names: string[]) =>
        until(`unready are ${names.join()}`, () => {
          const unready = cluster.test.runtime.unreadyPods?.(spec.id) ?? ['nothing is known'];
          return unready.join() === names.join() || new Miss(unready.join());
        });
      await are(`${namespace}/needy`);
      await cluster.client.core.createNamespacedSecret({ namespace, body: { metadata: { name: 'needed' } } });
      await are();
    });

    it('serves logs again, at the same port', async () => {
      const { core } = cluster.client;
      await survivor((pod) => isReady(pod) && restartsOf(pod) > 0);
      expect(ports()['kubelet']).toBe(before.ports['kubelet']);
      expect(await core.readNamespacedPodLog({ namespace, name: 'survivor', tailLines: 1 })).toBe(
        'started as serve\n',
      );
    });

    it('does not install the webhook again', async () => {
      const list = ['list', '--namespace', 'kube-system', '--output', 'json'];
      const releases = JSON.parse(await helm(cluster.test, spec, ...list)) as { revision: string }[];
      expect(await injectedVariables(cluster)).toContain('AZURE_FEDERATED_TOKEN_FILE');
      expect(releases.map(({ revision }) => revision)).toEqual(['1']);
    });
  });

  it(
    'a killed local cloud: its processes are stopped, and resumed with the same ports and state',
    async () => {
      // Given processes without a runtime
      const kubeconfig = await cluster.test.runtime.kubeconfig(spec, 'admin');
      const left = pids();
      // When another runtime takes the cluster over
      await stopOrphanedClusters(cluster.test.stateDir);
      // Then the processes are gone. The first runtime's supervision stops before it restarts them
      await cluster.test.runtime.close();
      expect(left.filter(alive)).toEqual([]);
      await cluster.resume();
      expect(await cluster.test.runtime.kubeconfig(spec, 'admin')).toBe(kubeconfig);
      expect(await kept()).toEqual({ answer: '42' });
    },
    startTimeout,
  );

  it(
    'a rotation of its certificates: only who fetches the new kubeconfig reaches it, and tokens stay valid',
    async () => {
      const { runtime } = cluster.test;
      const [old, keys] = [
        await runtime.kubeconfig(spec, 'admin'),
        await runtime.issuerDocument(spec.id, 'keys'),
      ];
      const left = pids();
      await runtime.rotateCertificates(spec.id);
      expect(left.filter(alive)).toEqual([]);
      await runtime.ensure(spec);
      expect(await runtime.kubeconfig(spec, 'admin')).not.toBe(old);

      await expect(cluster.client.core.listNode()).rejects.toThrow(/certificate/);
      const client = await connect(runtime, spec);
      expect((await client.core.readNamespacedConfigMap({ namespace, name: 'kept' })).data).toEqual({
        answer: '42',
      });
      await podWhen(client, 'survivor', isReady, namespace);
      expect(await runtime.issuerDocument(spec.id, 'keys')).toEqual(keys);
    },
    startTimeout,
  );

  it(
    'a port that is taken at a restart: it uses another, and says so',
    async () => {
      await cluster.test.runtime.close();
      const { apiServer } = ports();
      const intruder = net.createServer().listen(apiServer, '127.0.0.1');
      await new Promise((resolve) => intruder.once('listening', resolve));
      const messages = await cluster.resume();
      expect(messages.join('\n')).toContain(`port ${apiServer} (apiServer) is taken by another program`);
      expect((await cluster.client.core.listNode()).items).toHaveLength(1);
      intruder.close();
    },
    startTimeout,
  );

  it('the end leaves no process, record or folder', async () => {
    const left = pids();
    const { runtime, stateDir } = cluster.test;
    await runtime.remove(spec.id);
    expect(left.filter(alive)).toEqual([]);
    // The home of this suite's own helm does not count.
    expect(readdirSync(stateDir).filter((name) => name !== 'helm-home')).toEqual([]);
    expect(runtime.status()).toEqual([]);
    await expect(runtime.kubeconfig(spec, 'admin')).rejects.toThrow(`cluster ${spec.id} was never started`);
  });
}
