import { Refused, type Kubernetes } from '../../../reconciler/tokenEvents/kubernetes';
import { redacted } from '../../../reconciler/tokenEvents/requests';
import { TokenEvents } from '../../../reconciler/tokenEvents/tokenEvents';

// What these do not prove: what an API server and a kubelet answer; tests/e2e/podIdentity.test.ts has both.

const start = Date.parse('2026-11-25T16:30:00Z');
const minute = 60_000;
const clientID = '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaa1';
const vault = 'https://vault.azure.net';

const metadata = (namespace: string, name: string) => ({
  ...{ namespace, name, uid: `uid of ${name}`, creationTimestamp: '2026-11-25T10:00:00Z' },
});
const node = {
  metadata: metadata('kube-system', 'nmi-1'),
  ...{ spec: { containers: [{ name: 'nmi' }] }, status: { phase: 'Running' } },
};
const pod = (name: string, podIP: string, selector = 'orders') => ({
  metadata: { ...metadata('orders', name), labels: { aadpodidbinding: selector } },
  ...{ spec: {}, status: { podIP } },
});

interface Written {
  count: number;
  message: string;
  [field: string]: unknown;
}

/** A cluster, whose log grows. */
class Cluster implements Kubernetes {
  nodes: object[] = [node];
  pods: object[] = [pod('orders-1', '10.244.0.5')];
  readonly lines: string[] = [];
  readonly events = new Map<string, Written>();
  readonly asked: number[] = [];
  /** What was read, in order. */
  readonly read: string[] = [];
  /** The answer to a write; undefined: it succeeds. */
  refusal: { status: number; body: object } | undefined;
  writes = 0;

  list(path: string): Promise<unknown[]> {
    this.read.push(path);
    const objects: Record<string, object[]> = {
      '/api/v1/namespaces/kube-system/pods': this.nodes,
      '/api/v1/pods': this.pods,
      '/apis/aadpodidentity.k8s.io/v1/azureidentities': [
        { metadata: metadata('orders', 'orders'), spec: { clientID } },
      ],
      '/apis/aadpodidentity.k8s.io/v1/azureidentitybindings': [
        { metadata: metadata('orders', 'orders'), spec: { azureIdentity: 'orders', selector: 'orders' } },
        { metadata: metadata('orders', 'other'), spec: { azureIdentity: 'orders', selector: 'other' } },
      ],
    };
    return Promise.resolve(objects[path] ?? []);
  }

  log({ name }: { name: string }, tailLines: number, limitBytes: number): Promise<string> {
    this.read.push(name);
    this.asked.push(tailLines);
    const end = this.lines.slice(-tailLines);
    return Promise.resolve(
      end
        .map((line) => `${line}\n`)
        .join('')
        .slice(0, limitBytes),
    );
  }

  createEvent(namespace: string, body: object): Promise<void> {
    const { metadata: created } = body as { metadata: { name: string } };
    return this.write(() => {
      const name = `${namespace}/${created.name}`;
      if (this.events.has(name)) throw new Refused('POST', 409, '{}');
      this.events.set(name, body as Written);
    });
  }

  changeEvent(namespace: string, name: string, body: object): Promise<void> {
    return this.write(() => {
      const before = this.events.get(`${namespace}/${name}`);
      if (before === undefined) throw new Refused('PATCH', 404, '{}');
      this.events.set(`${namespace}/${name}`, { ...before, ...body });
    });
  }

  private write(change: () => void): Promise<void> {
    return Promise.resolve().then(() => {
      this.writes += 1;
      if (this.refusal !== undefined)
        throw new Refused('POST …/events', this.refusal.status, JSON.stringify(this.refusal.body));
      change();
    });
  }

  private add(time: number, text: string): void {
    const [, month, day, clock] = /^\d+-(\d+)-(\d+)T(.*)Z$/.exec(new Date(time).toISOString()) ?? [];
    this.lines.push(`I${month}${day} ${clock}000       1 server.go:172] ${text}`);
  }

  /** Any line that has nothing to do with tokens. */
  quiet(time: number, more = ''): void {
    this.add(time, `listening on 0.0.0.0:2579${more}`);
  }

  token(time: number, { resource = vault, name = 'orders-1', address = '10.244.0.5' } = {}): void {
    this.add(
      time,
      `no clientID or resourceID in request. orders/${name} has been matched with azure identity orders/orders`,
    );
    this.add(time, `matched identityType:0 clientid:${redacted(clientID)} resource:${resource}`);
    this.finish(time, 200, address);
  }

  refuse(time: number, reason: string, status = 404): void {
    this.add(time, `failed to get matching identities for pod: orders/orders-1, error: ${reason}`);
    this.finish(time, status, '10.244.0.5');
  }

  finish(time: number, status: number, address: string): void {
    this.add(
      time,
      `status (${status}) took 1 ns for req.method=GET reg.path=/metadata/identity/oauth2/token req.remote=${address}`,
    );
  }

  get shown(): string[] {
    return [...this.events.values()].map(({ count, message }) => `${message} ×${count}`);
  }
}

