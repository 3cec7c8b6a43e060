import { bindingEvents, eventsKept } from '../../../cli/audit/bindingEvents';
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
const event = (message: string, lastTimestamp: Date) => ({
  ...{ metadata: {}, involvedObject: {}, reason: 'binding applied', message, lastTimestamp },
});

describe('events of aad-pod-identity', () => {
  const ask = async (
    readers: string[] | undefined,
    list: Parameters<typeof bindingEvents>[4] = (kubeconfig, namespace, binding) =>
      Promise.resolve([
        event(`${kubeconfig} ${namespace} ${binding} old`, new Date('2025-12-31T00:00:00Z')),
        event(`${kubeconfig} ${namespace} ${binding} 1`, new Date('2026-01-01T01:00:00Z')),
        event(`${kubeconfig} ${namespace} ${binding} 2`, new Date('2026-01-01T02:00:00Z')),
      ]),
  ) => {
    const notes: string[] = [];
    return { events: await bindingEvents(outputs, readers, since, (text) => notes.push(text), list), notes };
  };

  it('are those at the bindings of applications that sign in by it, the newest first', async () => {
    const { events, notes } = await ask(undefined);

    expect(events.map(({ application, message }) => `${application}: ${message}`)).toEqual([
      'orders: of aks-1 orders orders 2',
      'reports: of aks-2 reports reports 2',
      'orders: of aks-1 orders orders 1',
      'reports: of aks-2 reports reports 1',
    ]);
    expect(notes).toEqual([eventsKept]);
  });

  it('are of who is asked for only', async () => {
    const { events } = await ask(['principal-id-reports']);

    expect(new Set(events.map(({ application }) => application))).toEqual(new Set(['reports']));
    expect(await ask(['principal-id-billing'])).toEqual({ events: [], notes: [] });
  });

  it('are missing with a note where a cluster does not answer', async () => {
    const { events, notes } = await ask(['principal-id-orders'], () => Promise.reject(new Error('no\nmore')));

    expect(events).toEqual([]);
    expect(notes[1]).toBe('The events of orders on aks-1 cannot be read: no');
  });
});
