import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auditCommand } from '../../../cli/audit/command';
import { bindingEvents, eventsKept } from '../../../cli/audit/podIdentityEvents';
import { renderReads } from '../../../cli/audit/table';
import { workload } from '../verification/outputs.fixture';

const since = new Date('2026-01-01T00:00:00Z');
const outputs = {
  kubeconfigs: { 'aks-1': 'of aks-1', 'aks-2': 'of aks-2' },
  workloads: [
    { ...workload('aks-1', 'orders', 'id-orders', []), signIn: 'podIdentity' as const },
    { ...workload('aks-2', 'reports', 'id-reports', []), signIn: 'both' as const },
    workload('aks-1', 'billing', 'id-billing', []),
  ],
};
const event = (name: string, message: string, lastTimestamp: Date) => ({
  ...{ metadata: {}, involvedObject: { namespace: name, name }, reason: 'binding applied' },
  ...{ message, lastTimestamp },
});

describe('events of aad-pod-identity', () => {
  const ask = async (
    readers: string[] | undefined,
    list: Parameters<typeof bindingEvents>[4] = (kubeconfig) =>
      Promise.resolve(
        ['orders', 'reports', 'billing', 'of others'].flatMap((name) => [
          event(name, `${kubeconfig} old`, new Date('2025-12-31T00:00:00Z')),
          event(name, `${kubeconfig} 1`, new Date('2026-01-01T01:00:00Z')),
          event(name, `${kubeconfig} 2`, new Date('2026-01-01T02:00:00Z')),
        ]),
      ),
  ) => {
    const notes: string[] = [];
    return { events: await bindingEvents(outputs, readers, since, (text) => notes.push(text), list), notes };
  };

  it('are those at the bindings of applications, also of what signs in otherwise by now, the newest first', async () => {
    const { events, notes } = await ask(undefined);

    expect(events.map(({ application, message }) => `${application}: ${message}`)).toEqual([
      'orders: of aks-1 2',
      'billing: of aks-1 2',
      'reports: of aks-2 2',
      'orders: of aks-1 1',
      'billing: of aks-1 1',
      'reports: of aks-2 1',
    ]);
    expect(notes).toEqual([eventsKept]);
  });

  it('are asked of clusters only where somebody signs in with aad-pod-identity', async () => {
    const { workloads } = outputs;
    const list = jest.fn(() => Promise.resolve([]));
    const migrated = { ...workload('aks-1', 'orders', 'id-orders', []) };
    const migratedOutputs = { ...outputs, workloads: [migrated, ...workloads.slice(1)] };
    await bindingEvents(migratedOutputs, undefined, since, () => undefined, list);

    expect(list.mock.calls).toEqual([['of aks-2']]);
  });

  it('are not waited for where a cluster takes connections and does not answer', async () => {
    const server = createServer(() => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const waited = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(50));
    const notes: string[] = [];
    const kubeconfig = JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'x' },
      clusters: [
        { name: 'x', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      users: [{ name: 'x', user: {} }],
    });
    const kubeconfigs = { 'aks-1': kubeconfig };
    await bindingEvents(
      { ...outputs, kubeconfigs, workloads: outputs.workloads.slice(0, 1) },
      undefined,
      since,
      (text) => notes.push(text),
    );
    waited.mockRestore();
    server.closeAllConnections();
    server.close();

    expect(notes[0]).toMatch(/^The events of aad-pod-identity on aks-1 cannot be read: .*abort/);
  });

  it('are those of the selected readers only', async () => {
    const { events } = await ask(['principal-id-reports']);

    expect(new Set(events.map(({ application }) => application))).toEqual(new Set(['reports']));
    expect(await ask(['principal-id-billing'], () => Promise.resolve([]))).toEqual({ events: [], notes: [] });
  });

  it('are missing with a note where a cluster does not answer', async () => {
    const { events, notes } = await ask(['principal-id-orders'], () => Promise.reject(new Error('no\nmore')));

    expect(events).toEqual([]);
    expect(notes[0]).toBe('The events of aad-pod-identity on aks-1 cannot be read: no');
  });

  it('are in the answer with their number where there are several', () => {
    const time = new Date('2026-01-01T01:00:00Z');
    const of = (message: string, times: number) => ({
      ...{ cluster: 'aks-1', application: 'orders', reason: 'TokenIssued', message, times, time },
    });
    const text = renderReads('dev', [], { since, events: [of('many', 12), of('one', 1)], notes: [] });

    expect(text).toContain(
      'Events of aad-pod-identity:\n  2026-01-01T01:00:00Z orders on aks-1: many, 12 times\n  2026-01-01T01:00:00Z orders on aks-1: one\n',
    );
  });

  it('are named in the help', () => {
    expect(auditCommand().helpInformation()).toContain('"bindingEvents":[…]');
  });
});
