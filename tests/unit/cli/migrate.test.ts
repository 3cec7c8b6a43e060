import { writeFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { application } from '../../../stacks/settings/schema/applications';
import { migrateCommand } from '../../../cli/migrate/command';
import { readFiles, type LegacyObject } from '../../../cli/migrate/objects';
import { planMigration as planOf } from '../../../cli/migrate/plan';
import { spawnSync } from 'node:child_process';
import { isDone, nextSteps, renderMigration } from '../../../cli/migrate/report';
import { reviewFiles } from '../../../cli/migrate/review';
import { compareIdentities } from '../../../cli/migrate/identities';
import { progressOf } from '../../../cli/migrate/steps';

const api = 'aadpodidentity.k8s.io/v1';
const id = (name: string) =>
  `/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const metadata = (name: string, namespace = 'shop') => ({ name, namespace });
const identity = (name: string, spec: object = {}, namespace = 'shop'): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureIdentity', metadata: metadata(name, namespace) },
  spec: { type: 0, resourceID: id(name), clientID: `client-of-${name}`, ...spec },
});
const binding = (name: string, namespace = 'shop', selector = name): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureIdentityBinding', metadata: metadata(name, namespace) },
  spec: { azureIdentity: name, selector },
});
const deployment = (
  name: string,
  {
    selector = name,
    serviceAccountName = name,
    ...spec
  }: { [key: string]: unknown; selector?: string; serviceAccountName?: string } = {},
  labels: Record<string, string> = {},
): LegacyObject => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata(name) },
  spec: {
    replicas: 2,
    template: {
      metadata: { labels: { aadpodidbinding: selector, ...labels } },
      spec: {
        serviceAccountName,
        containers: [{ image: 'ghcr.io/x/shop:1.0.0', env: [{ name: 'A', value: 'b' }, { name: 'B' }] }],
        ...spec,
      },
    },
  },
});
const assigned = (name: string, namespace = 'shop', status = 'Assigned'): LegacyObject => ({
  ...{ apiVersion: api, kind: 'AzureAssignedIdentity', metadata: metadata(`${name}-0`, namespace) },
  spec: { podNamespace: namespace, azureIdentityRef: { spec: { resourceID: id(name) } } },
  status: { status },
});
const shop = [identity('web'), binding('web'), deployment('web')];
const inCluster = { isComplete: true };
/** With identities that are all assigned. */
const planMigration = (objects: readonly LegacyObject[]) =>
  planOf([...objects, assigned('web'), assigned('api')], inCluster);
const planEnd = (objects: readonly LegacyObject[]) => planOf(objects, inCluster);
const owned = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'x' }],
});
const place = { cluster: 'aks-1', issuer: 'https://issuer/', tenantId: 'tenant' };
const unknown = { prepared: undefined, switched: undefined, ready: undefined };

describe('what aks-wi migrate finds', () => {
  it('is each workload with its identity and its service account', () => {
    expect(planMigration(shop)).toMatchObject({
      candidates: [
        {
          ...{ kind: 'Deployment', namespace: 'shop', name: 'web', serviceAccount: 'web' },
          identity: { name: 'web', resourceId: id('web'), clientId: 'client-of-web' },
        },
      ],
      ...{ obstacles: [], unused: [], unchecked: [] },
    });
  });

  it('is a cron job and a pod of its own, and not what another object makes', () => {
    const { spec } = deployment('web');
    const labelled = { ...metadata('web-1'), labels: { aadpodidbinding: 'web' } };
    const objects: LegacyObject[] = [
      ...shop.slice(0, 2),
      {
        kind: 'CronJob',
        metadata: metadata('job'),
        spec: { jobTemplate: { spec: { template: spec?.template ?? {} } } },
      },
      { kind: 'Pod', metadata: { ...labelled, name: 'alone' }, spec: { serviceAccountName: 'web' } },
      {
        kind: 'Pod',
        metadata: { ...labelled, ...owned('batch/v1', 'Job', 'x') },
        spec: { serviceAccountName: 'web' },
      },
    ];

    expect(planMigration(objects).candidates.map(({ kind, name }) => [kind, name])).toEqual([
      ['CronJob', 'job'],
      ['Pod', 'alone'],
    ]);
  });

  it.each<[string, readonly LegacyObject[], string]>([
    [
      'a password',
      [identity('web', { type: 1 }), binding('web'), deployment('web')],
      'with a password (type 1)',
    ],
    [
      'a certificate',
      [identity('web', { type: 2 }), binding('web'), deployment('web')],
      'with a certificate',
    ],
    [
      'Windows',
      [...shop.slice(0, 2), deployment('web', { nodeSelector: { 'kubernetes.io/os': 'windows' } })],
      'runs on Windows',
    ],
    [
      'another namespace',
      [identity('web', {}, 'other'), binding('web', 'other'), deployment('web')],
      'is bound from another namespace',
    ],
    [
      'the default account',
      [...shop.slice(0, 2), deployment('web', { serviceAccountName: 'default' })],
      'service account default',
    ],
    ['no binding', [deployment('web')], 'which no AzureIdentityBinding selects'],
    ['no identity', [binding('web'), deployment('web')], 'which does not exist'],
    [
      'several identities',
      [...shop, identity('api'), binding('api', 'shop', 'web')],
      'has several identities',
    ],
    [
      'a shared service account',
      [...shop, identity('api'), binding('api'), deployment('api', { serviceAccountName: 'web' })],
      'shares the service account web',
    ],
    [
      'an id that is none',
      [identity('web', { resourceID: '/subscriptions/s; id' }), binding('web'), deployment('web')],
      'which is not of a managed identity',
    ],
    [
      'an id with a command in it',
      [identity('web', { resourceID: id('$(id)') }), binding('web'), deployment('web')],
      'which is not of a managed identity',
    ],
    [
      'an identity that is not assigned',
      [identity('hers'), binding('hers'), deployment('hers'), assigned('hers', 'shop', 'Created')],
      'who owns the identity?',
    ],
    [
      'an identity that is assigned in another namespace',
      [identity('hers'), binding('hers'), deployment('hers'), assigned('hers', 'other')],
      'who owns the identity?',
    ],
    [
      'what an operator makes',
      [
        ...shop.slice(0, 2),
        { ...deployment('web'), metadata: { ...metadata('web'), ...owned('x/v1', 'Shop', 'one') } },
      ],
      'is made by Shop one',
    ],
    [
      'what a rollout makes',
      [
        ...shop.slice(0, 2),
        ...['web-1', 'web-2'].map((name): LegacyObject => ({
          ...{ kind: 'Pod', spec: { serviceAccountName: 'web' } },
          metadata: {
            ...{ ...metadata(name), labels: { aadpodidbinding: 'web' } },
            ...owned('argoproj.io/v1alpha1', 'Rollout', 'web'),
          },
        })),
      ],
      'is made by Rollout web',
    ],
  ])('cannot be migrated: %s', (_what, objects, problem) => {
    const { candidates, obstacles } = planMigration(objects);

    expect(candidates).toEqual([]);
    expect(obstacles[0]?.problem).toContain(problem);
    expect(obstacles.filter((one) => one.problem.includes('is made by ')).length).toBeLessThan(2);
    expect(obstacles[0]?.remedy).toMatch(/\.$|\)\.$/);
  });
});

describe('what is left of aad-pod-identity', () => {
  it('is a binding while a pod has its label, whoever makes the pod', () => {
    const pod: LegacyObject = {
      ...{ kind: 'Pod', spec: {} },
      metadata: {
        ...{ ...metadata('web-1'), labels: { aadpodidbinding: 'web' } },
        ...owned('apps/v1', 'ReplicaSet', 'web'),
      },
    };

    expect(planEnd([binding('web'), pod]).unused).toEqual([]);
    expect(planEnd([binding('web'), { ...pod, status: { phase: 'Failed' } }]).unused).toEqual([
      'AzureIdentityBinding shop/web',
    ]);
    expect(
      planEnd([
        binding('web'),
        {
          ...{ ...deployment('web'), kind: 'ReplicaSet' },
          metadata: { ...metadata('old'), ...owned('apps/v1', 'Deployment', 'web') },
        },
      ]).unused,
    ).toEqual(['AzureIdentityBinding shop/web']);
  });

  it('is what the controller has not yet taken off the nodes', () => {
    const migration = planEnd([assigned('web')]);

    expect(isDone(migration)).toBe(false);
    expect(nextSteps(migration, [])).toEqual([
      expect.stringContaining('Wait: the controller is taking identities off the nodes (1 '),
    ]);
  });

  it.each<[string, object, string]>([
    ['the chart', { metadata: { labels: { 'app.kubernetes.io/component': 'nmi' } } }, 'helm uninstall'],
    [
      'the manifest',
      { metadata: { labels: { component: 'mic', 'k8s-app': 'aad-pod-id' } } },
      'kubectl delete',
    ],
    [
      'the add-on',
      { metadata: { labels: { component: 'nmi', 'kubernetes.azure.com/managedby': 'aks' } } },
      '--disable-pod-identity',
    ],
    [
      'an image',
      { spec: { template: { spec: { containers: [{ image: 'x.io/aad-pod-identity/nmi:v1.8.17' }] } } } },
      'kubectl delete',
    ],
  ])('is the installation, by %s', (_by, part, remedy) => {
    const migration = planEnd([{ apiVersion: 'apps/v1', kind: 'DaemonSet', ...part }]);

    expect(isDone(migration)).toBe(false);
    expect(nextSteps(migration, []).join()).toContain(remedy);
  });

  it('is not known of files without workloads, which are said', () => {
    const { unused, unchecked } = planOf([binding('web')], { isComplete: false });

    expect(unused).toEqual([]);
    expect(unchecked.join()).toMatch(
      /kubectl get .*statefulsets.*no AzureAssignedIdentity: .*Azure was not asked/,
    );
    const files = planOf([...shop, assigned('web', 'shop', 'Created')], { isComplete: false });
    expect(files.obstacles[0]?.problem).toContain('who owns the identity?');
    expect(files.unchecked.join()).toMatch(/^Azure was not asked/);
    expect(planOf(shop, { isComplete: false }).candidates.length).toBe(1);
  });
});

describe('identities', () => {
  const { candidates } = planMigration([...shop, identity('api'), binding('api'), deployment('api')]);
  const trust = (number: number) => ({ name: 'x', issuer: 'i', subject: `${number}`, audiences: [] });
  const compare = async (read: Parameters<typeof compareIdentities>[2]) => {
    const { credentials, obstacles } = await compareIdentities(candidates, 'https://issuer/', read);
    return { names: [...credentials.keys()].map(({ name }) => name), obstacles };
  };
  const found = (name: string, count = 0) => ({
    clientId: `CLIENT-of-${name}`,
    credentials: Array.from({ length: count }, (_, index) => trust(index)),
  });
  const nameIn = (text: string) => text.split('/').at(-1) ?? '';

  it('are those of the objects, and one that cannot be read is said of its workload only', async () => {
    expect(await compare((one) => Promise.resolve(found(nameIn(one), 19)))).toEqual({
      ...{ names: ['web', 'api'], obstacles: [] },
    });
    for (const [answer, problem] of [
      [() => Promise.resolve({ ...found('web'), clientId: 'another' }), 'but '],
      [() => Promise.resolve(undefined), 'which Azure does not have'],
      [() => Promise.reject(new Error('403')), 'cannot be read: 403'],
    ] as const)
      expect(
        await compare((one) => (nameIn(one) === 'web' ? answer() : Promise.resolve(found('api')))),
      ).toMatchObject({
        names: ['api'],
        obstacles: [{ what: 'Deployment shop/web', problem: expect.stringContaining(problem) as string }],
      });
  });

  it('hold at most 20 credentials', async () => {
    const { obstacles } = await compare((one) => Promise.resolve(found(nameIn(one), 20)));

    expect(obstacles.map(({ what, problem }) => `${what} ${problem}`)).toEqual([
      expect.stringContaining('AzureIdentity web would have 21 federated credentials'),
      expect.stringContaining('AzureIdentity api would have 21'),
    ]);
  });
});

describe('how far a migration is', () => {
  const [candidate] = planMigration(shop).candidates;
  if (candidate === undefined) throw new Error('no candidate');
  const subject = 'system:serviceaccount:shop:web';
  const trust = { name: 'a', issuer: 'https://issuer/', subject, audiences: ['api://AzureADTokenExchange'] };
  const account: LegacyObject = {
    kind: 'ServiceAccount',
    metadata: { ...metadata('web'), annotations: { 'azure.workload.identity/client-id': 'client-of-web' } },
  };
  const pod = (token: boolean, ready: string): LegacyObject => ({
    ...{ kind: 'Pod', metadata: { ...metadata('web-1'), labels: { aadpodidbinding: 'web' } } },
    spec: {
      serviceAccountName: 'web',
      containers: [{ env: token ? [{ name: 'AZURE_FEDERATED_TOKEN_FILE' }] : [] }],
    },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });
  const labelled = planMigration([
    ...shop.slice(0, 2),
    deployment('web', {}, { 'azure.workload.identity/use': 'true' }),
  ]).candidates[0];
  if (labelled === undefined) throw new Error('no candidate');

  it.each([
    [candidate, [account], [trust], [true, false, false]],
    [candidate, [account], [], [false, false, false]],
    [candidate, [account], [{ ...trust, issuer: 'https://other/' }], [false, false, false]],
    [candidate, [], [trust], [false, false, false]],
    [labelled, [account, pod(false, 'True')], [trust], [true, false, false]],
    [labelled, [account, pod(true, 'False')], [trust], [true, true, false]],
    [labelled, [account], [trust], [true, true, true]],
    [
      labelled,
      [account, pod(true, 'True'), { ...pod(false, 'True'), status: { phase: 'Succeeded' } }],
      [trust],
      [true, true, true],
    ],
    [
      labelled,
      [account, pod(true, 'True'), { ...pod(false, 'False'), metadata: metadata('neither') }],
      [trust],
      [true, true, true],
    ],
    [labelled, [account, pod(true, 'True')], [trust], [true, true, true]],
    [labelled, [account, pod(true, 'True'), pod(false, 'True')], [trust], [true, false, false]],
    [candidate, [account], undefined, [undefined, undefined, undefined]],
  ])('is seen in the cluster and in Azure: %#', (one, objects, credentials, expected) => {
    const { prepared, switched, ready } = progressOf(one, objects, 'https://issuer/', credentials);

    expect([prepared, switched, ready]).toEqual(expected);
  });

  it('says what comes next, to the end', () => {
    const migration = planMigration(shop);
    const next = (progress: Parameters<typeof nextSteps>[1][number]['progress'], application?: string) =>
      nextSteps(migration, [{ candidate, progress, application }]).join(' ');
    const [no, yes] = [false, true];

    expect(next({ prepared: no, switched: no, ready: no })).toContain('Step 1, both ways side by side');
    expect(next({ prepared: no, switched: no, ready: no }, 'web')).toContain('`signIn: both` of web');
    expect(next({ prepared: yes, switched: no, ready: no })).toContain('Step 2, switch');
    expect(next({ prepared: yes, switched: yes, ready: no })).toContain('Step 3: wait until');
    expect(next({ prepared: yes, switched: yes, ready: yes })).toContain('take the label aadpodidbinding');
    expect(next({ prepared: yes, switched: yes, ready: yes }, 'web')).toContain('`signIn: workloadIdentity`');
    const mic: LegacyObject = {
      ...{
        kind: 'Deployment',
        metadata: { ...metadata('mic'), labels: { 'app.kubernetes.io/component': 'mic' } },
      },
    };
    expect(nextSteps(planEnd([mic]), []).join(' ')).toContain('remove `podIdentity` of the cluster');
    expect(nextSteps(planEnd(shop.slice(0, 2)), [])).toEqual(['Step 4, remove: first what is named above.']);
    expect(nextSteps(planEnd([]), []).join(' ')).toMatch(/^Done: .*kubectl delete crd/);
  });

  it('leads each workload on from where it is', () => {
    const migration = planMigration(shop);
    const at = (kind: string, prepared: boolean, switched: boolean, application?: string) => ({
      ...{ candidate: { ...candidate, kind, name: kind.toLowerCase() }, application },
      progress: { prepared, switched, ready: switched },
    });
    const next = nextSteps(migration, [
      at('Deployment', true, false, 'web'),
      at('StatefulSet', true, false),
      at('Job', true, false),
    ]);

    expect(next).toEqual([
      expect.stringContaining('Step 1 and 2: set `signIn: both` of web'),
      expect.stringContaining('Step 2, switch: add labels.yaml to StatefulSet shop/statefulset where'),
      expect.stringContaining('make Job shop/job anew'),
    ]);
    expect(nextSteps(migration, [at('Deployment', true, true)])[0]).toContain(
      '`aks-wi audit --sign-ins` shows the federated credential',
    );
  });

  it('is a table that fits into the terminal', () => {
    const text = stripVTControlCharacters(
      renderMigration('aks-1', planMigration(shop), [{ candidate, progress: unknown }], 80),
    );
    const widths = text.match(/^[│┌├└].*$/gm) ?? [];

    expect(text).toMatch(/Deployment +│ web +│ \? +│ \? +│ \? +│ to do/);
    expect(Math.max(...widths.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});

describe('the files for review', () => {
  const files = reviewFiles(planMigration(shop).candidates, place);
  const last = (name: string): unknown => parse((files.get(name) ?? '').split('---\n').at(-1) ?? '');

  it('make the trust, annotate the service account and label the pods', () => {
    expect(files.get('federated-credentials.sh')).toMatch(
      /--name 'aks-1_shop_web' .*\n.*--identity-name 'web' --resource-group 'rg' --subscription '[0-]{36}' .*\n.*--issuer 'https:\/\/issuer\/' .*\n.*--subject 'system:serviceaccount:shop:web' --audiences 'api:\/\/AzureADTokenExchange'/,
    );
    expect(last('service-accounts.yaml')).toMatchObject({
      metadata: {
        annotations: {
          'azure.workload.identity/client-id': 'client-of-web',
          'azure.workload.identity/tenant-id': 'tenant',
        },
      },
    });
    expect(last('labels.yaml')).toMatchObject({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      spec: { template: { metadata: { labels: { 'azure.workload.identity/use': 'true' } } } },
    });
  });

  it('run nothing but az, whatever the objects say', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
    const [one] = planMigration(shop).candidates;
    if (one === undefined) throw new Error('no candidate');
    const odd = { ...one, name: 'a\nexit 3', serviceAccount: "it's $(exit 4); `exit 5`" };
    const script = reviewFiles([odd], place).get('federated-credentials.sh') ?? '';
    writeFileSync(path.join(folder, 'az'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('sh', ['-e', '-c', script], {
      ...{ encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` } },
    });
    rmSync(folder, { recursive: true });

    expect(status).toBe(0);
    expect(stdout).toContain(`\n--subject\nsystem:serviceaccount:shop:${odd.serviceAccount}\n--audiences\n`);
  });

  it('name each credential differently', () => {
    const [one] = planMigration(shop).candidates;
    if (one === undefined) throw new Error('no candidate');
    const long = 'x'.repeat(120);
    const script = reviewFiles(
      [
        { ...one, namespace: 'a-b', serviceAccount: 'c' },
        { ...one, namespace: 'a', serviceAccount: 'b-c' },
        { ...one, serviceAccount: `${long}1` },
        { ...one, serviceAccount: `${long}2` },
      ],
      place,
    ).get('federated-credentials.sh');
    const names = [...(script ?? '').matchAll(/create --name '([\w-]{1,120})'/g)].map(([, name]) => name);

    expect(new Set(names).size).toBe(4);
  });

  it('label no Job and no pod in place', () => {
    const [one] = planMigration(shop).candidates;
    if (one === undefined) throw new Error('no candidate');
    const text = reviewFiles([{ ...one, kind: 'Job' }], place).get('labels.yaml');

    expect(text).toContain('# Make "Job shop/web" anew');
    expect(parse(text ?? '')).toBeNull();
  });

  const applicationsOf = (objects: readonly LegacyObject[]) =>
    reviewFiles(planMigration(objects).candidates, place).get('applications.yaml') ?? '';

  it('has an application for a Deployment, with what exists', () => {
    const text = applicationsOf(shop);
    expect(parse(text)).toEqual({
      'aks-workload-identity:applications': [
        {
          ...{ name: 'web', clusters: ['aks-1'], image: 'ghcr.io/x/shop:1.0.0', replicas: 2 },
          env: { A: 'b', B: '' },
          identity: { existing: { 'aks-1': id('web') } },
          namespace: { name: 'shop', existing: true },
          serviceAccount: { name: 'web', existing: true },
          secrets: [],
        },
      ],
    });
    expect(text).toContain('It interrupts them');
    const [entry] = z
      .object({ 'aks-workload-identity:applications': z.array(z.unknown()) })
      .parse(parse(text))['aks-workload-identity:applications'];
    expect(application.safeParse(entry).error).toBeUndefined();
  });

  it('says what an application does not carry over, and leaves out what it cannot be', () => {
    const containers = [
      {
        ...{ image: 'ghcr.io/x/shop:1.0.0', command: ['x'], livenessProbe: {}, imagePullPolicy: 'Always' },
        env: [
          { name: 'A', valueFrom: {} },
          { name: 'AZURE_CLIENT_ID', value: 'x' },
        ],
      },
    ];
    const more = deployment('web', {
      containers,
      initContainers: [{}],
      volumes: [{}],
      restartPolicy: 'Always',
    });
    const text = applicationsOf([...shop.slice(0, 2), more]);

    expect(text).toContain(
      '# "Deployment shop/web": not carried over: initContainers, volumes, command, livenessProbe, env "A", env "AZURE_CLIENT_ID"\n',
    );
    expect(parse(text)).not.toHaveProperty(['aks-workload-identity:applications', 0, 'env']);
    const untagged = deployment('web', { containers: [{ image: 'shop' }] });
    expect(applicationsOf([...shop.slice(0, 2), untagged])).toMatch(
      /"Deployment shop\/web": left out: .*\n.*: \[\]/,
    );
  });

  it('has no two applications of one name', () => {
    const [one] = planMigration(shop).candidates;
    if (one === undefined) throw new Error('no candidate');
    const text = reviewFiles([one, { ...one, namespace: 'other' }], place).get('applications.yaml') ?? '';

    expect([...text.matchAll(/- name: (.*)/g)].map(([, name]) => name)).toEqual(['web', 'web-2']);
  });
});

