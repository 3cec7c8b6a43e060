import { createServer, type Server } from 'node:http';
import type { Reading } from './reading';

/** Creates a server: `/healthz` answers while the process lives, `/readyz` once every secret was read. */
export function createHealthServer(reading: Pick<Reading, 'ready' | 'missing'>): Server {
  return createServer((request, response) => {
    const answer = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
    };
    const path = new URL(request.url ?? '/', 'http://reader').pathname;
    if (path === '/healthz') answer(200, 'ok');
    else if (path !== '/readyz') answer(404, 'not found');
    else if (reading.ready()) answer(200, 'ok');
    else answer(503, `not read yet: ${reading.missing().join(', ')}`);
  });
}
