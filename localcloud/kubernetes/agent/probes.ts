import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Probe } from '../api/types';
import type { PortMap } from './portMap';

/** What a probe does to a process on this host; `unsupported` names what stands in the way. */
export type ProbeAction =
  | { kind: 'http'; port: number; path: string; headers: Record<string, string> }
  | { kind: 'tcp'; port: number }
  | { kind: 'unsupported'; what: string };

/** Maps a probe's port to the process's own. */
export function probeAction(probe: Probe, ports: Pick<PortMap, 'hostPort'>): ProbeAction {
  const { httpGet, tcpSocket, grpc } = probe;
  const wanted = httpGet?.port ?? tcpSocket?.port ?? grpc?.port;
  if (wanted === undefined) return { kind: 'unsupported', what: 'exec probes' };
  const port = ports.hostPort(wanted);
  if (port === undefined) return { kind: 'unsupported', what: `port ${wanted}, which the pod does not have` };
  // A kubelet does not check certificates of HTTPS probes. Here such a probe, and a gRPC one, is satisfied
  // by an open port rather than by a connection without checks.
  if (!httpGet || httpGet.scheme === 'HTTPS') return { kind: 'tcp', port };
  const headers = Object.fromEntries((httpGet.httpHeaders ?? []).map(({ name, value }) => [name, value]));
  return { kind: 'http', port, path: httpGet.path ?? '/', headers };
}

/** One try. HTTP: any status from 200 to 399 is success, as for a kubelet. */
export function runProbe(action: ProbeAction, timeoutMs: number): Promise<boolean> {
  if (action.kind === 'unsupported') return Promise.resolve(true);
  if (action.kind === 'tcp')
    return new Promise((resolve) => {
      const socket = net.connect({ port: action.port, host: '127.0.0.1' });
      const end = (ok: boolean) => {
        socket.destroy();
        resolve(ok);
      };
      socket.once('connect', () => end(true));
      socket.once('error', () => end(false));
      socket.setTimeout(timeoutMs, () => end(false));
    });
  return new Promise((resolve) => {
    const request = http.get(
      { host: '127.0.0.1', port: action.port, path: action.path, headers: action.headers, agent: false },
      (response) => {
        response.resume();
        const status = response.statusCode ?? 0;
        resolve(status >= 200 && status < 400);
      },
    );
    request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')));
    request.once('error', () => resolve(false));
  });
}

/**
 * Follows a probe until `signal` aborts and reports each change of the verdict, by the thresholds of the
 * probe. While the verdict is not yet success, it is tried often (every 200 ms): a start is not to take as
 * long as a probe's period, and a process on loopback does not mind.
 */
export async function watchProbe(
  probe: Probe,
  action: ProbeAction,
  options: { initially: boolean; eager: boolean; onVerdict: (ok: boolean) => void },
  signal: AbortSignal,
): Promise<void> {
  const periodMs = (probe.periodSeconds ?? 10) * 1000;
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const { onVerdict, eager } = options;
  let verdict = options.initially;
  let [successes, failures] = [0, 0];
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  // A liveness probe leaves the process a period more than asked: a start is slow while much else starts.
  if (!eager) await wait((probe.initialDelaySeconds ?? 0) * 1000 + periodMs);
  let lastCounted = 0;
  const over = () => signal.aborted;
  while (!over()) {
    const ok = await runProbe(action, timeoutMs);
    if (over()) return;
    if (ok) {
      [successes, failures] = [successes + 1, 0];
      if (!verdict && successes >= (probe.successThreshold ?? 1)) onVerdict((verdict = true));
    } else if (Date.now() - lastCounted >= periodMs || !eager) {
      // Early tries that fail do not count: the thresholds are meant in periods.
      lastCounted = Date.now();
      [successes, failures] = [0, failures + 1];
      if (failures >= (probe.failureThreshold ?? 3)) {
        onVerdict((verdict = false));
        failures = 0;
      }
    }
    await wait(eager && !verdict ? Math.min(200, periodMs) : periodMs);
  }
}
