import { writeFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse, stringify } from 'yaml';
import { migrateCommand } from '../../../cli/migrate/command';
import { readFiles, type LegacyObject } from '../../../cli/migrate/objects';
import { planMigration } from '../../../cli/migrate/plan';
import { nextSteps, renderMigration } from '../../../cli/migrate/report';
import { reviewFiles } from '../../../cli/migrate/review';
import { progressOf } from '../../../cli/migrate/steps';

const api = 'aadpodidentity.k8s.io/v1';
const id = (name: string) =>
  `/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
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
const shop = [identity('web'), binding('web'), deployment('web')];
const place = { cluster: 'aks-1', issuer: 'https://issuer/', tenantId: 'tenant' };
const unknown = { prepared: undefined, switched: undefined, verified: undefined };

describe('what aks-wi migrate finds', () => {
  it('is each workload with its identity and its service account', () => {
    expect(planMigration(shop)).toMatchObject({
      candidates: [
        {
          ...{ kind: 'Deployment', namespace: 'shop', name: 'web', serviceAccount: 'web' },
          identity: { name: 'web', resourceId: id('web'), clientId: 'client-of-web' },
        },
      ],
      ...{ obstacles: [], unused: [], isInstalled: false },
    });
  });

  it('is a cron job and a pod of its own, and not what another object makes', () => {
    const { spec } = deployment('web');
    const owned = { ...metadata('web-1'), labels: { aadpodidbinding: 'web' } };
    const objects: LegacyObject[] = [
      ...shop.slice(0, 2),
      {
        kind: 'CronJob',
        metadata: metadata('job'),
        spec: { jobTemplate: { spec: { template: spec?.template ?? {} } } },
      },
      { kind: 'Pod', metadata: { ...owned, name: 'alone' }, spec: { serviceAccountName: 'web' } },
      {
        kind: 'Pod',
        metadata: { ...owned, ownerReferences: [{ apiVersion: 'v1', kind: 'Job', name: 'x', uid: 'x' }] },
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
  ])('cannot be migrated: %s', (_what, objects, problem) => {
    const { candidates, obstacles } = planMigration(objects);

    expect(candidates).toEqual([]);
    expect(obstacles[0]?.problem).toContain(problem);
    expect(obstacles[0]?.remedy).toMatch(/\.$|\)\.$/);
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
    ...{ kind: 'Pod', metadata: metadata('web-1') },
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
    [labelled, [account, pod(true, 'True')], [trust], [true, true, true]],
    [labelled, [account, pod(true, 'True'), pod(false, 'True')], [trust], [true, false, false]],
    [candidate, [account], undefined, [undefined, undefined, undefined]],
  ])('is seen in the cluster and in Azure: %#', (one, objects, credentials, expected) => {
    const { prepared, switched, verified } = progressOf(one, objects, 'https://issuer/', credentials);

    expect([prepared, switched, verified]).toEqual(expected);
  });

  it('says what comes next, to the end', () => {
    const migration = planMigration(shop);
    const next = (progress: Parameters<typeof nextSteps>[1][number]['progress'], application?: string) =>
      nextSteps(migration, [{ candidate, progress, application }]).join(' ');
    const [no, yes] = [false, true];

    expect(next({ prepared: no, switched: no, verified: no })).toContain('Step 1, both ways side by side');
    expect(next({ prepared: no, switched: no, verified: no }, 'web')).toContain('`signIn: both` of web');
    expect(next({ prepared: yes, switched: no, verified: no })).toContain('Step 2, switch');
    expect(next({ prepared: yes, switched: yes, verified: no })).toContain('Step 3, verify');
    expect(next({ prepared: yes, switched: yes, verified: yes })).toContain('take the label aadpodidbinding');
    expect(next({ prepared: yes, switched: yes, verified: yes }, 'web')).toContain(
      '`signIn: workloadIdentity`',
    );
    const mic: LegacyObject = {
      ...{
        kind: 'Deployment',
        metadata: { ...metadata('mic'), labels: { 'app.kubernetes.io/component': 'mic' } },
      },
    };
    expect(nextSteps(planMigration([mic]), []).join(' ')).toContain('remove `podIdentity` of the cluster');
    expect(nextSteps(planMigration(shop.slice(0, 2)), [])).toEqual([
      'Step 4, remove: first what is named above.',
    ]);
    expect(nextSteps(planMigration([]), []).join(' ')).toMatch(/^Done: .*kubectl delete crd/);
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
      /--identity-name web --resource-group rg --subscription s .*\n.*--issuer https:\/\/issuer\/ .*\n.*--subject system:serviceaccount:shop:web --audiences api:\/\/AzureADTokenExchange/,
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

  it('has an application for a Deployment, with what exists', () => {
    expect(parse(files.get('applications.yaml') ?? '')).toEqual({
      'aks-workload-identity:applications': [
        {
          ...{ name: 'web', clusters: ['aks-1'], image: 'ghcr.io/x/shop:1.0.0', replicas: 2 },
          env: { A: 'b' },
          identity: { existing: { 'aks-1': id('web') } },
          namespace: { name: 'shop', existing: true },
          serviceAccount: { name: 'web', existing: true },
          secrets: [],
        },
      ],
    });
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
    expect(() => readFiles([path.join(folder, 'none.yaml')])).toThrow('cannot be read');
    await expect(run()).rejects.toThrow('Nothing is named to migrate.');
    await expect(run('--files', 'a', '--stack', 's')).rejects.toThrow('are both given');
  });
});
