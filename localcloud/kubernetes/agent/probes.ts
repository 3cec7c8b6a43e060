import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Probe } from '../api/types';
import type { PortMap } from './portMap';

/** The action of a probe on a process of this host; for `unsupported`, `what` is the reason. */
export type ProbeAction =
  | { kind: 'http'; port: number; path: string; headers: Record<string, string> }
  | { kind: 'tcp'; port: number }
  | { kind: 'unsupported'; reason: string };

/** Returns a probe's action on the process's host port. */
export function probeAction(probe: Probe, ports: Pick<PortMap, 'hostPort'>): ProbeAction {
  const { httpGet, tcpSocket, grpc } = probe;
  const containerPort = httpGet?.port ?? tcpSocket?.port ?? grpc?.port;
  if (containerPort === undefined) return { kind: 'unsupported', reason: 'exec probes are not supported' };
  const port = ports.hostPort(containerPort);
  if (port === undefined) return { kind: 'unsupported', reason: `the pod has no port ${containerPort}` };
  // A kubelet does not verify certificates of HTTPS probes. Here, an open port satisfies HTTPS and gRPC probes,
  // to avoid unverified connections.
  if (!httpGet || httpGet.scheme === 'HTTPS') return { kind: 'tcp', port };
  const headers = Object.fromEntries((httpGet.httpHeaders ?? []).map(({ name, value }) => [name, value]));
  return { kind: 'http', port, path: httpGet.path ?? '/', headers };
}

/**
 * Runs a probe once. Resolves with the failure, or with undefined after a success. As for a kubelet, an HTTP status from
 * 200 to 399 is a success. The text for another status is a kubelet's (kubernetes/kubernetes pkg/probe/http/http.go); the
 * text for an error is Node's.
 */
function runProbe(action: ProbeAction, timeoutMs: number): Promise<string | undefined> {
  if (action.kind === 'unsupported') return Promise.resolve(undefined);
  if (action.kind === 'tcp')
    return new Promise((resolve) => {
      const socket = net.connect({ port: action.port, host: '127.0.0.1' });
      const end = (failure?: string) => {
        socket.destroy();
        resolve(failure);
      };
      socket.once('connect', () => end());
      socket.once('error', ({ message }) => end(message));
      socket.setTimeout(timeoutMs, () => end('timeout'));
    });
  return new Promise((resolve) => {
    const request = http.get(
      { host: '127.0.0.1', port: action.port, path: action.path, headers: action.headers, agent: false },
      (response) => {
        response.resume();
        const status = response.statusCode ?? 0;
        resolve(status >= 200 && status < 400 ? undefined : `HTTP probe failed with statuscode: ${status}`);
      },
    );
    request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')));
    request.once('error', ({ message }) =>
      resolve(`Get "http://127.0.0.1:${action.port}${action.path}": ${message}`),
    );
  });
}

/**
 * Runs a probe until `signal` aborts, and reports each change of its result according to the probe's thresholds. Until
 * the first success it runs every 200 ms, so that a start does not take a whole period.
 */
export async function watchProbe(
  probe: Probe,
  action: ProbeAction,
  options: {
    initially: boolean;
    eager: boolean;
    onVerdict: (ok: boolean) => void;
    onFailure: (failure: string) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  const periodMs = (probe.periodSeconds ?? 10) * 1000;
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const { onVerdict, onFailure, eager } = options;
  let verdict = options.initially;
  let [successes, failures] = [0, 0];
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  // A liveness probe starts one period later than configured, because programs start slowly on a busy machine.
  if (!eager) await wait((probe.initialDelaySeconds ?? 0) * 1000 + periodMs);
  let lastCounted = 0;
  const over = () => signal.aborted;
  while (!over()) {
    const failure = await runProbe(action, timeoutMs);
    if (over()) return;
    if (failure === undefined) {
      [successes, failures] = [successes + 1, 0];
      if (!verdict && successes >= (probe.successThreshold ?? 1)) onVerdict((verdict = true));
    } else if (Date.now() - lastCounted >= periodMs || !eager) {
      // At most one failure per period counts, because thresholds are in periods.
      lastCounted = Date.now();
      onFailure(failure);
      [successes, failures] = [0, failures + 1];
      if (failures >= (probe.failureThreshold ?? 3)) {
        onVerdict((verdict = false));
        failures = 0;
      }
    }
    await wait(eager && !verdict ? Math.min(200, periodMs) : periodMs);
  }
}
