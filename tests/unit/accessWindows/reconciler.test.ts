import { describeOnDemand, readOnDemand } from '../../../components/accessWindows/onDemand';
import type { WindowedGrant } from '../../../components/accessWindows/schedule';
import type { Assignment, Assignments } from '../../../reconciler/accessWindows/reconcile';
import { Reconciler } from '../../../reconciler/accessWindows/reconciler';
import { parseSchedule } from '../../../reconciler/accessWindows/schedule';

const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/warehouse';
const business = { days: ['Monday'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' };
const role = '4633458b-17de-408a-b874-0445c86b69e6';
const reports: WindowedGrant = {
  ...{ scope, role },
  principalId: 'reports',
  reader: 'aks-1/reports',
  windows: [business],
};
const payments: WindowedGrant = {
  ...{ scope: `${scope}-key`, role, principalId: 'payments', reader: 'aks-1/payments' },
  ...{ windows: [], onDemand: '1h' },
};

/** Azure's assignments, by scope, role and identity. A test changes them as people do. */
class Cloud implements Assignments {
  readonly all = new Map<string, Assignment>();
  readonly failing = new Set<string>();
  /** What happens while it removes. */
  onDelete: () => void = () => undefined;

  assign(at: string, principalId: string, description?: string, of = role): void {
    const id = `${at}|${of}|${principalId}`;
    this.all.set(id, { id, principalId, description });
  }

  list(at: string, of: string): Promise<readonly Assignment[]> {
    if (this.failing.has(at)) return Promise.reject(new Error('429 at the list'));
    const found = [...this.all.values()].filter(({ id }) => id.startsWith(`${at}|${of}|`));
    return Promise.resolve(found);
  }

  create(at: string, of: string, principalId: string): Promise<void> {
    this.assign(at, principalId, 'access window', of);
    return Promise.resolve();
  }

  delete(id: string): Promise<void> {
    this.all.delete(id);
    this.onDelete();
    return Promise.resolve();
  }

  get open(): string[] {
    return [...this.all.values()].map(({ principalId }) => principalId).sort();
  }
}

function setting(grants: readonly WindowedGrant[] = [reports, payments], cloud = new Cloud()) {
  const log: Readonly<Record<string, string>>[] = [];
  const state = {
    cloud,
    log,
    now: '2026-11-30T12:00:00Z',
    text: JSON.stringify({ resourceManager: 'https://management.azure.com', grants }),
  };
  const reconciler = new Reconciler({
    read: () => Promise.resolve(state.text),
    assignmentsAt: () => cloud,
    now: () => Date.parse(state.now),
    log: (event) => log.push(event),
  });
  /** Runs at the time. Its events begin empty. */
  const runAt = async (now: string) => {
    state.now = now;
    log.length = 0;
    return reconciler.run();
  };
  return Object.assign(state, { reconciler, runAt, events: () => log.map(({ event }) => event) });
}

// Monday is 2026-11-30: the window is from 23:00 to 24:00 on Sunday in UTC.
const inWindow = '2026-11-29T23:30:00Z';
const after = '2026-11-30T00:00:00Z';

describe('a reconciler', () => {
  it('opens ten minutes before the window, closes at its end, and says both once', async () => {
    const { runAt, cloud, log } = setting();

    await runAt('2026-11-29T22:49:00Z');
    expect([cloud.open, log]).toEqual([[], []]);
    await runAt('2026-11-29T22:50:00Z');
    expect(cloud.open).toEqual(['reports']);
    expect(log).toEqual([
      { event: 'opened', scope, role, reader: 'aks-1/reports', principalId: 'reports', reason: 'its window' },
    ]);
    await runAt(inWindow);
    expect([cloud.open, log]).toEqual([['reports'], []]);
    await runAt(after);
    expect(cloud.open).toEqual([]);
    expect(log).toEqual([
      { event: 'closed', scope, role, reader: 'aks-1/reports', principalId: 'reports', was: 'access window' },
    ]);
  });

  it('distinguishes two roles of one reader on one scope', async () => {
    const other = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe';
    const { runAt, cloud, log } = setting([reports, { ...reports, role: other, windows: [] }]);
    cloud.assign(scope, 'reports', 'by hand', other);
    await runAt(inWindow);
    expect(cloud.all.size).toBe(1);
    expect(log.map(({ event, role: of }) => [event, of])).toEqual([
      ['closed', other],
      ['opened', role],
    ]);
    await runAt(inWindow);
    expect([cloud.all.size, log]).toEqual([1, []]);
  });

  it('repairs what runs missed: an opening, and a closing that is days ago', async () => {
    const { runAt, cloud } = setting();
    await runAt(inWindow);
    expect(cloud.open).toEqual(['reports']);
    await runAt('2026-12-03T12:00:00Z');
    expect(cloud.open).toEqual([]);
  });

  it('repairs what people changed, both ways, and leaves other assignments', async () => {
    const { runAt, cloud, events } = setting();
    await runAt(inWindow);
    cloud.all.clear();
    cloud.assign(scope, 'somebody', 'by hand');
    await runAt(inWindow);
    expect([cloud.open, events()]).toEqual([['reports', 'somebody'], ['opened']]);
    await runAt(after);
    cloud.assign(scope, 'reports', 'by hand');
    await runAt(after);
    expect([cloud.open, events()]).toEqual([['somebody'], ['closed']]);
  });

  it('closes before it opens', async () => {
    const { runAt, cloud, log } = setting([reports, payments]);
    cloud.assign(payments.scope, 'payments', 'by hand');
    await runAt(inWindow);
    expect(log.map(({ event, reader }) => `${event} ${reader}`)).toEqual([
      'closed aks-1/payments',
      'opened aks-1/reports',
    ]);
  });

  it('opens nothing whose end comes while it closes others', async () => {
    const all = setting();
    all.cloud.assign(payments.scope, 'payments', 'by hand');
    all.cloud.onDelete = () => (all.now = after);
    await all.runAt('2026-11-29T23:59:59Z');
    expect([all.cloud.open, all.events()]).toEqual([[], ['closed']]);
  });

  it('is not disturbed by another one', async () => {
    const one = setting();
    const other = setting(undefined, one.cloud);
    await Promise.all([one.runAt(inWindow), other.runAt(inWindow)]);
    expect(one.cloud.open).toEqual(['reports']);
    expect(await Promise.all([one.runAt(after), other.runAt(after)])).toEqual([true, true]);
    expect(one.cloud.open).toEqual([]);
  });

  it('continues after an error, reports it, and repairs it in the next run', async () => {
    const { runAt, cloud, log } = setting([payments, reports]);
    cloud.failing.add(payments.scope);
    cloud.assign(payments.scope, 'payments', 'by hand');
    expect(await runAt(inWindow)).toBe(false);
    expect(cloud.open).toEqual(['payments', 'reports']);
    expect(log).toContainEqual({
      ...{ event: 'failed', scope: payments.scope, reader: 'aks-1/payments', reason: '429 at the list' },
    });
    cloud.failing.clear();
    expect(await runAt(inWindow)).toBe(true);
    expect(cloud.open).toEqual(['reports']);
  });
});

describe('access on demand', () => {
  const until = (time: string) => describeOnDemand({ until: new Date(time), reason: 'incident 42' });

  it('stays open until its end', async () => {
    const { runAt, cloud } = setting();
    cloud.assign(payments.scope, 'payments', until('2026-11-30T12:30:00Z'));
    await runAt('2026-11-30T12:29:59Z');
    expect(cloud.open).toEqual(['payments']);
    await runAt('2026-11-30T12:30:00Z');
    expect(cloud.open).toEqual([]);
  });

  it.each([
    ['longer than the limit and what clocks may differ', until('2026-11-30T13:05:01Z')],
    ['without a reason', 'until 2026-11-30T12:30:00Z; '],
    ['of another form', 'until 2026-11-30 12:30; incident 42'],
    ['at an impossible time', 'until 2026-11-30T12:60:00Z; incident 42'],
    ['on an impossible day', 'until 2026-11-31T12:30:00Z; incident 42', '2026-12-01T12:00:00Z'],
    ['without a description', undefined],
  ])('is closed: %s', async (_, description, at = '2026-11-30T12:00:00Z') => {
    const { runAt, cloud, events } = setting();
    cloud.assign(payments.scope, 'payments', description);
    await runAt(at);
    expect([cloud.open, events()]).toEqual([[], ['closed']]);
  });

  it('stays open for the whole limit, also if the clock that opened it is ahead', async () => {
    const { runAt, cloud } = setting();
    cloud.assign(payments.scope, 'payments', until('2026-11-30T13:05:00Z'));
    await runAt('2026-11-30T12:00:00Z');
    expect(cloud.open).toEqual(['payments']);
  });

  it('is closed where the schedule does not allow it', async () => {
    const { runAt, cloud } = setting();
    cloud.assign(scope, 'reports', until('2026-11-30T12:30:00Z'));
    await runAt('2026-11-30T12:00:00Z');
    expect(cloud.open).toEqual([]);
  });

  it('has one form', () => {
    const grant = { until: new Date('2026-11-30T12:30:00Z'), reason: 'incident 42; see chat' };
    expect(describeOnDemand(grant)).toBe('until 2026-11-30T12:30:00Z; incident 42; see chat');
    expect(readOnDemand(describeOnDemand(grant))).toEqual(grant);
  });
});

describe('a reconciler that cannot trust', () => {
  it('a clock closes everything, also what is open on demand', async () => {
    const { runAt, cloud, log } = setting();
    cloud.assign(scope, 'reports', 'access window');
    cloud.assign(payments.scope, 'payments', 'until 2020-01-05T23:45:00Z; incident 42');
    // A Monday in Berlin, in its window.
    expect(await runAt('2020-01-05T23:30:00Z')).toBe(false);
    expect(cloud.open).toEqual([]);
    expect(log[0]).toEqual({
      event: 'failed',
      reason: 'the clock shows 2020-01-05T23:30:00.000Z: everything is closed',
    });
  });

  it.each(['', 'null', '{"grants":[]}', '{"resourceManager":"https://x","grants":[{}]}'])(
    'a schedule closes everything of the last one: %j',
    async (text) => {
      const all = setting();
      await all.runAt(inWindow);
      expect(all.cloud.open).toEqual(['reports']);
      all.text = text;
      expect(await all.runAt(inWindow)).toBe(false);
      expect([all.cloud.open, all.events()]).toEqual([[], ['failed', 'closed']]);
    },
  );

  it('is ready only after a run without an error', async () => {
    const all = setting();
    all.cloud.failing.add(payments.scope);
    await all.runAt(inWindow);
    expect(all.reconciler.ready()).toBe(false);
    all.cloud.failing.clear();
    await all.runAt(inWindow);
    expect(all.reconciler.ready()).toBe(true);
    all.cloud.failing.add(payments.scope);
    await all.runAt(inWindow);
    expect(all.reconciler.ready()).toBe(false);
  });

  it('is not ready before it had a schedule', async () => {
    const all = setting();
    const { text } = all;
    all.text = '';
    await all.runAt(inWindow);
    expect([all.reconciler.ready(), all.reconciler.ranWithin(1000)]).toEqual([false, true]);
    all.text = text;
    await all.runAt(inWindow);
    expect(all.reconciler.ready()).toBe(true);
    all.now = after;
    expect(all.reconciler.ranWithin(300_000)).toBe(false);
  });

  it.each<[string, object]>([
    ['an unknown field', { ...business, until: '02:00' }],
    ['an unknown day', { ...business, days: ['monday'] }],
    ['an unknown time zone', { ...business, timeZone: 'Europe/Berlln' }],
    ['no time zone', { ...business, timeZone: undefined }],
    ['another time', { ...business, to: '25:00' }],
    ['another date', { ...business, validUntil: '2026-02-30' }],
  ])('one window closes its grant, and opens the others: %s', async (_, window) => {
    const broken = { ...payments, windows: [window as typeof business] };
    const { runAt, cloud, log } = setting([broken, reports]);
    cloud.assign(broken.scope, 'payments', 'access window');
    expect(await runAt(inWindow)).toBe(false);
    expect(cloud.open).toEqual(['reports']);
    expect(log[0]?.reason).toBe(
      `the windows of aks-1/payments on ${broken.scope} cannot be read, so it is closed`,
    );
  });

  it('reads what it is to', () => {
    const text = JSON.stringify({ resourceManager: 'https://x', grants: [reports, payments] });
    expect(parseSchedule(text)).toMatchObject({ grants: [reports, payments], closed: [] });
  });
});
