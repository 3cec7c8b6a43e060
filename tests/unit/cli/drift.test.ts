import { stripVTControlCharacters } from 'node:util';
import { authorsOf, lastIn } from '../../../cli/drift/authors';
import { driftedIn } from '../../../cli/drift/drifted';
import { readRefresh } from '../../../cli/drift/refreshed';
import { unansweredIn } from '../../../cli/drift/unanswered';
import { driftInMarkdown } from '../../../cli/drift/markdown';
import { renderDrift, type Drift } from '../../../cli/drift/report';
import { UserError } from '../../../cli/userError';
import { reviewed } from '../support/reviewed';

// What these do not prove: what the engine prints and what Azure logs; tests/e2e/audit.test.ts has both of the local cloud.

const vaultId = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
const urnOf = (type: string, name: string) =>
  `urn:pulumi:dev::p::aks-workload-identity:vault:KeyVault$${type}::${name}`;

/** A step of a refresh as the engine prints it, with a note of a program before it. */
function refreshed(step: {
  op?: string;
  type?: string;
  was?: Record<string, unknown>;
  is?: Record<string, unknown>;
  diff?: Record<string, { inputDiff?: boolean }> | null;
  /** Outputs before and after. */
  outputs?: [Record<string, unknown>, Record<string, unknown>];
}): ReturnType<typeof driftedIn> {
  const { op = 'update', type = 'azure-native:keyvault:Vault', was = {}, is = {}, diff = null } = step;
  const [old, found] = step.outputs ?? [{}, {}];
  const state = (inputs: object, outputs: object) => ({
    ...{ id: vaultId, inputs, outputs, modified: '2027-01-01T00:00:00.123456789Z' },
  });
  const printed = `note\n${JSON.stringify({
    config: {},
    steps: [
      {
        ...{ op, urn: urnOf(type, 'kv'), detailedDiff: diff },
        ...{ oldState: state(was, old), newState: op === 'delete' ? undefined : state(is, found) },
      },
    ],
  })}`;
  return driftedIn(readRefresh(printed));
}
const differencesOf = (step: Parameters<typeof refreshed>[0]) =>
  refreshed(step).flatMap(({ differences }) => differences);
const input = { inputDiff: true };

const shows = reviewed(__filename);

