import { writeFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { migrateCommand } from '../../../cli/migrate/command';
import { listCommand, readFiles, type LegacyObject } from '../../../cli/migrate/objects';
import {
  id,
  metadata,
  identity,
  binding,
  deployment,
  assigned,
  shop,
  planMigration,
  planEnd,
  owned,
} from './migrate.fixture';

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

  it('is a workload whose identity the controller has assigned, in its namespace or in default', () => {
    const found = ['shop', 'default'].map((namespace) =>
      planEnd([...shop, { ...assigned('web'), metadata: metadata('web-0', namespace) }]),
    );

    expect(found.map(({ candidates }) => candidates.length)).toEqual([1, 1]);
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
      { kind: 'Job', metadata: metadata('x') },
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
      'an identity without a client id',
      [identity('web', { clientID: undefined }), binding('web'), deployment('web')],
      'has no client id in AzureIdentity shop/web',
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
      'an identity that another namespace says is assigned here',
      [
        ...[identity('hers'), binding('hers'), deployment('hers')],
        { ...assigned('hers'), metadata: metadata('hers-0', 'other') },
      ],
      'who owns the identity?',
    ],
    [
      'an identity that two namespaces name',
      [...shop, identity('mine', { resourceID: id('web').toUpperCase() }, 'other')],
      'which AzureIdentity other/mine names as well: who owns the identity?',
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
      'what a ReplicaSet makes that the files do not have',
      [
        ...shop.slice(0, 2),
        {
          ...{ kind: 'Pod', spec: { serviceAccountName: 'web' } },
          metadata: {
            ...{ ...metadata('web-1'), labels: { aadpodidbinding: 'web' } },
            ...owned('apps/v1', 'ReplicaSet', 'web'),
          },
        },
      ],
      'is made by ReplicaSet web, which was not read',
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
    expect(listCommand).toMatch(/azureassignedidentity,.*deployments,.*cronjobs,jobs,.*pods,/);
    expect(() => readFiles([path.join(folder, 'none.yaml')])).toThrow('cannot be read');
    await expect(run()).rejects.toThrow('Nothing is named to migrate.');
    await expect(run('--files', 'a', '--stack', 's')).rejects.toThrow('are both given');
  });
});