function setting(document = '{"namespace":"kube-system"}') {
  const cluster = new Cluster();
  cluster.quiet(start - 2 * 60 * minute);
  const log: Readonly<Record<string, string>>[] = [];
  const state = { now: start };
  const program = () =>
    new TokenEvents({
      read: () => Promise.resolve(document),
      ...{ kubernetes: cluster, now: () => state.now, log: (event) => log.push(event) },
    });
  return { cluster, log, state, program, events: program() };
}

const got = `pod orders/orders-1 got a token of identity orders/orders for ${vault} (status 200)`;

describe('the writer of events of tokens', () => {
  it('writes one at the binding, with pod, times and source', async () => {
    const { cluster, events, log } = setting();
    cluster.token(start - 5 * minute);

    expect(await events.run()).toBe(true);

    const [written] = cluster.events.values();
    expect(written).toEqual({
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Normal', reason: 'TokenIssued', message: got, count: 1 },
      metadata: {
        namespace: 'orders',
        name: expect.stringMatching(/^orders\.[0-9a-f]{16}$/) as string,
      },
      involvedObject: {
        ...{ apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentityBinding' },
        ...{ namespace: 'orders', name: 'orders', uid: 'uid of orders' },
      },
      related: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: 'orders',
        name: 'orders-1',
        uid: 'uid of orders-1',
      },
      source: { component: 'aks-workload-identity' },
      ...{ firstTimestamp: '2026-11-25T16:25:00Z', lastTimestamp: '2026-11-25T16:25:00Z' },
    });
    expect(log).toMatchObject([{ event: 'recorded', message: got }]);
  });

  it('writes nothing again, in the next run or after a restart, and counts what is alike in a minute', async () => {
    const { cluster, events, state, program } = setting();
    cluster.token(start + 1000);
    cluster.refuse(start + 2000, 'no azure identity found');
    state.now = start + 10_000;
    await events.run();
    const { writes } = cluster;
    await events.run();
    expect(cluster.writes).toBe(writes);

    cluster.token(start + 30_000);
    cluster.token(start + minute);
    state.now = start + 2 * minute;
    expect(await events.run()).toBe(true);
    const shown = [
      `${got} ×2`,
      'pod orders/orders-1 was refused a token (status 404): no azure identity found ×1',
      `${got} ×1`,
    ];
    expect(cluster.shown).toEqual(shown);

    expect(await program().run()).toBe(true);
    expect(cluster.shown).toEqual(shown);
  });

  it('does not count less after a restart, where the log does not begin with what was counted', async () => {
    const { cluster, events, state, program } = setting();
    cluster.token(start + 1000);
    cluster.token(start + 2000);
    state.now = start + minute;
    await events.run();
    cluster.lines.splice(0, 4);

    expect(await program().run()).toBe(true);
    expect(cluster.shown).toEqual([`${got} ×2`]);
  });

  it('reads no more of the log than since its last run, and goes back further in a long one', async () => {
    const { cluster, events, state } = setting();
    for (let line = 0; line < 3000; line += 1) cluster.quiet(start - 30 * minute);
    cluster.token(start - 40 * minute);
    await events.run();
    expect(cluster.asked).toEqual([500, 2000, 8000]);

    for (let line = 0; line < 1000; line += 1) cluster.quiet(start);
    state.now = start + minute;
    cluster.asked.length = 0;
    await events.run();
    expect(cluster.asked).toEqual([500, 2000]);
  });

  it('reads a limited number of lines of a node, and says once that there are more', async () => {
    const { cluster, events, log, state } = setting();
    cluster.token(start - 2 * minute, { resource: 'https://left-out' });
    for (let line = 0; line < 19_997; line += 1) cluster.quiet(start - minute);
    cluster.token(start - minute);

    expect(await events.run()).toBe(true);
    expect(cluster.asked).toEqual([500, 2000, 8000, 20_000]);
    expect(cluster.shown).toEqual([`${got} ×1`]);
    const reported = { event: 'not recorded', reason: 'the log has more lines than are read', read: '20000' };
    expect(log).toMatchObject([{ ...reported, node: 'nmi-1', since: '2026-11-25T15:30:00.000Z' }, {}]);

    for (let line = 0; line < 20_000; line += 1) cluster.quiet(start - 3 * minute);
    state.now = start + minute;
    await events.run();
    expect(log).toHaveLength(2);
  });

  it('reads a limited length of the log of a node, and its end', async () => {
    const { cluster, events, log } = setting();
    for (let line = 0; line < 1000; line += 1) cluster.quiet(start - minute, 'x'.repeat(10_000));
    cluster.token(start);

    expect(await events.run()).toBe(true);
    expect(cluster.asked).toEqual([500, 2000]);
    expect(cluster.shown).toEqual([`${got} ×1`]);
    expect(log).toMatchObject([{ event: 'not recorded', read: '500' }, { event: 'recorded' }]);
  });

  it('does not hold the logs of all nodes', async () => {
    const { cluster, events } = setting();
    cluster.nodes = ['nmi-1', 'nmi-2', 'nmi-3'].map((name) => ({
      ...node,
      metadata: metadata('kube-system', name),
    }));
    for (let line = 0; line < 400; line += 1) cluster.quiet(start, 'x'.repeat(6000));

    await events.run();
    const order = cluster.read.filter((request) => request.startsWith('nmi') || request === '/api/v1/pods');
    // The logs of two are more than is held: they are written before the third is read.
    expect(order).toEqual(['nmi-1', 'nmi-2', '/api/v1/pods', 'nmi-3', '/api/v1/pods']);
  });

  it('leaves out what is older than an hour', async () => {
    const { cluster, events } = setting();
    cluster.token(start - 61 * minute);

    expect(await events.run()).toBe(true);
    expect(cluster.shown).toEqual([]);
  });

  it('names a pod that is gone, and not one that took its address', async () => {
    const { cluster, events, state } = setting();
    cluster.pods.push(pod('orders-2', '10.244.0.6'));
    await events.run();
    cluster.pods = [
      {
        ...pod('late', '10.244.0.5'),
        metadata: { ...pod('late', '').metadata, creationTimestamp: '2026-11-25T16:30:30Z' },
      },
    ];
    cluster.finish(start + 1000, 400, '10.244.0.5');
    cluster.finish(start + 2 * minute, 400, '10.244.0.6');
    state.now = start + 3 * minute;

    expect(await events.run()).toBe(true);
    expect(cluster.shown).toEqual(['pod orders/orders-1 was refused a token (status 400) ×1']);
  });

  it('is not ready while events cannot be written, says so, and writes them later', async () => {
    const { cluster, events, log, state } = setting();
    cluster.token(start);
    const forbidden =
      'events is forbidden: User "system:serviceaccount:token-events:token-events" cannot create';
    cluster.refusal = { status: 403, body: { kind: 'Status', message: forbidden } };
    for (const after of [10, 30]) {
      state.now = start + after * minute;
      expect(await events.run()).toBe(false);
      expect(events.ready()).toBe(false);
    }
    expect(log.at(-1)).toEqual({
      event: 'failed',
      reason: `events cannot be written: Kubernetes answered 403 to POST …/events: ${forbidden}`,
    });

    cluster.refusal = undefined;
    expect(await events.run()).toBe(true);
    expect(cluster.shown).toEqual([`${got} ×1`]);
  });

  it('leaves a namespace that is being deleted alone', async () => {
    const { cluster, events } = setting();
    cluster.token(start);
    cluster.refusal = {
      status: 403,
      body: { message: 'terminating', details: { causes: [{ reason: 'NamespaceTerminating' }] } },
    };

    expect(await events.run()).toBe(true);
  });

  it('names the clusters without a node component, and what to set', async () => {
    const { cluster, events, log } = setting();
    cluster.nodes = [{ ...node, spec: { containers: [{ name: 'other' }] } }];

    expect(await events.run()).toBe(false);
    expect(log).toEqual([
      {
        event: 'failed',
        reason: expect.stringMatching(
          /node component .* namespace kube-system.*podIdentity\.namespace/,
        ) as string,
      },
    ]);
  });

  it.each(['{}', 'null', '{'])('reads nothing by a document that it cannot read: %s', async (document) => {
    expect(await setting(document).events.run()).toBe(false);
  });

  it('counts requests of pods without a binding, once', async () => {
    const { cluster, events, log } = setting();
    cluster.finish(start, 404, '10.244.0.77');
    await events.run();
    await events.run();

    expect(log).toEqual([
      {
        ...{ event: 'not recorded', reason: 'of pods without a binding', node: 'nmi-1', requests: '1' },
        minute: '2026-11-25T16:30:00.000Z',
      },
    ]);
  });

  it('writes a limited number of events of a pod in a minute', async () => {
    const { cluster, events } = setting();
    for (let number = 0; number < 100; number += 1) cluster.token(start, { resource: `https://${number}` });

    await events.run();

    expect(cluster.shown).toHaveLength(21);
    expect(cluster.shown.at(-1)).toMatch(/ for further resources \(status 200\) ×80$/);
  });

  it('has no token and no long string of Entra or of a pod in an event', async () => {
    const { cluster, events } = setting();
    const token = `eyJhbGciOi.eyJzdWIi.${'s'.repeat(300)}`;
    cluster.refuse(start, `AADSTS700016: Application was not found. Trace ID: 123, ${token}`);
    cluster.refuse(start, `Bearer ${token}`, 503);
    cluster.token(start, { resource: `https://\u001b[31m${'x'.repeat(2000)}` });
    await events.run();

    const [entra, other, long] = cluster.shown;
    expect(entra).toBe(
      'pod orders/orders-1 was refused a token (status 404): AADSTS700016: Application was not found ×1',
    );
    expect(other).not.toMatch(/eyJ|sss/);
    expect(long).not.toContain('\u001b');
    expect(long?.length).toBeLessThan(1024);
  });
});
