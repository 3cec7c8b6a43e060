import { randomInt } from 'node:crypto';
import net from 'node:net';

/**
 * The range of ports. It is below the kernel's range for outgoing connections (32768 and up by default), so that no such
 * connection takes a port during a restart.
 */
const lowest = 20_000;
const highest = 32_000;

/** Ports that this process has reserved, even if nothing listens on them yet. */
const handedOut = new Set<number>();

/**
 * Each process claims a block of ports by listening on the first port of the block. Otherwise another local
 * cloud could take a port during a restart of its owner, and one cluster's API server would call another's
 * webhooks.
 */
const blockSize = 500;
const guards: net.Server[] = [];
const blocks: number[] = [];
let claiming: Promise<void> | undefined;

async function claimBlock(): Promise<void> {
  const firstPorts = Array.from(
    { length: (highest - lowest) / blockSize },
    (_, index) => lowest + index * blockSize,
  );
  const others = firstPorts.filter((first) => !blocks.includes(first));
  while (others.length > 0) {
    const [first] = others.splice(randomInt(others.length), 1);
    const guard = first === undefined ? undefined : await listen(first);
    if (first === undefined || guard === undefined) continue;
    guards.push(guard.unref());
    blocks.push(first);
    return;
  }
  throw new Error(
    `no block of free ports on 127.0.0.1 between ${lowest} and ${highest}: stop programs that listen there`,
  );
}

/** Returns a server that listens on the port; undefined if the port is taken. */
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

/** Reserves a free loopback port until it is released. */
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

/** Reserves a port; false if it is taken or reserved. */
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
