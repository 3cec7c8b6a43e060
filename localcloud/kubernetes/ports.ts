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

/**
 * Ports are handed out in blocks, each of one process at a time: who handed one out listens on the block's first for as long
 * as it lives. Another local cloud would else find a port free whose owner only starts again, and the one's API server would
 * ask the other's webhooks.
 */
const blockSize = 500;
const guards: net.Server[] = [];
const blocks: number[] = [];
let claiming: Promise<void> | undefined;

async function claimBlock(): Promise<void> {
  const all = Array.from(
    { length: (highest - lowest) / blockSize },
    (_, index) => lowest + index * blockSize,
  );
  const others = all.filter((first) => !blocks.includes(first));
  while (others.length > 0) {
    const [first] = others.splice(randomInt(others.length), 1);
    const guard = first === undefined ? undefined : await listen(first);
    if (first === undefined || guard === undefined) continue;
    guards.push(guard.unref());
    blocks.push(first);
    return;
  }
  throw new Error(`no block of ports on 127.0.0.1 between ${lowest} and ${highest}: stop what listens there`);
}

/** Undefined if something else listens there. */
function listen(port: number): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(server);
    });
  });
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A free loopback port, not handed out a second time until it is released. */
export async function takePort(): Promise<number> {
  for (;;) {
    for (const first of blocks) {
      for (let attempt = 0; attempt < blockSize; attempt += 1) {
        const port = first + randomInt(1, blockSize);
        if (await reservePort(port)) return port;
      }
    }
    claiming ??= claimBlock().finally(() => {
      claiming = undefined;
    });
    await claiming;
  }
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
