import type { Container } from '../api/types';
import { releasePort, takePort } from '../ports';

/**
 * A loopback port of the host for each container port of a pod. All pods share the host's network, so no
 * process can listen on its container port itself.
 */
export class PortMap {
  private readonly hostPorts = new Map<number, number>();

  private constructor(private readonly containers: readonly Container[]) {}

  /** @param extra ports on which the programs listen without a declaration in the pod */
  static async allocate(containers: readonly Container[], extra: readonly number[]): Promise<PortMap> {
    const map = new PortMap(containers);
    for (const port of new Set([...containers.flatMap(portsOf), ...extra]))
      map.hostPorts.set(port, await takePort());
    return map;
  }

  /** Returns the host port for the number or name of a container port. */
  hostPort(port: number | string): number | undefined {
    const containerPort = typeof port === 'number' ? port : (this.named(port) ?? Number(port));
    return this.hostPorts.get(containerPort);
  }

  byContainerPort(): Record<number, number> {
    return Object.fromEntries(this.hostPorts);
  }

  release(): void {
    for (const port of this.hostPorts.values()) releasePort(port);
    this.hostPorts.clear();
  }

  private named(name: string): number | undefined {
    return this.containers.flatMap(({ ports }) => ports ?? []).find((port) => port.name === name)
      ?.containerPort;
  }
}

/**
 * Returns the ports that a container declares, and the ports that its probes name by number, because Kubernetes does not
 * require declarations.
 */
export function portsOf(container: Container): number[] {
  const probed = [container.livenessProbe, container.readinessProbe, container.startupProbe].flatMap(
    (probe) => [probe?.httpGet?.port, probe?.tcpSocket?.port, probe?.grpc?.port],
  );
  return [
    ...(container.ports ?? []).map(({ containerPort }) => containerPort),
    ...probed.filter((port) => typeof port === 'number'),
  ];
}