describe('what a refresh finds', () => {
  const digest = 'aks-workload-identity-digest';
  const rewritten = {
    type: 'azure-native:keyvault:Secret',
    was: { tags: { [digest]: 'one', a: '1' } },
    is: { tags: { [digest]: 'two', a: '1' } },
    diff: { [`tags["${digest}"]`]: input },
  };

  it('is not a connection string that was written again', () => {
    expect(refreshed(rewritten)).toEqual([]);
    expect(refreshed({ ...rewritten, diff: { [`tags.${digest}`]: input } })).toEqual([]);
  });

  it('is a connection string that somebody else has written, without a digest, or whose other tags have changed', () => {
    expect(differencesOf({ ...rewritten, is: { tags: { a: '1' } } })).toHaveLength(1);
    const more = { ...rewritten.diff, 'tags.a': input };
    expect(differencesOf({ ...rewritten, is: { tags: { [digest]: 'two' } }, diff: more })).toEqual([
      { path: 'tags.a', was: '1', is: undefined },
    ]);
  });

  const type = 'azure-native:containerservice:ManagedCluster';
  const cluster = (version: string | undefined, channel = 'patch') => ({
    ...(version !== undefined && { kubernetesVersion: version }),
    agentPoolProfiles: [{ orchestratorVersion: version }],
    autoUpgradeProfile: { upgradeChannel: channel },
  });
  const diff = { kubernetesVersion: input, 'agentPoolProfiles[0].orchestratorVersion': input };

  it.each<[string | undefined, string, string]>([
    ['1.35', '1.35.6', 'patch'],
    ['1.35.4', '1.35.6', 'patch'],
    ['1.35', '1.36.1', 'stable'],
  ])('is no upgrade from %s to %s in the channel %s', (was, is, channel) => {
    expect(refreshed({ type, was: cluster(was, channel), is: cluster(is, channel), diff })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['1.35', '1.36.1', 'patch'],
    ['1.35.6', '1.35.4', 'patch'],
    ['1.35.4', '1.35.6', 'none'],
    ['1.35', '1.35.6', 'node-image'],
  ])('is an upgrade by hand from %s to %s in the channel %s', (was, is, channel) => {
    const found = differencesOf({ type, was: cluster(was, channel), is: cluster(is, channel), diff });
    expect(found.map(({ path }) => path)).toEqual(Object.keys(diff));
  });

  it('is a stopped pool, and not the pools of a stopped cluster', () => {
    // The cluster's own state is only an output, and so not among the differences.
    const diff = { 'agentPoolProfiles[0].powerState': input };
    const [running, stopped] = ['Running', 'Stopped'].map((code) => ({ powerState: { code } }));
    for (const outputs of [
      [running, stopped],
      [stopped, running],
      [stopped, stopped],
    ] as [object, object][]) {
      const step = { diff, outputs: outputs as [Record<string, unknown>, Record<string, unknown>] };
      expect(refreshed({ type, ...step })).toEqual([]);
      expect(refreshed({ type: 'azure-native:other:One', ...step })).toHaveLength(1);
    }
    const alone = { 'agentPoolProfiles[1].powerState.code': input };
    expect(differencesOf({ type, diff: alone }).map(({ path }) => path)).toEqual(Object.keys(alone));
  });

  it('names clusters that are stopped and those that do not answer, each once', () => {
    const cluster = (name: string, code: string) => ({
      urn: urnOf(type, name),
      newState: {
        id: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/${name}`,
        outputs: { powerState: { code } },
      },
    });
    const object = (name: string, of: string) => ({
      urn: urnOf('kubernetes:core/v1:Namespace', name),
      provider: `${urnOf('pulumi:providers:kubernetes', `${of}-provider`)}::5c20f1f8-f9c2`,
    });
    const objects = [object('a', 'aks-2'), object('b', 'aks-3'), object('c', 'aks-3'), object('d', 'aks-1')];
    const diagnostics = objects.slice(0, 3).map(({ urn }) => ({
      ...{ urn, severity: 'warning' },
      message: 'warning: configured Kubernetes cluster is unreachable: it is left as it is\n',
    }));
    const steps = [cluster('aks-1', 'Running'), cluster('aks-2', 'Stopped'), ...objects];

    expect(unansweredIn(readRefresh(JSON.stringify({ steps, diagnostics })))).toEqual([
      'The cluster aks-2 is stopped: its contents were not compared. Start it: `az aks start --name aks-2 --resource-group rg --subscription s`.',
      'The cluster aks-3 does not answer: its contents were not compared. After a rotation of its certificates: `pulumi refresh --run-program`.',
    ]);
    expect(unansweredIn(readRefresh(JSON.stringify({ steps: steps.slice(0, 1) })))).toEqual([]);
  });

  it('is no upgrade where the stack set no version, and is another change next to one', () => {
    const old = { outputs: cluster('1.35'), inputs: cluster(undefined) };
    const step = {
      ...{ op: 'update', urn: urnOf(type, 'aks-1') },
      ...{ oldState: old, newState: { outputs: cluster('1.35.6'), inputs: cluster('1.35.6') } },
    };
    const found = (detailedDiff: object) =>
      driftedIn(readRefresh(JSON.stringify({ steps: [{ ...step, detailedDiff }] }))).flatMap((drifted) =>
        drifted.differences.map(({ path }) => path),
      );
    expect(found({ kubernetesVersion: input })).toEqual([]);
    expect(found({ kubernetesVersion: input, 'agentPoolProfiles[0].count': input })).toEqual([
      'agentPoolProfiles[0].count',
    ]);
  });

  it('has for each property that differs the value of the stack and the current one', () => {
    const found = refreshed({
      was: { tags: { a: '1' }, rules: [{ ip: '10.0.0.1' }] },
      is: { tags: { a: '1', 'x.y/"z"': '2' }, rules: [{ ip: '10.0.0.2' }] },
      diff: { 'tags["x.y/\\"z\\""]': input, 'rules[0].ip': input },
    });

    expect(found).toEqual([
      {
        ...{ change: 'changed', type: 'azure-native:keyvault:Vault', name: 'kv', id: vaultId },
        since: new Date('2027-01-01T00:00:00.123Z'),
        differences: [
          { path: 'tags["x.y/\\"z\\""]', was: undefined, is: '2' },
          { path: 'rules[0].ip', was: '10.0.0.1', is: '10.0.0.2' },
        ],
      },
    ]);
  });

  it('has what was deleted, without its properties', () => {
    expect(refreshed({ op: 'delete', was: { a: '1' } })).toMatchObject([
      { change: 'deleted', id: vaultId, differences: [] },
    ]);
  });

  it.each([
    ['a resource that is the same', { op: 'refresh' }],
    ['a resource of which only the reported state is different', { op: 'update', diff: {} }],
  ])('is not %s', (_what, step) => {
    expect(refreshed(step)).toEqual([]);
  });

  const inSecret = 'kubernetes:core/v1:Secret';
  const inVault = 'azure-native:keyvault:Secret';
  it.each<[string, Parameters<typeof refreshed>[0], string]>([
    ['on both sides', { was: { password: '[secret]' }, is: { password: '[secret]' } }, 'password'],
    ['before only', { was: { password: '[secret]' }, is: { password: 'plain' } }, 'password'],
    ['now only', { was: { password: 'plain' }, is: { password: '[secret]' } }, 'password'],
    ['around it', { was: { data: '[secret]' }, is: { data: { key: 'plain' } } }, 'data.key'],
    ['by its type', { was: { data: { key: 'a' } }, is: { data: { key: 'b' } }, type: inSecret }, 'data.key'],
    ['in a vault', { was: { properties: { value: 'plain' } }, type: inVault }, 'properties.value'],
  ])('shows no value that is secret %s', (_where, step, path) => {
    expect(differencesOf({ ...step, diff: { [path]: input } })).toEqual([
      { path, was: '[secret]', is: '[secret]' },
    ]);
  });

  it('shows what else differs in a secret', () => {
    const step = { was: { tags: { a: '1' } }, is: { tags: {} }, type: 'azure-native:keyvault:Secret' };
    expect(differencesOf({ ...step, diff: { 'tags.a': input } })).toEqual([
      { path: 'tags.a', was: '1', is: undefined },
    ]);
  });
});

const event = (time: string, action: string, change: object = {}) => ({
  ...{ eventTimestamp: `2027-01-02T${time}:00Z`, resourceId: vaultId, caller: `by-${time}` },
  ...{ operationName: { value: `Microsoft.KeyVault/vaults/${action}` }, status: { value: 'Succeeded' } },
  properties: { statusCode: 'OK' },
  ...change,
});

describe('who made a change', () => {
  const events = [
    event('09:00', 'write'),
    event('11:00', 'WRITE'),
    event('10:00', 'write'),
    event('12:00', 'write', { status: { value: 'Failed' } }),
    event('13:00', 'write', { status: { value: 'Started' } }),
    event('14:00', 'write', { caller: null }),
    event('15:00', 'delete'),
    event('16:00', 'delete', { properties: { statusCode: 'NoContent' } }),
    { another: 'event' },
  ];

  it('is the last one to write it, if the log has the end of the write', () => {
    expect(lastIn(events, 'changed')).toEqual({ by: 'by-11:00', time: new Date('2027-01-02T11:00:00Z') });
    expect(lastIn(events, 'added')?.by).toBe('by-11:00');
  });

  it('is the last one to delete it', () => {
    expect(lastIn(events, 'deleted')?.by).toBe('by-15:00');
  });

  it('is not known if the log has no such event', () => {
    expect(lastIn([event('09:00', 'write')], 'deleted')).toBeUndefined();
  });

  it('is asked for since the stack itself wrote the resource, less than 90 days ago, and only of Azure', async () => {
    const read = jest.fn((_url: string) => Promise.resolve({ value: [event('09:00', 'write')] }));
    const now = new Date('2027-04-10T00:00:00Z');
    const change = 'changed' as const;
    const authors = await authorsOf(
      { endpoint: 'https://arm', read },
      [
        { id: vaultId, change, since: new Date('2027-04-01T00:00:00Z') },
        { id: vaultId, change, since: new Date('2026-01-01T00:00:00Z') },
        { id: 'orders/orders', change },
        { change: 'added' },
      ],
      now,
      () => undefined,
    );

    expect(authors.map((author) => author?.by)).toEqual(['by-09:00', 'by-09:00', undefined, undefined]);
    const filters = read.mock.calls.map(([url]) => new URL(url).searchParams.get('$filter'));
    expect(filters).toEqual(
      ['2027-04-01T00', '2027-01-10T01'].map(
        (hour) =>
          `eventTimestamp ge '${hour}:00:00.000Z' and eventTimestamp le '${now.toISOString()}' and resourceUri eq '${vaultId}'`,
      ),
    );
  });

  it('is a note if the log may not be read', async () => {
    const read = () => Promise.reject(new UserError('Azure answered 403.', 'Sign in.'));
    const note = jest.fn();

    const asked = [{ id: vaultId, change: 'changed' as const }];
    const authors = await authorsOf({ endpoint: 'https://arm', read }, asked, new Date(), note);

    expect(authors).toEqual([undefined]);
    expect(note.mock.calls).toEqual([
      ['The authors of the changes are unknown: Azure answered 403. Sign in.'],
    ]);
  });
});

const drift: Drift[] = [
  {
    ...{ change: 'changed', type: 'azure-native:keyvault:Vault', name: 'kv', id: vaultId, since: undefined },
    differences: [{ path: 'tags', was: undefined, is: { a: '@all `x`' } }],
    author: { by: 'dana@example.com', time: new Date('2027-01-02T11:00:00.789Z') },
  },
  { change: 'added', on: 'id-aks-1', what: 'trusts somebody', removal: 'az remove' },
];
const report = { stack: 'dev', drift, notes: ['Not listed.'], hint: 'Restore it.' };

describe('the report', () => {
  const none = { stack: 'dev', drift: [], notes: ['Not listed.'] };
  const text = (parts: Parameters<typeof renderDrift>[0]) => stripVTControlCharacters(renderDrift(parts));
  shows('has each change with its author and its hint, and how many there are', () => text(report));
  shows('says that there is none, and what could not be looked at', () => text(none));
  shows('is a comment in which all foreign text is code', () => driftInMarkdown(report));
  shows('is a comment that there is none', () => driftInMarkdown({ ...none, notes: [] }));

  it('is no longer than GitHub takes, and names how many it leaves out', () => {
    const many = Array.from({ length: 3000 }, () => drift[1]).filter((resource) => resource !== undefined);
    const text = driftInMarkdown({ ...report, drift: many });
    expect(text).toContain('3000 added.');
    expect(text.length).toBeLessThan(65_536);
    const shown = text.match(/az remove/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(500);
    expect(text).toContain(`- and ${3000 - shown} more; \`aks-wi drift\` shows all.`);
  });
});
