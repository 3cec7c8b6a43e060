import { stripVTControlCharacters } from 'node:util';
import type { LegacyObject } from '../../../cli/migrate/objects';
import { planMigration as planOf } from '../../../cli/migrate/plan';
import { isDone, nextSteps, renderMigration } from '../../../cli/migrate/report';
import { compareIdentities } from '../../../cli/migrate/identities';
import { progressOf } from '../../../cli/migrate/steps';
import {
  metadata,
  identity,
  binding,
  deployment,
  assigned,
  shop,
  planMigration,
  planEnd,
  owned,
  unknown,
} from './migrate.fixture';

describe('what is left of aad-pod-identity', () => {
  it('is a binding while a pod has its label, whatever creates the pod', () => {
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

  it('is a binding whose selector only another namespace has', () => {
    expect(planMigration([...shop, binding('web', 'other')]).unused).toEqual([
      'AzureIdentityBinding other/web',
    ]);
  });

  it('is an identity that the controller has not yet removed from the nodes', () => {
    const migration = planEnd([assigned('web')]);

    expect(isDone(migration)).toBe(false);
    expect(nextSteps(migration, [])).toEqual([
      expect.stringContaining('Wait: the controller is removing identities from the nodes (1 '),
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
  ])('is the installation, by %s', (_by, part, hint) => {
    const migration = planEnd([{ apiVersion: 'apps/v1', kind: 'DaemonSet', ...part }]);

    expect(isDone(migration)).toBe(false);
    expect(nextSteps(migration, []).join()).toContain(hint);
  });

  it('is unknown for files without workloads, and the plan names them', () => {
    const migration = planOf([identity('web'), binding('web')], { isComplete: false });
    const { unused, unchecked } = migration;

    expect(unused).toEqual([]);
    expect(isDone(migration)).toBe(false);
    expect(nextSteps(migration, [])).toEqual([
      expect.stringMatching(/^Nothing was found, but the points above were not checked: .*kubectl get/),
    ]);
    expect(unchecked.join()).toMatch(
      /kubectl get .*statefulsets.*no AzureAssignedIdentity, .*Azure was not read/,
    );
    const files = planOf([...shop, assigned('web', 'shop', 'Created')], { isComplete: false });
    expect(files.obstacles[0]?.problem).toContain('who owns the identity?');
    expect(files.unchecked.join()).toMatch(/^Azure was not read/);
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

  it('are those of the objects, and one that cannot be read is reported for its workload only', async () => {
    expect(await compare((workload) => Promise.resolve(found(nameIn(workload), 19)))).toEqual({
      ...{ names: ['web', 'api'], obstacles: [] },
    });
    for (const [answer, problem] of [
      [() => Promise.resolve({ ...found('web'), clientId: 'another' }), 'but '],
      [() => Promise.resolve(undefined), 'which does not exist in Azure'],
      [() => Promise.reject(new Error('no answer')), 'cannot be read: no answer'],
    ] as const)
      expect(
        await compare((workload) => (nameIn(workload) === 'web' ? answer() : Promise.resolve(found('api')))),
      ).toMatchObject({
        names: ['api'],
        obstacles: [{ what: 'Deployment shop/web', problem: expect.stringContaining(problem) as string }],
      });
  });

  it('need a role only where Azure refuses to show them', async () => {
    const hintFor = async (message: string) =>
      (await compare(() => Promise.reject(new Error(message)))).obstacles[0]?.hint;

    expect(await hintFor('Azure answered 403 AuthorizationFailed to GET /x.')).toContain('role Reader');
    expect(await hintFor('Azure answered 429 TooManyRequests to GET /403.')).toBe('Run the command again.');
  });

  it('are read once each, however many workloads have them', async () => {
    const [first] = candidates;
    if (first === undefined) throw new Error('no candidate');
    const { resourceId } = first.identity;
    const same = { ...first, identity: { ...first.identity, resourceId: resourceId.toUpperCase() } };
    const read = jest.fn(() => Promise.resolve(found('web')));
    const { credentials } = await compareIdentities([first, same], 'https://issuer/', read);

    expect([credentials.size, read.mock.calls]).toEqual([2, [[resourceId]]]);
  });

  it('hold at most 20 credentials; for a workload with more, no trust is created', async () => {
    const { names, obstacles } = await compare((workload) => Promise.resolve(found(nameIn(workload), 20)));

    expect(names).toEqual([]);
    expect(obstacles.map(({ what, problem }) => `${what} ${problem}`)).toEqual([
      expect.stringContaining(
        'AzureIdentity web would have 21 federated credentials with those of Deployment shop/web;',
      ),
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
      containers: [{ name: 'web', env: token ? [{ name: 'AZURE_FEDERATED_TOKEN_FILE' }] : [] }],
    },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });
  const labelled = planMigration([
    ...shop.slice(0, 2),
    deployment('web', {}, { 'azure.workload.identity/use': 'true' }),
  ]).candidates[0];
  if (labelled === undefined) throw new Error('no candidate');

  const { clientId } = candidate.identity;
  const capitals = { ...candidate, identity: { ...candidate.identity, clientId: clientId.toUpperCase() } };

  it.each([
    [candidate, [account], [trust], [true, false, false]],
    [capitals, [account], [trust], [true, false, false]],
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
  ])('is seen in the cluster and in Azure: %#', (migrated, objects, credentials, expected) => {
    const { prepared, switched, ready } = progressOf(migrated, objects, 'https://issuer/', credentials);

    expect([prepared, switched, ready]).toEqual(expected);
  });

  it('says what comes next, to the end', () => {
    const migration = planMigration(shop);
    const next = (progress: Parameters<typeof nextSteps>[1][number]['progress'], application?: string) =>
      nextSteps(migration, [{ candidate, progress, application }]).join(' ');
    const [no, yes] = [false, true];

    expect(next({ prepared: no, switched: no, ready: no })).toMatch(
      /^Find out who owns each identity before .* Step 1, both ways side by side: for Deployment shop\/web/,
    );
    expect(next({ prepared: no, switched: no, ready: no }, 'web')).toMatch(
      /^Step 1 and 2: .*`signIn: both` of web/,
    );
    expect(next({ prepared: yes, switched: no, ready: no })).toContain('Step 2, switch');
    expect(next({ prepared: yes, switched: yes, ready: no })).toContain('Step 3: wait until');
    expect(next({ prepared: yes, switched: yes, ready: yes })).toContain('remove the label aadpodidbinding');
    expect(next({ prepared: yes, switched: yes, ready: yes }, 'web')).toContain('`signIn: workloadIdentity`');
    const mic: LegacyObject = {
      ...{
        kind: 'Deployment',
        metadata: { ...metadata('mic'), labels: { 'app.kubernetes.io/component': 'mic' } },
      },
    };
    expect(nextSteps(planEnd([mic]), []).join(' ')).toContain('remove `podIdentity` of the cluster');
    expect(nextSteps(planEnd(shop.slice(0, 2)), [])).toEqual([
      'Step 4, remove: first resolve the points above.',
    ]);
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
      expect.stringContaining('Step 2, switch: add labels.yaml to StatefulSet shop/statefulset at'),
      expect.stringContaining('recreate Job shop/job with'),
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