describe('aks-wi migrate of files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'migrate-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    const name = path.join(folder, 'legacy.yaml');
    writeFileSync(name, text);
    return name;
  };
  const run = (...args: string[]) => migrateCommand().exitOverride().parseAsync(args, { from: 'user' });

  it('reads documents and lists, and writes for review', async () => {
    const name = file(stringify({ apiVersion: 'v1', kind: 'List', items: shop }));
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await run('--files', name, '--cluster', 'aks-1', '--write', path.join(folder, 'out'), '--json');
    const { done, workloads } = JSON.parse(String(written.mock.calls[0]?.[0])) as {
      done: boolean;
      workloads: unknown[];
    };
    written.mockRestore();

    expect([done, workloads.length]).toEqual([false, 1]);
    expect(readFileSync(path.join(folder, 'out', 'labels.yaml'), 'utf8')).toContain('name: web');
  });

  it('says what is wrong', async () => {
    expect(() => readFiles([file('a: [')])).toThrow('is no YAML');
    expect(() => readFiles([file(stringify({ apiVersion: 'v1', kind: 'Pod' }))])).toThrow(
      'nothing of aad-pod-identity',
    );
    expect(() => readFiles([file(stringify({ kind: 'Pod' }))])).toThrow(
      expect.objectContaining({
        remedy: expect.stringMatching(/azureassignedidentity.*deployments,.*cronjobs,jobs,.*pods,/) as string,
      }),
    );
    expect(() => readFiles([path.join(folder, 'none.yaml')])).toThrow('cannot be read');
    await expect(run()).rejects.toThrow('Nothing is named to migrate.');
    await expect(run('--files', 'a', '--stack', 's')).rejects.toThrow('are both given');
  });
});
