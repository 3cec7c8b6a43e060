import * as pulumi from '@pulumi/pulumi';
import { renderSummary } from '../../../cli/validate/summary';
import { parseSchedule } from '../../../reconciler/accessWindows/schedule';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { guidOf } from '../components/support/azure';
import { valueOf } from '../components/support/recorder';
import type { Deployment } from './deployed';
import { deploy } from './deployed';
import type { Input } from './settings';
import { application, configurationOf, validInput } from './settings';

// What mocks do not prove: that Azure honours the condition, and that the program runs; tests/e2e/accessWindows.test.ts does.

const berlin = { from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' };
const scheduled = { secrets: ['warehouse'], days: ['Monday'], ...berlin };

function withWindows(windows: unknown[], more: Input = {}, stack: Input = {}) {
  const reports = application('reports', {
    ...{ identity: 'application', secrets: ['reports-db'], accessWindows: windows },
    ...more,
  });
  return validInput({ applications: [reports], secretValues: {}, ...stack });
}

describe('the settings of access windows', () => {
  it('may repeat themselves, which is planned once', () => {
    const { plan } = configurationOf(withWindows([scheduled, scheduled, { ...scheduled, to: '02:00' }]));
    const [reports] = plan.clusters.flatMap(({ workloads }) => workloads);
    expect(reports?.windows).toMatchObject([{ windows: [{ to: '01:00' }, { to: '02:00' }] }]);
  });

  it('are shown with the identity', () => {
    const summary = renderSummary(summarizeConfiguration(configurationOf(withWindows([scheduled]))));
    expect(summary).toContain('reads kv-test/reports-db, and in access windows kv-test/warehouse');
    expect(summary).toContain(
      'id-test-aks-1-windows trusts access-windows/access-windows on aks-1; reads nothing, and may assign in access windows kv-test/warehouse',
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
  let whole: Deployment;
  beforeAll(async () => {
    whole = await deploy(input);
  });

  it('assigns the application nothing that it reads in windows, and writes these secrets like others', () => {
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

  it('names for the audit who opens and closes, which is no application in Entra', async () => {
    const name = 'id-test-aks-1-windows';
    const found = (await valueOf(whole.result.identities)) as { name: string }[];
    const reconciler = found.find((identity) => identity.name === name);
    expect(reconciler).toMatchObject({ principalId: guidOf(`principal-${name}`) });
    expect(reconciler).not.toHaveProperty('clientId');
  });

  it('outputs for the verification when the secrets are open', async () => {
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
    const whole = await deploy(withWindows([scheduled, ...onDemand], {}, { revoked }));
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
    'moves its reconciler to another cluster if one is revoked and the stack file names %s',
    async (_, accessWindows) => {
      const revoked = { applications: {}, clusters: { 'aks-1': 'stolen' }, identities: {} };
      const input = withWindows([scheduled], {}, { revoked, ...(accessWindows && { accessWindows }) });
      const whole = await deploy(input);
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
    const whole = await deploy(withWindows([scheduled], {}, { revoked }));
    expect(whole.names('kubernetes:core/v1:ConfigMap')).toEqual([]);
    expect(whole.result.reconcilers).toBeUndefined();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('nothing closes open access windows. Ten minutes after this update, ')],
    ]);
    warn.mockRestore();
  });
});
