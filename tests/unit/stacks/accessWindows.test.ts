import * as pulumi from '@pulumi/pulumi';
import { renderSummary } from '../../../cli/validate/summary';
import { parseSchedule } from '../../../reconciler/schedule';
import { validate } from '../../../stacks/checks/configuration';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { formatProblem } from '../../../stacks/settings/problem';
import { guidOf } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { application, problemsOf, validInput } from './settings';

// What mocks do not prove: that Azure honours the condition, and that the program runs; tests/e2e/accessWindows.test.ts does.

const berlin = { from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' };
const scheduled = { secrets: ['warehouse'], days: ['Monday'], ...berlin };

function withWindows(
  windows: unknown[],
  more: Record<string, unknown> = {},
  stack: Record<string, unknown> = {},
) {
  const reports = application('reports', {
    ...{ identity: 'application', secrets: ['reports-db'], accessWindows: windows },
    ...more,
  });
  return validInput({ applications: [reports], secretValues: {}, ...stack });
}

function configurationOf(input: Record<string, unknown>) {
  const validation = validate('test', input);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

const at = (rest: string) => `aks-workload-identity:applications[0].accessWindows${rest}`;

describe('the settings of access windows', () => {
  it.each<[string, unknown, string]>([
    [
      'an unknown time zone',
      { ...scheduled, timeZone: 'Europe/Berlln' },
      '[0].timeZone: "Europe/Berlln" is no time zone. Allowed: a name of the IANA time zone database, such as Europe/Berlin. Did you mean Europe/Berlin?',
    ],
    [
      'no time zone',
      { secrets: ['warehouse'], from: '00:00', to: '01:00' },
      '[0].timeZone: is missing. Allowed: a name of the IANA time zone database, such as Europe/Berlin; or `onDemand` in place of a schedule. Set it.',
    ],
    [
      'a time without the other',
      { ...scheduled, to: undefined },
      '[0].to: is missing, and `from` is there. Allowed: both of them, or neither for whole days. Set it.',
    ],
    [
      'a time that there is not',
      { ...scheduled, to: '24:30' },
      '[0].to: "24:30" is not allowed. Allowed: 00:00 to 24:00, in quotes.',
    ],
    [
      'a date that there is not',
      { ...scheduled, validUntil: '2026-02-30' },
      '[0].validUntil: "2026-02-30" is a date that no calendar has. Correct it.',
    ],
    [
      'a window that never opens',
      { ...scheduled, validFrom: '2026-12-01', validUntil: '2026-12-05' },
      '[0]: Monday 00:00 to 01:00 Europe/Berlin from 2026-12-01 until 2026-12-05 never opens. Correct it: `validUntil` is after `validFrom`, one of the `days` is between them, and the clocks do not skip its times that day.',
    ],
    [
      'a window that is always open',
      { secrets: ['warehouse'], timeZone: 'UTC' },
      '[0]: an object is open at all times. Allowed: windows with `days`, `from` and `to`, `validFrom` or `validUntil`. Limit it, or name the secrets in `secrets` of the application.',
    ],
    [
      'a window from a time to itself',
      { secrets: ['warehouse'], from: '08:00', to: '08:00', timeZone: 'UTC' },
      '[0]: an object is open at all times. Allowed: windows with `days`, `from` and `to`, `validFrom` or `validUntil`. Limit it, or name the secrets in `secrets` of the application.',
    ],
    [
      'a schedule beside onDemand',
      { secrets: ['warehouse'], onDemand: '4h', timeZone: 'UTC' },
      '[0].timeZone: "UTC" has no meaning with `onDemand`, which has no schedule. Make two entries of it, one with `onDemand` and one with the schedule.',
    ],
    [
      'a secret that is read at all times',
      { ...scheduled, secrets: ['Reports-DB'] },
      '[0].secrets[0]: "Reports-DB" is read at all times already; the two differ only in case, and Azure does not tell them apart. Remove the one or the other.',
    ],
  ])('refuse %s', (_, window, problem) => {
    expect(problemsOf(withWindows([window]))).toContain(at(problem));
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'the identity of the cluster',
      { identity: 'cluster' },
      /accessWindows: .*would open for every application .* Set `identity: application`/,
    ],
    [
      'secrets that are delivered',
      { delivery: 'files' },
      /accessWindows: .*its `delivery` is files.* Allowed: delivery: application/,
    ],
    [
      'access policies',
      { vault: { placement: 'perApplication', access: 'accessPolicy' } },
      /accessWindows: .*the vault has access policies.* Allowed: vaults with `access: rbac`/,
    ],
    [
      'a vault with a lock',
      { vault: { placement: 'perApplication', lock: true } },
      /accessWindows: .*kv-test-reports, which has a lock, Azure removes none.* Allowed: vaults without `lock: true`/,
    ],
  ])('refuse %s', (_, more, problem) => {
    expect(problemsOf(withWindows([scheduled], more))).toContainEqual(expect.stringMatching(problem));
  });

  it('refuse the central vault with a lock, and not an own one without', () => {
    const stack = { vault: { name: 'kv-test', lock: true } };
    expect(problemsOf(withWindows([scheduled], {}, stack))).toHaveLength(1);
    const own = { vault: { placement: 'perApplication', lock: false } };
    expect(problemsOf(withWindows([scheduled], own, stack))).toEqual([]);
  });

  it('may say the same twice, which is planned once', () => {
    const { plan } = configurationOf(withWindows([scheduled, scheduled, { ...scheduled, to: '02:00' }]));
    const [reports] = plan.clusters.flatMap(({ workloads }) => workloads);
    expect(reports?.windows).toMatchObject([{ windows: [{ to: '01:00' }, { to: '02:00' }] }]);
  });

  it('refuse more identities than one condition names', () => {
    const on = (count: number) =>
      problemsOf(
        withWindows(
          [scheduled],
          {},
          { clusters: [...Array(count).keys()].map((index) => ({ name: `aks-${index}` })) },
        ),
      ).filter((problem) => problem.includes('condition'));
    expect(on(90)).toEqual([]);
    expect(on(100)).toEqual([
      at(
        ': a list of 1 is for 100 identities with windows on warehouse, whom the condition of one role assignment has no room to name. Allowed: a condition of 8192 characters, here of 8479. Give the application a vault of its own, or split the stack.',
      ),
    ]);
  });

  it('refuse what a group gives at all times', () => {
    const stack = { groups: [{ name: 'readers', secrets: ['warehouse'] }] };
    expect(problemsOf(withWindows([scheduled], { groups: ['readers'] }, stack))).toEqual([
      at(
        '[0].secrets[0]: "warehouse" is read at all times as a member of the group readers already. Remove the one or the other.',
      ),
    ]);
  });

  it('refuse a cluster that there is not, and a reconciler of nothing', () => {
    expect(problemsOf(withWindows([scheduled], {}, { accessWindows: { clusters: ['aks-3'] } }))).toEqual([
      'aks-workload-identity:accessWindows.clusters[0]: "aks-3" is no cluster of this stack. Allowed: aks-1, aks-2. Did you mean aks-1?',
    ]);
    expect(problemsOf(withWindows([], {}, { accessWindows: { clusters: ['aks-1'] } }))).toEqual([
      'aks-workload-identity:accessWindows: an object is for the access windows of applications, and there are none. Remove it, or set `accessWindows` on an application.',
    ]);
  });

  it('refuse an application whose identity has the name of the reconciler', () => {
    const { applications } = withWindows([scheduled]) as { applications: unknown[] };
    const windows = application('windows', { identity: 'application' });
    expect(
      problemsOf(withWindows([scheduled], {}, { applications: [...applications, windows] })),
    ).toContainEqual(
      expect.stringContaining(
        'gives the name "aks-1-windows", which something else in the stack has already',
      ),
    );
  });

  it('are shown with the identity', () => {
    const summary = renderSummary(summarizeConfiguration(configurationOf(withWindows([scheduled]))));
    expect(summary).toContain('reads kv-test/reports-db, and at times kv-test/warehouse');
    expect(summary).toContain(
      'id-test-aks-1-windows trusts access-windows/access-windows on aks-1; reads nothing',
    );
  });
});

const assignment = 'azure-native:authorization:RoleAssignment';
const onDemand = [
  { secrets: ['warehouse', 'payment'], onDemand: '30m' },
  { secrets: ['payment'], onDemand: '4h' },
];

describe('the deployment of access windows', () => {
  const input = withWindows(
    [scheduled, ...onDemand],
    { clusters: ['aks-2'], identityGenerations: [1, 2] },
    { accessWindows: { clusters: ['aks-1', 'aks-2'], image: 'registry.example/node:24' } },
  );
  let whole: Recording<ReturnType<typeof deployed>>;
  beforeAll(async () => {
    whole = await record(() => deployed(configurationOf(input)));
  });

  it('assigns the application nothing of what it reads at times, and writes these secrets as others', () => {
    expect(whole.names(assignment).filter((name) => /reports/.test(name))).toEqual([
      'kv-test/aks-2-reports/reports-db',
      'kv-test/aks-2-reports-g2/reports-db',
    ]);
    expect(configurationOf(input).plan.vaults[0]?.secrets).toEqual(['payment', 'reports-db', 'warehouse']);
  });

  it('lets the reconcilers assign one role to the readers of each secret, every generation of them', () => {
    expect(
      whole
        .names(assignment)
        .filter((name) => name.includes('-windows/'))
        .sort(),
    ).toEqual([
      'aks-1-windows/kv-test/payment',
      'aks-1-windows/kv-test/warehouse',
      'aks-2-windows/kv-test/payment',
      'aks-2-windows/kv-test/warehouse',
    ]);
    const { inputs } = whole.find(assignment, 'aks-1-windows/kv-test/warehouse');
    expect(inputs).toMatchObject({
      principalId: guidOf('principal-id-test-aks-1-windows'),
      scope: expect.stringMatching(/\/vaults\/kv-test\/secrets\/warehouse$/) as string,
      roleDefinitionId: expect.stringMatching(/\/f58310d9-a9f6-439a-9e8d-f62e7b41a168$/) as string,
      conditionVersion: '2.0',
    });
    const readers = ['reports', 'reports-g2'].map((name) => guidOf(`principal-id-test-aks-2-${name}`)).sort();
    const only = (source: string) =>
      `@${source}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {4633458b-17de-408a-b874-0445c86b69e6} AND @${source}[Microsoft.Authorization/roleAssignments:PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'} AND @${source}[Microsoft.Authorization/roleAssignments:PrincipalId] ForAnyOfAnyValues:GuidEquals {${readers.join(', ')}}`;
    expect(inputs.condition).toBe(
      `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})) OR (${only('Request')})) AND ((!(ActionMatches{'Microsoft.Authorization/roleAssignments/delete'})) OR (${only('Resource')}))`,
    );
  });

  it('mounts the program and the schedule, which the program can read', () => {
    const { data } = whole.find('kubernetes:core/v1:ConfigMap', 'aks-2-windows-schedule').inputs as {
      data: Record<string, string>;
    };
    // A ConfigMap has room for 1 MiB.
    expect(data['schedule.json']).not.toMatch(/\s\s/);
    const { closed, grants } = parseSchedule(data['schedule.json'] ?? '');
    expect(closed).toEqual([]);
    const { secrets: _, ...window } = scheduled;
    expect(
      grants.map(({ scope, reader, windows, onDemand: limit }) => ({
        ...{ secret: scope.split('/').at(-1), reader, windows, limit },
      })),
    ).toEqual([
      ...[1, 2].map(() => ({ secret: 'payment', reader: 'aks-2/reports', windows: [], limit: '4h' })),
      ...[1, 2].map(() => ({
        secret: 'warehouse',
        reader: 'aks-2/reports',
        windows: [window],
        limit: '30m',
      })),
    ]);
    const program = whole.find('kubernetes:core/v1:ConfigMap', 'aks-2-windows-program')
      .inputs as typeof data & {
      data: Record<string, string>;
    };
    // A ConfigMap has room for 1 MiB.
    expect(program.data['reconcile.cjs']?.length).toBeGreaterThan(10_000);
    expect(program.data['reconcile.cjs']?.length).toBeLessThan(900_000);
    const { spec } = whole.find('kubernetes:apps/v1:Deployment', 'aks-1-windows-reconciler').inputs as {
      spec: { template: { spec: { containers: unknown[] } } };
    };
    expect(spec.template.spec.containers).toMatchObject([
      {
        image: 'registry.example/node:24',
        command: ['node', '/program/reconcile.cjs', '/schedule/schedule.json'],
      },
    ]);
  });

  it('tells the audit who opens and closes, which is no application in Entra', async () => {
    const name = 'id-test-aks-1-windows';
    const found = (await valueOf(whole.result.identities)) as { name: string }[];
    const reconciler = found.find((one) => one.name === name);
    expect(reconciler).toMatchObject({ principalId: guidOf(`principal-${name}`) });
    expect(reconciler).not.toHaveProperty('clientId');
  });

  it('tells the verification when the secrets are open', async () => {
    const { workloads } = whole.result;
    expect(workloads).toBeDefined();
    expect(await valueOf(workloads)).toMatchObject([
      {
        grants: [{ vault: 'kv-test', secret: 'reports-db' }],
        windows: [
          { secret: 'payment', windows: [], onDemand: '4h' },
          {
            secret: 'warehouse',
            windows: [{ days: ['Monday'], timeZone: 'Europe/Berlin' }],
            onDemand: '30m',
          },
        ],
      },
    ]);
  });
});

describe('an application that is revoked', () => {
  it('stays in the schedule without windows, so that what is open is closed', async () => {
    const revoked = { applications: { reports: 'lost laptop' }, clusters: {}, identities: {} };
    const configuration = configurationOf(withWindows([scheduled, ...onDemand], {}, { revoked }));
    const whole = await record(() => deployed(configuration));
    const { data } = whole.find('kubernetes:core/v1:ConfigMap', 'aks-1-windows-schedule').inputs as {
      data: Record<string, string>;
    };
    const { grants } = parseSchedule(data['schedule.json'] ?? '');
    expect(grants).toHaveLength(4);
    for (const grant of grants) expect(grant).toMatchObject({ windows: [], onDemand: undefined });
  });

  it.each([
    ['none', undefined],
    ['that one', { clusters: ['aks-1'] }],
    ['both', { clusters: ['aks-1', 'aks-2'] }],
  ])(
    'has its reconciler on another cluster if one is revoked and the stack file names %s',
    async (_, accessWindows) => {
      const revoked = { applications: {}, clusters: { 'aks-1': 'stolen' }, identities: {} };
      const input = withWindows([scheduled], {}, { revoked, ...(accessWindows && { accessWindows }) });
      const whole = await record(() => deployed(configurationOf(input)));
      expect(whole.names(assignment).filter((name) => name.includes('-windows/'))).toEqual([
        'aks-2-windows/kv-test/warehouse',
      ]);
      expect(whole.names('kubernetes:apps/v1:Deployment')).toContain('aks-2-windows-reconciler');
      const { reconcilers } = whole.result;
      if (reconcilers === undefined) throw new Error('the outputs have no reconcilers');
      expect(await valueOf(reconcilers)).toMatchObject([{ cluster: 'aks-2', name: 'id-test-aks-2-windows' }]);
    },
  );

  it('has none where all clusters are revoked', async () => {
    const revoked = { applications: {}, clusters: { 'aks-1': 'stolen', 'aks-2': 'stolen' }, identities: {} };
    const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue(undefined);
    const whole = await record(() => deployed(configurationOf(withWindows([scheduled], {}, { revoked }))));
    expect(whole.names('kubernetes:core/v1:ConfigMap')).toEqual([]);
    expect(whole.result.reconcilers).toBeUndefined();
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining(
          'nothing closes access windows that are open. Ten minutes after this update, ',
        ),
      ],
    ]);
    warn.mockRestore();
  });
});
