import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { decodeJwt } from 'jose';
import { parse } from 'yaml';
import type { Client } from '../../support/kubernetes/client';
import { isReady, Miss, podWhen as podOf, until } from '../../support/kubernetes/client';
import { program as programOf, programPod } from '../../support/kubernetes/pods';
import { programImage } from '../../support/kubernetes/runtime';
import type { SharedCluster } from '../../support/kubernetes/sharedCluster';

const namespace = 'agent';
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Pods as processes. It needs a cluster that renews tokens of 600 s after 1.2 s, and a daemon with
 * ARM_CLIENT_SECRET in its environment.
 */
export function agentSuite(cluster: SharedCluster): void {
  const { spec } = cluster;
  let client: Client;
  const create = (body: ReturnType<typeof programPod>) =>
    client.core.createNamespacedPod({ namespace, body });
  const remove = (name: string) => client.core.deleteNamespacedPod({ namespace, name });
  const program = (pod: string) => programOf(cluster.test, pod, namespace);
  const podWhen = (name: string, holds: (pod: V1Pod) => boolean) => podOf(client, name, holds, namespace);
  const gone = (name: string) =>
    until(`pod ${name} gone`, async () => {
      const { items } = await client.core.listNamespacedPod({
        namespace,
        fieldSelector: `metadata.name=${name}`,
      });
      return items.length === 0 ? true : new Miss(JSON.stringify(items[0]?.status));
    });

  beforeAll(async () => {
    client = cluster.client;
    await cluster.namespace(namespace);
    await client.core.createNamespacedSecret({
      namespace,
      body: { metadata: { name: 'database' }, stringData: { password: 'first', user: 'app' } },
    });
    await client.core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'settings' }, data: { LEVEL: 'debug', 'app.conf': 'colour=red' } },
    });
  });
  afterAll(() => client.core.deleteNamespace({ name: namespace }));

  it('get the environment and arguments of their pod, and nothing of the daemon', async () => {
    await create(
      programPod(
        'environment',
        {
          args: ['serve', '--name=$(POD_NAME)', '--as-is=$(UNKNOWN)', '--file=/etc/settings/app.conf'],
          envFrom: [
            { configMapRef: { name: 'settings' } },
            { secretRef: { name: 'absent', optional: true } },
          ],
          env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'TEAM', valueFrom: { fieldRef: { fieldPath: "metadata.labels['team']" } } },
            { name: 'USER_NAME', valueFrom: { secretKeyRef: { name: 'database', key: 'user' } } },
            { name: 'COLOUR_FILE', value: '/etc/settings/app.conf' },
            { name: 'GREETING', value: '$(USER_NAME)@$(POD_NAME) $$(LEVEL)' },
            { name: 'PORT', value: '8080' },
          ],
          volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
        },
        { volumes: [{ name: 'settings', configMap: { name: 'settings' } }] },
        { labels: { team: 'orders' } },
      ),
    );
    const pod = await podWhen('environment', isReady);
    const { env, args, cwd } = await program('environment').about();
    expect(env).toMatchObject({
      LEVEL: 'debug',
      POD_NAME: 'environment',
      POD_IP: pod.status?.podIP,
      TEAM: 'orders',
      USER_NAME: 'app',
      GREETING: 'app@environment $(LEVEL)',
      FROM_THE_CLOUD: 'yes',
    });
    expect(env['PORT']).not.toBe('8080');
    expect(Object.keys(env)).not.toContain('ARM_CLIENT_SECRET');
    expect(args).toEqual([
      'serve',
      '--name=environment',
      '--as-is=$(UNKNOWN)',
      `--file=${env['COLOUR_FILE']}`,
    ]);
    expect(env['COLOUR_FILE']?.startsWith(cluster.test.stateDir)).toBe(true);
    expect(cwd.startsWith(cluster.test.stateDir)).toBe(true);
    expect(readFileSync(env['COLOUR_FILE'] ?? '', 'utf8')).toBe('colour=red');
    expect(pod.status?.podIP).toMatch(/^10\.244\.(12[89]|1[3-9]\d|2\d\d)\./);
    expect(pod.status?.phase).toBe('Running');
    const log = path.join(cluster.test.stateDir, spec.id, 'logs/pods/agent_environment_main.log');
    expect(readFileSync(log, 'utf8')).toContain('started as serve');
  });

  it('wait for a missing secret, then see its changes in their files', async () => {
    await create(
      programPod(
        'waiting',
        {
          env: [{ name: 'FOLDER', value: '/secrets' }],
          volumeMounts: [{ name: 'secret', mountPath: '/secrets' }],
        },
        { volumes: [{ name: 'secret', secret: { secretName: 'late' } }] },
      ),
    );
    const held = await podWhen('waiting', ({ status }) =>
      (status?.containerStatuses?.[0]?.state?.waiting?.message ?? '').includes('late'),
    );
    expect(held.status?.phase).toBe('Pending');
    await client.core.createNamespacedSecret({
      namespace,
      body: { metadata: { name: 'late' }, stringData: { key: 'one' } },
    });
    await podWhen('waiting', isReady);
    const { env, pid } = await program('waiting').about();
    expect(await program('waiting').file(`${env['FOLDER']}/key`)).toBe('one');
    await client.core.replaceNamespacedSecret({
      namespace,
      name: 'late',
      body: { metadata: { name: 'late' }, stringData: { key: 'two', more: 'x' } },
    });
    await program('waiting').fileWhen(`${env['FOLDER']}/key`, (content) => content === 'two');
    expect(await program('waiting').file(`${env['FOLDER']}/more`)).toBe('x');
    expect((await program('waiting').about()).pid).toBe(pid);
  });

  it('have tokens bound to them, with the requested audience, renewed in time, and with their permissions only', async () => {
    await create(
      programPod(
        'tokens',
        {
          env: [
            {
              name: 'AZURE_FEDERATED_TOKEN_FILE',
              value: '/var/run/secrets/azure/tokens/azure-identity-token',
            },
            { name: 'ACCOUNT', value: accountFolder },
          ],
          volumeMounts: [{ name: 'azure', mountPath: '/var/run/secrets/azure/tokens' }],
        },
        {
          volumes: [
            {
              name: 'azure',
              projected: {
                sources: [
                  {
                    serviceAccountToken: {
                      path: 'azure-identity-token',
                      audience: 'api://AzureADTokenExchange',
                      expirationSeconds: 600,
                    },
                  },
                ],
              },
            },
          ],
        },
      ),
    );
    const pod = await podWhen('tokens', isReady);
    const { env } = await program('tokens').about();
    const file = env['AZURE_FEDERATED_TOKEN_FILE'] ?? '';
    const token = await program('tokens').file(file);
    expect(decodeJwt(token)).toMatchObject({
      iss: spec.issuer,
      aud: ['api://AzureADTokenExchange'],
      sub: 'system:serviceaccount:agent:default',
      'kubernetes.io': { pod: { name: 'tokens', uid: pod.metadata?.uid } },
    });
    const renewed = await program('tokens').fileWhen(file, (content) => content !== token);
    expect(decodeJwt(renewed).iat).toBeGreaterThan(decodeJwt(token).iat ?? 0);

    expect(await program('tokens').file(`${env['ACCOUNT']}/namespace`)).toBe(namespace);
    const library = await import('@kubernetes/client-node');
    const config = new library.KubeConfig();
    const kubeconfig = readFileSync(env['KUBECONFIG'] ?? '', 'utf8');
    config.loadFromString(kubeconfig);
    // Go's client reads the token file, which is renewed. The JavaScript client does not know it.
    const { users } = parse(kubeconfig) as { users: [{ name: string; user: { tokenFile: string } }] };
    config.users = users.map(({ name, user }) => ({ name, token: readFileSync(user.tokenFile, 'utf8') }));
    const asPod = config.makeApiClient(library.AuthenticationV1Api);
    const self = await asPod.createSelfSubjectReview({ body: {} });
    expect(self.status?.userInfo?.username).toBe('system:serviceaccount:agent:default');
    await expect(
      config.makeApiClient(library.CoreV1Api).listNamespacedSecret({ namespace }),
    ).rejects.toMatchObject({
      code: 403,
    });
  });

  it('are restarted when they end, are unready after a failed readiness probe, and are replaced after a failed liveness probe', async () => {
    await create(
      programPod('restarted', {
        livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1, failureThreshold: 1 },
      }),
    );
    await podWhen('restarted', isReady);
    const first = await program('restarted').about();
    await program('restarted').tell('set-unready');
    await podWhen('restarted', (pod) => !isReady(pod));
    await program('restarted').tell('crash');
    const pod = await podWhen(
      'restarted',
      (seen) => isReady(seen) && seen.status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(7);
    const second = await program('restarted').about();
    expect(second.pid).not.toBe(first.pid);
    await program('restarted').tell('set-dead');
    await podWhen(
      'restarted',
      (seen) => isReady(seen) && seen.status?.containerStatuses?.[0]?.restartCount === 2,
    );
    expect(existsSync(`/proc/${second.pid}`)).toBe(false);
  });

  it('run init containers before, skip those without a process, and share an empty volume', async () => {
    const shared = [{ name: 'shared', mountPath: '/shared' }];
    await create(
      programPod(
        'initialised',
        { volumeMounts: shared, env: [{ name: 'SHARED', value: '/shared' }] },
        {
          volumes: [{ name: 'shared', emptyDir: {} }],
          initContainers: [
            { name: 'unknown', image: 'unknown:1' },
            {
              name: 'known',
              image: `${programImage}:1`,
              args: ['fail-once', '/shared'],
              volumeMounts: shared,
            },
          ],
        },
      ),
    );
    const pod = await podWhen('initialised', isReady);
    expect(
      pod.status?.initContainerStatuses?.map(({ name, state, restartCount }) => [
        name,
        state?.terminated?.exitCode,
        restartCount,
      ]),
    ).toEqual([
      ['unknown', 0, 0],
      ['known', 0, 1],
    ]);
    const { env } = await program('initialised').about();
    expect(await program('initialised').file(`${env['SHARED']}/mark`)).toBe('');
  });

  it.each([
    ['succeeds', '0', { succeeded: 1 }],
    ['fails', '4', { failed: 1 }],
  ])('that a job makes: its program %s', async (name, code, expected) => {
    const container = { name: 'main', image: `${programImage}:1`, args: ['exit', code] };
    await client.batch.createNamespacedJob({
      namespace,
      body: {
        metadata: { name },
        spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
      },
    });
    const job = await until(`job ${name}`, async () => {
      const seen = await client.batch.readNamespacedJob({ namespace, name });
      return seen.status?.conditions?.some(({ type }) => type === 'Complete' || type === 'Failed')
        ? seen
        : new Miss(JSON.stringify(seen.status));
    });
    expect(job.status).toMatchObject(expected);
    await client.batch.deleteNamespacedJob({ namespace, name, propagationPolicy: 'Foreground' });
    await until('its pods are gone', async () => {
      const { items } = await client.core.listNamespacedPod({ namespace, labelSelector: `job-name=${name}` });
      return items.length === 0 ? true : new Miss(JSON.stringify(items[0]?.status));
    });
  });

  it('report an unsupported volume', async () => {
    await create(
      programPod(
        'unsupported',
        { volumeMounts: [{ name: 'host', mountPath: '/host' }] },
        { volumes: [{ name: 'host', nfs: { server: 'nfs.example', path: '/' } }] },
      ),
    );
    const pod = await podWhen(
      'unsupported',
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError',
    );
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain(
      'has the unsupported kind nfs',
    );
    await remove('unsupported');
    await gone('unsupported');
  });

  it('end with their pod and leave no folder', async () => {
    const pod = await client.core.readNamespacedPod({ name: 'environment', namespace });
    const { pid } = await program('environment').about();
    const folder = path.join(cluster.test.stateDir, spec.id, 'pods', pod.metadata?.uid ?? '');
    expect(existsSync(folder)).toBe(true);
    await remove('environment');
    await gone('environment');
    await until('its folder is gone', () =>
      existsSync(folder) ? new Miss(readdirSync(folder).join()) : true,
    );
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });
}
