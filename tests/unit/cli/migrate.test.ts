import { writeFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { migrateCommand } from '../../../cli/migrate/command';
import { listCommand, readFiles, type LegacyObject } from '../../../cli/migrate/objects';
import { reviewed } from '../support/reviewed';
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

const shows = reviewed(__filename);

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

  /** A pod that another object makes. */
  const ownedPod = (name: string, ...owner: Parameters<typeof owned>): LegacyObject => ({
    ...{ kind: 'Pod', spec: { serviceAccountName: 'web' } },
    metadata: { ...metadata(name), labels: { aadpodidbinding: 'web' }, ...owned(...owner) },
  });
  const [hers, api] = [
    [identity('hers'), binding('hers'), deployment('hers')],
    [identity('api'), binding('api')],
  ];
  const withIdentity = (spec: object) => [identity('web', spec), binding('web'), deployment('web')];
  const withDeployment = (...objects: LegacyObject[]) => [...shop.slice(0, 2), ...objects];

  for (const [what, objects] of Object.entries<readonly LegacyObject[]>({
    'a password': withIdentity({ type: 1 }),
    'a certificate': withIdentity({ type: 2 }),
    'an invalid id': withIdentity({ resourceID: '/subscriptions/s; id' }),
    'an id with a command in it': withIdentity({ resourceID: id('$(id)') }),
    'an identity without a client id': withIdentity({ clientID: undefined }),
    Windows: withDeployment(deployment('web', { nodeSelector: { 'kubernetes.io/os': 'windows' } })),
    'the default account': withDeployment(deployment('web', { serviceAccountName: 'default' })),
    'another namespace': [identity('web', {}, 'other'), binding('web', 'other'), deployment('web')],
    'no binding': [deployment('web')],
    'no identity': [binding('web'), deployment('web')],
    'several identities': [...shop, identity('api'), binding('api', 'shop', 'web')],
    'a shared service account': [...shop, ...api, deployment('api', { serviceAccountName: 'web' })],
    'an identity that is not assigned': [...hers, assigned('hers', 'shop', 'Created')],
    'an identity that is assigned in another namespace': [...hers, assigned('hers', 'other')],
    'an identity that another namespace says is assigned here': [
      ...hers,
      { ...assigned('hers'), metadata: metadata('hers-0', 'other') },
    ],
    'an identity that two namespaces name': [
      ...shop,
      identity('mine', { resourceID: id('web').toUpperCase() }, 'other'),
    ],
    'what an operator makes': withDeployment({
      ...deployment('web'),
      metadata: { ...metadata('web'), ...owned('x/v1', 'Shop', 'one') },
    }),
    'what a ReplicaSet makes that the files do not have': withDeployment(
      ownedPod('web-1', 'apps/v1', 'ReplicaSet', 'web'),
    ),
    'what a rollout makes, once': withDeployment(
      ownedPod('web-1', 'argoproj.io/v1alpha1', 'Rollout', 'web'),
      ownedPod('web-2', 'argoproj.io/v1alpha1', 'Rollout', 'web'),
    ),
  }))
    shows(`cannot be migrated: ${what}`, () => {
      const { candidates, obstacles } = planMigration(objects);
      expect(candidates).toEqual([]);
      return obstacles.map(({ what: whose, problem, hint }) => `${whose} ${problem} → ${hint}`);
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
    expect(() => readFiles([file('a: [')])).toThrow('is not valid YAML');
    expect(() => readFiles([file(stringify({ apiVersion: 'v1', kind: 'Pod' }))])).toThrow(
      'there are no objects of aad-pod-identity',
    );
    expect(listCommand).toMatch(/azureassignedidentity,.*deployments,.*cronjobs,jobs,.*pods,/);
    expect(() => readFiles([path.join(folder, 'none.yaml')])).toThrow('cannot be read');
    await expect(run()).rejects.toThrow('No cluster and no files are named.');
    await expect(run('--files', 'a', '--stack', 's')).rejects.toThrow('exclude each other');
  });
});
