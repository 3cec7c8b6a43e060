import { randomInt } from 'node:crypto';
import net from 'node:net';

/**
 * Below the range that the kernel takes for outgoing connections (32768 and up by default), so that a port
 * that is kept over a restart is not lost to one of those.
 */
const lowest = 20_000;
const highest = 32_000;

/** Ports handed out by this process whose owner may not listen yet. */
const handedOut = new Set<number>();

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/** A free loopback port, not handed out a second time until it is released. */
export async function takePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (await reservePort(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 between ${lowest} and ${highest}: stop what listens there`);
}

/** Reserves this very port; false if something listens on it or it is handed out. */
export async function reservePort(port: number): Promise<boolean> {
  if (handedOut.has(port)) return false;
  handedOut.add(port);
  if (await isFree(port)) return true;
  handedOut.delete(port);
  return false;
}

export function releasePort(port: number): void {
  handedOut.delete(port);
}
