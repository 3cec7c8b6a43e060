import { readFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Client } from '../../support/kubernetes/client';
import { isReady, Miss, podWhen as podOf, until } from '../../support/kubernetes/client';
import { program as programOf, programPod } from '../../support/kubernetes/pods';
import type { SharedCluster } from '../../support/kubernetes/sharedCluster';

const namespace = 'logs';
const restarts = (pod: V1Pod) => pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
const pem = (data = '') => Buffer.from(data, 'base64').toString();

/** Logs of pods, and other requests of clients to their node. */
export function logsSuite(cluster: SharedCluster): void {
  let client: Client;
  const program = (pod: string) => programOf(cluster.test, pod, namespace);
  const podWhen = (name: string, holds: (pod: V1Pod) => boolean) => podOf(client, name, holds, namespace);
  const ports = () =>
    JSON.parse(
      readFileSync(path.join(cluster.test.stateDir, cluster.spec.id, 'ports.json'), 'utf8'),
    ) as Record<string, number>;
  const logOf = (
    name: string,
    options: { tailLines?: number; limitBytes?: number; previous?: boolean } = {},
  ) => client.core.readNamespacedPodLog({ namespace, name, ...options });
  /** A request with the administrator's certificate, without conversion of the answer. */
  const request = (url: string, options: https.RequestOptions = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const [server, user] = [client.config.getCurrentCluster(), client.config.getCurrentUser()];
      const identity = { ca: pem(server?.caData), cert: pem(user?.certData), key: pem(user?.keyData) };
      const sent = https.request(new URL(url, server?.server), { ...identity, ...options }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.once('error', reject);
      sent.end();
    });

  beforeAll(async () => {
    client = cluster.client;
    await cluster.namespace(namespace);
    await client.core.createNamespacedPod({ namespace, body: programPod('talker') });
    await client.core.createNamespacedPod({
      namespace,
      body: { metadata: { name: 'simulated' }, spec: { containers: [{ name: 'main', image: 'unknown:1' }] } },
    });
    await podWhen('talker', isReady);
    await podWhen('simulated', isReady);
  });
  afterAll(() => client.core.deleteNamespace({ name: namespace }));

  it('are the output of their process, whole or its end', async () => {
    await program('talker').say('one');
    await program('talker').say('two');
    expect(await logOf('talker')).toBe('started as serve\none\ntwo\n');
    expect(await logOf('talker', { tailLines: 2 })).toBe('one\ntwo\n');
    expect(await logOf('talker', { limitBytes: 7 })).toBe('started');
  });

  it('are followed while the process writes, until it ends', async () => {
    const library = await import('@kubernetes/client-node');
    const output = new PassThrough();
    let seen = '';
    output.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    let isOver = false;
    output.once('end', () => (isOver = true));
    await new library.Log(client.config).log(namespace, 'talker', 'main', output, {
      follow: true,
      tailLines: 1,
    });
    await program('talker').say('meanwhile');
    await until('the new line', () => (seen === 'two\nmeanwhile\n' ? true : new Miss(seen)), 20_000);
    await program('talker').tell('crash');
    await until('the end of the log', () => isOver || new Miss(seen), 20_000);
    expect(seen).toMatch(/^two\nmeanwhile\n/);
  });

  it('are kept of the run before, and of none before that', async () => {
    await podWhen('talker', (pod) => isReady(pod) && restarts(pod) === 1);
    expect(await logOf('talker')).toBe('started as serve\n');
    expect(await logOf('talker', { previous: true })).toBe('started as serve\none\ntwo\nmeanwhile\n');
    await program('talker').tell('crash');
    await podWhen('talker', (pod) => isReady(pod) && restarts(pod) === 2);
    expect(await logOf('talker', { previous: true, tailLines: 1 })).toBe('started as serve\n');
  });

  it.each([
    ['timestamps=true', '--timestamps: logs of the local cloud have no timestamps'],
    ['sinceSeconds=60', '--since: logs of the local cloud have no timestamps'],
  ])('are refused with the reason when asked for by %s', async (query, message) => {
    const { status, body } = await request(`/api/v1/namespaces/logs/pods/talker/log?${query}`);
    expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({
      status: 'Failure',
      code: 400,
      message: expect.stringContaining(message) as string,
    });
  });

  it('do not exist for pods without a process, or before its start, with the reason', async () => {
    await expect(logOf('simulated')).rejects.toMatchObject({
      code: 400,
      body: expect.stringContaining(
        'pod logs/simulated is simulated; it has no process and no logs',
      ) as string,
    });
    const envFrom = [{ secretRef: { name: 'absent' } }];
    await client.core.createNamespacedPod({ namespace, body: programPod('waiting', { envFrom }) });
    await until('the reason', async () => {
      const answer = await logOf('waiting').catch((error: unknown) => String(error));
      const expected = 'container main of pod logs/waiting has not started: CreateContainerConfigError';
      return answer.includes(expected) ? true : new Miss(answer);
    });
  });

  it.each([
    ['exec?command=ls&container=main&stdout=true', 'exec', 'its logs are in '],
    ['attach?container=main&stdout=true', 'attach', 'its logs are in '],
    ['portforward', 'port-forward', 'connect to its ports directly: 8080 at 127.0.0.1:'],
  ])('are named to a client that requests %s', async (subresource, operation, hint) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    };
    const url = `/api/v1/namespaces/logs/pods/talker/${subresource}`;
    const { status, body } = await request(url, { method: 'POST', headers });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      kind: 'Status',
      message: expect.stringContaining(
        `${operation} is not supported, because pods of the local cloud are processes on this machine; ${hint}`,
      ) as string,
    });
  });

  it('are explained to a client that executes over a web socket', async () => {
    const library = await import('@kubernetes/client-node');
    const message = await new Promise<string | undefined>((resolve, reject) => {
      new library.Exec(client.config)
        .exec(namespace, 'talker', 'main', ['ls'], new PassThrough(), null, null, false, (status) =>
          resolve(status.message),
        )
        .catch(reject);
    });
    expect(message).toContain('exec is not supported, because pods of the local cloud are processes');
  });

  it('are served to the API server only', async () => {
    const url = `https://127.0.0.1:${ports()['kubelet']}/containerLogs/logs/talker/main`;
    // The serving certificate is the node's.
    const servername = 'aks-nodepool1-local-vmss000000';
    expect(await request(url, { servername })).toEqual({
      status: 403,
      body: 'only the API server may connect',
    });
    await expect(request(url, { servername, cert: undefined, key: undefined })).rejects.toThrow(
      /certificate required|ECONNRESET|socket hang up/,
    );
  });
}
