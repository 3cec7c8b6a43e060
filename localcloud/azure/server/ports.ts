import { existsSync, readFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import * as z from 'zod';
import { writeWhole } from '../../writeWhole';

const schema = z.object({ azure: z.number(), proxy: z.number() });

/** Ports of the last start. Reusing them keeps kubeconfigs and exported environments valid. */
export function recordedPorts(file: string): { azure: number; proxy: number } {
  if (!existsSync(file)) return { azure: 0, proxy: 0 };
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : { azure: 0, proxy: 0 };
}

export function recordPorts(file: string, ports: { azure: number; proxy: number }): void {
  writeWhole(file, JSON.stringify(ports));
}

const inUse = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE';

/** Listens on a port of 127.0.0.1, or on any free one for 0, and returns it. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops a server and closes its connections. */
export function stop(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Listens on the wanted port. If it is taken and not required, listens on any free port. */
export async function listenPreferring(
  listen: (port: number) => Promise<number>,
  choice: { port: number; required: boolean },
): Promise<number> {
  try {
    return await listen(choice.port);
  } catch (error) {
    if (!inUse(error)) throw error;
    if (!choice.required) return listen(0);
    throw new Error(
      `Port ${choice.port} on 127.0.0.1 is taken by another process. Stop that process, or ask for another port.`,
    );
  }
}
