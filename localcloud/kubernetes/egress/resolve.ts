import type { Pod, Service } from '../api/types';
import type { EgressTarget } from './proxy';

/** A pod that runs as processes. */
export interface RoutablePod {
  pod: Pod;
  ip: string;
  ready: boolean;
  /** Returns the loopback port for a container port; undefined if the pod has no such port. */
  hostPort(containerPort: number | string): number | undefined;
}

const selects = (selector: Record<string, string>, labels: Record<string, string> = {}) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Returns the target of a connection to `host:port` in the cluster's network. A service's address leads to a ready pod. */
export function resolveAddress(
  host: string,
  port: number,
  services: readonly Service[],
  pods: readonly RoutablePod[],
): EgressTarget {
  const direct = pods.find((candidate) => candidate.ip === host);
  if (direct) {
    const hostPort = direct.hostPort(port);
    return hostPort === undefined
      ? { refused: `pod ${direct.pod.metadata.name} has no port ${port}` }
      : { port: hostPort };
  }
  const service = services.find(({ spec }) => spec.clusterIP === host);
  if (!service) return { refused: `no service or pod has the address ${host}` };
  const name = `service ${service.metadata.namespace ?? ''}/${service.metadata.name}`;
  const servicePort = service.spec.ports?.find((candidate) => candidate.port === port);
  if (!servicePort) return { refused: `${name} has no port ${port}` };
  const { selector } = service.spec;
  if (!selector) return { refused: `${name} has no selector` };
  const selected = pods.filter(
    ({ pod }) =>
      pod.metadata.namespace === service.metadata.namespace && selects(selector, pod.metadata.labels),
  );
  if (selected.length === 0) return { refused: `${name} has no pod that runs as a process` };
  const ready = selected.filter((candidate) => candidate.ready);
  if (ready.length === 0) return { refused: `${name} has no ready pod` };
  const targetPort = servicePort.targetPort ?? port;
  for (const candidate of ready) {
    const hostPort = candidate.hostPort(targetPort);
    if (hostPort !== undefined) return { port: hostPort };
  }
  return { refused: `no pod of ${name} has the port ${targetPort}` };
}
