import type { Logger } from '../../logger';
import { readIfExists } from '../readIfExists';
import { writeWhole } from '../../writeWhole';
import { releasePort, reservePort, takePort } from '../ports';

const names = ['apiServer', 'etcdClient', 'etcdPeer', 'kubelet', 'tokenProxy'] as const;
export type ClusterPorts = Record<(typeof names)[number], number>;

/**
 * Reserves the cluster's ports: those of its last start, so that kubeconfigs stay valid. Ports that are taken are
 * replaced.
 */
export async function ensurePorts(file: string, logger: Logger): Promise<ClusterPorts> {
  const recorded = await recordedPorts(file);
  const ports: ClusterPorts = { apiServer: 0, etcdClient: 0, etcdPeer: 0, kubelet: 0, tokenProxy: 0 };
  for (const name of names) {
    const before = recorded[name];
    if (before !== undefined && (await reservePort(before))) {
      ports[name] = before;
      continue;
    }
    ports[name] = await takePort();
    if (before !== undefined)
      logger.warn(
        `port ${before} (${name}) is taken by another program, so ${ports[name]} is used` +
          (name === 'apiServer' ? ': fetch the kubeconfig again' : ''),
      );
  }
  writeWhole(file, `${JSON.stringify(ports)}\n`);
  return ports;
}

export function releasePorts(ports: ClusterPorts): void {
  for (const name of names) releasePort(ports[name]);
}

export const apiServerAddress = ({ apiServer }: Pick<ClusterPorts, 'apiServer'>): string =>
  `https://127.0.0.1:${apiServer}`;

/** Returns the ports of the cluster's last start, as far as they are known. */
export async function recordedPorts(file: string): Promise<Partial<ClusterPorts>> {
  const text = await readIfExists(file);
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // The file is incomplete: new ports are chosen.
    return {};
  }
}
