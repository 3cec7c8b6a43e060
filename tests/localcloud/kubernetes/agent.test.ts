import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { parse } from 'yaml';
import type { Client } from './support/client';
import { connect, isReady, Miss, podWhen, until } from './support/client';
import { program, programPod } from './support/pods';
import type { TestRuntime } from './support/runtime';
import { clusterSpec, openRuntime, programImage, startTimeout } from './support/runtime';

const spec = clusterSpec();
const namespace = 'default';
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

describe('pods as processes', () => {
  let test: TestRuntime;
  let client: Client;
  const create = (body: ReturnType<typeof programPod>) =>
    client.core.createNamespacedPod({ namespace, body });
  const remove = (name: string) => client.core.deleteNamespacedPod({ namespace, name });
  const gone = (name: string) =>
    until(`pod ${name} gone`, async () => {
      const { items } = await client.core.listNamespacedPod({
        namespace,
        fieldSelector: `metadata.name=${name}`,
      });
      return items.length === 0 ? true : new Miss(JSON.stringify(items[0]?.status));
    });

  beforeAll(async () => {
    process.env['ARM_CLIENT_SECRET'] = 'of the daemon';
    // Tokens of 600 s are renewed after 1.2 s.
    test = openRuntime({ renewTokensAt: 0.002 });
    await test.runtime.ensure(spec);
    client = await connect(test.runtime, spec.id);
    await client.core.createNamespacedSecret({
      namespace,
      body: { metadata: { name: 'database' }, stringData: { password: 'first', user: 'app' } },
    });
    await client.core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'settings' }, data: { LEVEL: 'debug', 'app.conf': 'colour=red' } },
    });
  }, startTimeout);
  afterAll(async () => {
    delete process.env['ARM_CLIENT_SECRET'];
    await test.dispose();
  });

  it('get the environment and arguments that their pod states, and nothing of the daemon', async () => {
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
    const pod = await podWhen(client, 'environment', isReady);
    const { env, args, cwd } = await program(test, 'environment').about();
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
    expect(env['COLOUR_FILE']?.startsWith(test.stateDir)).toBe(true);
    expect(cwd.startsWith(test.stateDir)).toBe(true);
    expect(readFileSync(env['COLOUR_FILE'] ?? '', 'utf8')).toBe('colour=red');
    expect(pod.status?.podIP).toMatch(/^10\.244\.(12[89]|1[3-9]\d|2\d\d)\./);
    expect(pod.status?.phase).toBe('Running');
    const log = path.join(test.stateDir, spec.id, 'logs/pods/default_environment_main.log');
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
    const held = await podWhen(client, 'waiting', ({ status }) =>
      (status?.containerStatuses?.[0]?.state?.waiting?.message ?? '').includes('late'),
    );
    expect(held.status?.phase).toBe('Pending');
    await client.core.createNamespacedSecret({
      namespace,
      body: { metadata: { name: 'late' }, stringData: { key: 'one' } },
    });
    await podWhen(client, 'waiting', isReady);
    const { env, pid } = await program(test, 'waiting').about();
    expect(await program(test, 'waiting').file(`${env['FOLDER']}/key`)).toBe('one');
    await client.core.replaceNamespacedSecret({
      namespace,
      name: 'late',
      body: { metadata: { name: 'late' }, stringData: { key: 'two', more: 'x' } },
    });
    await program(test, 'waiting').fileWhen(`${env['FOLDER']}/key`, (content) => content === 'two');
    expect(await program(test, 'waiting').file(`${env['FOLDER']}/more`)).toBe('x');
    expect((await program(test, 'waiting').about()).pid).toBe(pid);
  });

  it('hold tokens bound to them, with the audience asked for, renewed in time, and their rights only', async () => {
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
    const pod = await podWhen(client, 'tokens', isReady);
    const { env } = await program(test, 'tokens').about();
    const file = env['AZURE_FEDERATED_TOKEN_FILE'] ?? '';
    const token = await program(test, 'tokens').file(file);
    expect(decodeJwt(token)).toMatchObject({
      iss: spec.issuer,
      aud: ['api://AzureADTokenExchange'],
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': { pod: { name: 'tokens', uid: pod.metadata?.uid } },
    });
    const renewed = await program(test, 'tokens').fileWhen(file, (content) => content !== token);
    expect(decodeJwt(renewed).iat).toBeGreaterThan(decodeJwt(token).iat ?? 0);

    expect(await program(test, 'tokens').file(`${env['ACCOUNT']}/namespace`)).toBe('default');
    const library = await import('@kubernetes/client-node');
    const config = new library.KubeConfig();
    const kubeconfig = readFileSync(env['KUBECONFIG'] ?? '', 'utf8');
    config.loadFromString(kubeconfig);
    // Go's client reads the token file; the JavaScript one has to be given the token.
    const { users } = parse(kubeconfig) as { users: [{ name: string; user: { tokenFile: string } }] };
    config.users = users.map(({ name, user }) => ({ name, token: readFileSync(user.tokenFile, 'utf8') }));
    const asPod = config.makeApiClient(library.AuthenticationV1Api);
    const self = await asPod.createSelfSubjectReview({ body: {} });
    expect(self.status?.userInfo?.username).toBe('system:serviceaccount:default:default');
    await expect(
      config.makeApiClient(library.CoreV1Api).listNamespacedSecret({ namespace }),
    ).rejects.toMatchObject({
      code: 403,
    });
  });

  it('are restarted when they end, are unready when they say so, and are replaced when they are not alive', async () => {
    await create(
      programPod('restarted', {
        livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1, failureThreshold: 1 },
      }),
    );
    await podWhen(client, 'restarted', isReady);
    const first = await program(test, 'restarted').about();
    await program(test, 'restarted').tell('set-unready');
    await podWhen(client, 'restarted', (pod) => !isReady(pod));
    await program(test, 'restarted').tell('crash');
    const pod = await podWhen(
      client,
      'restarted',
      (seen) => isReady(seen) && seen.status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(7);
    const second = await program(test, 'restarted').about();
    expect(second.pid).not.toBe(first.pid);
    await program(test, 'restarted').tell('set-dead');
    await podWhen(
      client,
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
    const pod = await podWhen(client, 'initialised', isReady);
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
    const { env } = await program(test, 'initialised').about();
    expect(await program(test, 'initialised').file(`${env['SHARED']}/mark`)).toBe('');
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

  it('say which volume cannot be had', async () => {
    await create(
      programPod(
        'unsupported',
        { volumeMounts: [{ name: 'host', mountPath: '/host' }] },
        { volumes: [{ name: 'host', hostPath: { path: '/etc' } }] },
      ),
    );
    const pod = await podWhen(
      client,
      'unsupported',
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError',
    );
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain('is of kind hostPath');
    await remove('unsupported');
    await gone('unsupported');
  });

  it('end with their pod and leave no folder', async () => {
    const pod = await client.core.readNamespacedPod({ name: 'environment', namespace });
    const { pid } = await program(test, 'environment').about();
    const folder = path.join(test.stateDir, spec.id, 'pods', pod.metadata?.uid ?? '');
    expect(existsSync(folder)).toBe(true);
    await remove('environment');
    await gone('environment');
    await until('its folder is gone', () =>
      existsSync(folder) ? new Miss(readdirSync(folder).join()) : true,
    );
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it(
    'are taken up again after a restart of the local cloud',
    async () => {
      const before = await program(test, 'tokens').about();
      const count = async () =>
        (await client.core.readNamespacedPod({ name: 'tokens', namespace })).status?.containerStatuses?.[0]
          ?.restartCount ?? 0;
      expect(await count()).toBe(0);
      await test.runtime.close();
      expect(existsSync(`/proc/${before.pid}`)).toBe(false);
      const next = openRuntime({ stateDir: test.stateDir });
      test.runtime = next.runtime;
      await next.runtime.ensure(spec);
      client = await connect(next.runtime, spec.id);
      await podWhen(
        client,
        'tokens',
        (pod) => isReady(pod) && pod.status?.containerStatuses?.[0]?.restartCount === 1,
      );
      const after = await program(test, 'tokens').about();
      expect(after.env['AZURE_FEDERATED_TOKEN_FILE']).toBe(before.env['AZURE_FEDERATED_TOKEN_FILE']);
    },
    startTimeout,
  );
});
