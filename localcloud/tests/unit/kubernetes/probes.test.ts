import { portsOf } from '../../../kubernetes/agent/portMap';
import { probeAction } from '../../../kubernetes/agent/probes';

const ports = {
  hostPort: (port: number | string) => ({ 8080: 21080, http: 21080, 9443: 21443 })[port],
};

describe('probes', () => {
  it.each([
    [{ httpGet: { path: '/ready', port: 8080 } }, { kind: 'http', port: 21080, path: '/ready', headers: {} }],
    [{ httpGet: { port: 'http' } }, { kind: 'http', port: 21080, path: '/', headers: {} }],
    [
      { httpGet: { port: 8080, httpHeaders: [{ name: 'X', value: '1' }] } },
      { kind: 'http', port: 21080, path: '/', headers: { X: '1' } },
    ],
    [{ httpGet: { port: 9443, scheme: 'HTTPS' } }, { kind: 'tcp', port: 21443 }],
    [{ tcpSocket: { port: 9443 } }, { kind: 'tcp', port: 21443 }],
    [{ grpc: { port: 9443 } }, { kind: 'tcp', port: 21443 }],
    [{ exec: { command: ['true'] } }, { kind: 'unsupported', reason: 'exec probes are not supported' }],
    [{ httpGet: { port: 1 } }, { kind: 'unsupported', reason: 'the pod has no port 1' }],
  ])('%j', (probe, expected) => {
    expect(probeAction(probe, ports)).toEqual(expected);
  });

  it('need the ports that they name by number, besides those that are declared', () => {
    expect(
      portsOf({
        name: 'main',
        image: 'x',
        ports: [{ name: 'http', containerPort: 8080 }],
        livenessProbe: { httpGet: { port: 6080 } },
        readinessProbe: { httpGet: { port: 'http' } },
        startupProbe: { tcpSocket: { port: 7000 } },
      }),
    ).toEqual([8080, 6080, 7000]);
  });
});
