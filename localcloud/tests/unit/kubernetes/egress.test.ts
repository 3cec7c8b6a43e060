import { Refusals } from '../../../kubernetes/egress/refusals';
import type { RoutablePod } from '../../../kubernetes/egress/resolve';
import { resolveAddress } from '../../../kubernetes/egress/resolve';
import { testPod } from './support';

const service = {
  metadata: { name: 'webhook', namespace: 'default', uid: 's' },
  spec: {
    clusterIP: '10.0.12.34',
    selector: { app: 'webhook' },
    ports: [
      { port: 443, targetPort: 'https' },
      { port: 80, targetPort: 8080 },
    ],
  },
};
const routable = (
  parts: Partial<RoutablePod> = {},
  labels: Record<string, string> = { app: 'webhook' },
): RoutablePod => ({
  pod: testPod({ metadata: { labels } }),
  ip: '10.244.128.1',
  ready: true,
  hostPort: (port) => ({ https: 21443, 8443: 21443, 8080: 21080 })[port],
  ...parts,
});

describe("the API server's way to the pods", () => {
  it.each([
    ['10.0.12.34', 443, 21443],
    ['10.0.12.34', 80, 21080],
    ['10.244.128.1', 8443, 21443],
  ])('%s:%d leads to the process', (host, port, expected) => {
    expect(resolveAddress(host, port, [service], [routable()])).toEqual({ port: expected });
  });

  it('skips pods that are not ready', () => {
    const pods = [routable({ ready: false, hostPort: () => 1, ip: '10.244.128.2' }), routable()];
    expect(resolveAddress('10.0.12.34', 443, [service], pods)).toEqual({ port: 21443 });
  });

  it.each([
    ['an unknown address', '10.0.0.9', 443, [routable()], 'no service or pod has the address 10.0.0.9'],
    ['an unknown port', '10.0.12.34', 444, [routable()], 'service default/webhook has no port 444'],
    [
      'no process',
      '10.0.12.34',
      443,
      [routable({}, { app: 'x' })],
      'service default/webhook has no pod that runs as a process',
    ],
    [
      'none ready',
      '10.0.12.34',
      443,
      [routable({ ready: false })],
      'service default/webhook has no ready pod',
    ],
    [
      'no such target',
      '10.0.12.34',
      443,
      [routable({ hostPort: () => undefined })],
      'no pod of service default/webhook has the port https',
    ],
  ])('is refused with the reason: %s', (_title, host, port, pods, refused) => {
    expect(resolveAddress(host, port, [service], pods)).toEqual({ refused });
  });
});

describe('refusals', () => {
  it('are reported once, and again when the reason changes or a connection succeeded in between', () => {
    const messages: string[] = [];
    const refusals = new Refusals((message) => messages.push(message));
    const refuse = (address: string, reason: string) => {
      refusals.refused(address, reason);
      refusals.refused(address, reason);
    };
    refuse('10.0.0.9:443', 'no process');
    refuse('10.0.0.8:443', 'no process');
    refuse('10.0.0.9:443', 'none ready');
    refusals.open('10.0.0.9:443');
    refuse('10.0.0.9:443', 'none ready');
    const start = 'the API server cannot reach';
    expect(messages).toEqual([
      `${start} 10.0.0.9:443: no process`,
      `${start} 10.0.0.8:443: no process`,
      `${start} 10.0.0.9:443: none ready`,
      `${start} 10.0.0.9:443: none ready`,
    ]);
  });
});
