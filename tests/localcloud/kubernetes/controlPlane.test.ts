import { existsSync, readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { stopLeftoverClusters } from '../../../localcloud/kubernetes';
import type { Client } from './support/client';
import { connect, Miss, until } from './support/client';
import type { TestRuntime } from './support/runtime';
import { clusterSpec, openRuntime, startTimeout } from './support/runtime';

const spec = clusterSpec();
const alive = (pid: number) => existsSync(`/proc/${pid}/stat`);

describe('a control plane as processes', () => {
  let test: TestRuntime;
  let client: Client;
  const status = () => {
    const [cluster] = test.runtime.status();
    if (!cluster) throw new Error('no cluster runs');
    return cluster;
  };
  const pidOf = (name: string) => status().processes.find((process) => process.name === name)?.pid ?? 0;

  beforeAll(async () => {
    test = openRuntime();
    await test.runtime.ensure(spec);
    client = await connect(test.runtime, spec.id);
  }, startTimeout);
  afterAll(() => test.dispose());

  it('is left alone by a second ensure', async () => {
    const before = status().processes;
    await test.runtime.ensure(spec);
    expect(status().processes).toEqual(before);
    expect(before.map(({ name }) => name).sort()).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kwok',
    ]);
  });

  it('has a ready node, and kubeconfigs whose context is the cluster and whose users may do everything', async () => {
    const { items } = await client.core.listNode();
    expect(items).toHaveLength(1);
    for (const role of ['admin', 'user'] as const) {
      const { config, authorization } = await connect(test.runtime, spec.id, role);
      expect(config.getCurrentContext()).toBe(spec.name);
      const review = await authorization.createSelfSubjectAccessReview({
        body: { spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } } },
      });
      expect(review.status?.allowed).toBe(true);
    }
  });

  it('refuses who has no certificate of its authority', async () => {
    const { config } = await connect(test.runtime, spec.id);
    config.users = [{ name: 'nobody' }];
    config.contexts = config.contexts.map((context) => ({ ...context, user: 'nobody' }));
    const library = await import('@kubernetes/client-node');
    await expect(config.makeApiClient(library.CoreV1Api).listNode()).rejects.toMatchObject({ code: 401 });
  });

  it('publishes its own issuer documents, which verify the tokens it issues', async () => {
    const discovery = await test.runtime.issuerDocument(spec.id, 'discovery');
    expect(discovery).toMatchObject({
      issuer: spec.issuer,
      jwks_uri: `${spec.issuer}openid/v1/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const keys = await test.runtime.issuerDocument(spec.id, 'keys');
    const { status: issued } = await client.core.createNamespacedServiceAccountToken({
      namespace: 'default',
      name: 'default',
      body: { spec: { audiences: ['api://AzureADTokenExchange'], expirationSeconds: 600 } },
    });
    const { payload } = await jwtVerify(
      issued?.token ?? '',
      createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]),
      { issuer: spec.issuer, audience: 'api://AzureADTokenExchange' },
    );
    expect(payload.sub).toBe('system:serviceaccount:default:default');
  });

  it('listens on loopback only and keeps its keys to itself', () => {
    const ports = JSON.parse(readFileSync(path.join(test.stateDir, spec.id, 'ports.json'), 'utf8')) as Record<
      string,
      number
    >;
    const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
    for (const port of Object.values(ports)) {
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      const addresses = [...listening.matchAll(new RegExp(` ([0-9A-F]+):${hex} [0-9A-F]+:0000 0A`, 'g'))];
      expect(addresses.map((match) => match[1])).toEqual(['0100007F']);
    }
  });

  it('plays pods without a process, and completes those of jobs', async () => {
    await client.apps.createNamespacedDeployment({
      namespace: 'default',
      body: {
        metadata: { name: 'played' },
        spec: {
          selector: { matchLabels: { app: 'played' } },
          template: {
            metadata: { labels: { app: 'played' } },
            spec: { containers: [{ name: 'main', image: 'registry.test:5000/unknown@sha256:0000' }] },
          },
        },
      },
    });
    await client.batch.createNamespacedJob({
      namespace: 'default',
      body: {
        metadata: { name: 'played' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'unknown:1' }] } },
        },
      },
    });
    await until('deployment available', async () => {
      const seen = await client.apps.readNamespacedDeployment({ namespace: 'default', name: 'played' });
      return seen.status?.availableReplicas === 1 ? seen : new Miss(JSON.stringify(seen.status));
    });
    const job = await until('job complete', async () => {
      const seen = await client.batch.readNamespacedJob({ namespace: 'default', name: 'played' });
      return seen.status?.succeeded === 1 ? seen : new Miss(JSON.stringify(seen.status));
    });
    expect(job.status?.failed ?? 0).toBe(0);
    await client.apps.deleteNamespacedDeployment({ namespace: 'default', name: 'played' });
    await until('pods deleted', async () => {
      const { items } = await client.core.listNamespacedPod({
        namespace: 'default',
        labelSelector: 'app=played',
      });
      return items.length === 0 ? true : new Miss(`${items.length} pods`);
    });
  });

  it('heals when the API server and the store are killed, without losing anything', async () => {
    await client.core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'kept' }, data: { answer: '42' } },
    });
    for (const name of ['kube-apiserver', 'etcd']) {
      const before = pidOf(name);
      process.kill(before, 'SIGKILL');
      await until(`${name} restarted`, () => {
        const pid = pidOf(name);
        return pid !== 0 && pid !== before ? pid : new Miss(`pid ${pid}`);
      });
      const kept = await until('the API answers', () =>
        client.core.readNamespacedConfigMap({ namespace: 'default', name: 'kept' }),
      );
      expect(kept.data).toEqual({ answer: '42' });
    }
    expect(test.messages.join('\n')).toContain('kube-apiserver ended with SIGKILL; it is started again');
  });

  it(
    'stops what a killed daemon left, and resumes with the same ports and state',
    async () => {
      // Given processes that no runtime looks after any more
      const kubeconfig = await test.runtime.kubeconfig(spec.id, 'admin');
      const pids = status().processes.map(({ pid }) => pid ?? 0);
      // When another runtime takes the cluster over
      const heir = openRuntime({ stateDir: test.stateDir });
      await stopLeftoverClusters(path.join(test.stateDir));
      // Then the processes are gone; the first runtime's supervision is ended before it starts them again
      await test.runtime.close();
      expect(pids.filter(alive)).toEqual([]);
      await heir.runtime.ensure(spec);
      test.runtime = heir.runtime;
      expect(await test.runtime.kubeconfig(spec.id, 'admin')).toBe(kubeconfig);
      client = await connect(test.runtime, spec.id);
      const kept = await client.core.readNamespacedConfigMap({ namespace: 'default', name: 'kept' });
      expect(kept.data).toEqual({ answer: '42' });
    },
    startTimeout,
  );

  it(
    'takes another port where its own is taken at a restart, and says so',
    async () => {
      await test.runtime.close();
      const file = path.join(test.stateDir, spec.id, 'ports.json');
      const { apiServer } = JSON.parse(readFileSync(file, 'utf8')) as { apiServer: number };
      const intruder = net.createServer().listen(apiServer, '127.0.0.1');
      await new Promise((resolve) => intruder.once('listening', resolve));
      const next = openRuntime({ stateDir: test.stateDir });
      test.runtime = next.runtime;
      await next.runtime.ensure(spec);
      expect(next.messages.join('\n')).toContain(`port ${apiServer} (apiServer) is taken by another program`);
      client = await connect(next.runtime, spec.id);
      expect((await client.core.listNode()).items).toHaveLength(1);
      intruder.close();
    },
    startTimeout,
  );

  it('leaves no process, record or folder when it is removed', async () => {
    const pids = status().processes.map(({ pid }) => pid ?? 0);
    await test.runtime.remove(spec.id);
    expect(pids.filter(alive)).toEqual([]);
    expect(readdirSync(test.stateDir)).toEqual([]);
    expect(test.runtime.status()).toEqual([]);
    await expect(test.runtime.kubeconfig(spec.id, 'admin')).rejects.toThrow(
      `cluster ${spec.id} is not running`,
    );
  });
});
