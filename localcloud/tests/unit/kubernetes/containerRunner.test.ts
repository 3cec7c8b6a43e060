import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { PodEvent } from '../../../kubernetes/agent/events';
import { ContainerRunner } from '../../../kubernetes/agent/containerRunner';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'container-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a container that exits three times with `code` and then stays; returns its waiting reasons. */
async function restart(
  code: number,
  restartsItself: boolean,
): Promise<{ waits: string[]; restarts: number; previous: string }> {
  const count = path.join(folder, 'count');
  await writeFile(count, '');
  const waits = new Set<string>();
  const ending = new AbortController();
  const runner = new ContainerRunner({
    container: { name: 'main', image: 'registry/image:1' },
    restartPolicy: 'Always',
    ports: { hostPort: () => undefined },
    launch: () =>
      Promise.resolve({
        name: 'main',
        argv: [
          'sh',
          '-c',
          `echo >> ${count}; wc -l < ${count}; [ $(wc -l < ${count}) -gt 3 ] && exec sleep 60; exit ${code}`,
        ],
        env: { PATH: process.env['PATH'] ?? '' },
        cwd: folder,
        logFile: path.join(folder, 'log'),
        recordFolder: folder,
      }),
    restartsItself,
    completesAtOnce: false,
    before: undefined,
    onChange: () => {
      const reason = runner.view.state.waiting?.reason;
      if (reason !== undefined) waits.add(reason);
    },
    record: () => undefined,
    warn: () => undefined,
  });
  const over = runner.run(ending.signal);
  while ((await readFile(count, 'utf8')).length < 4 && !waits.has('CrashLoopBackOff'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  const previousLog = runner.previousLog(path.join(folder, 'log')) ?? '';
  const previous = await readFile(previousLog, 'utf8').catch(() => 'none');
  ending.abort();
  await runner.stop(1000);
  await over;
  return { waits: [...waits], restarts: runner.view.restartCount, previous };
}

describe('a container that ends', () => {
  it('in order to be restarted is restarted without a delay', async () => {
    expect(await restart(0, true)).toEqual({ waits: [], restarts: 3, previous: '3\n' });
  });

  it.each([
    ['with 0, as most programs do when they give up', 0, false],
    ['with an error, whatever it does otherwise', 3, true],
  ])('%s, is restarted with growing delays', async (_what, code, restartsItself) => {
    const { waits, previous } = await restart(code, restartsItself);
    expect(waits).toContain('CrashLoopBackOff');
    // The second run was the first that was waited after, so its log is the previous one.
    expect(previous).toBe('2\n');
  });
});

describe('a failed liveness probe', () => {
  it('leaves the events of a kubelet, and ends the process', async () => {
    const server = http.createServer((_request, response) => response.writeHead(503).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ending = new AbortController();
    const events: PodEvent[] = [];
    const runner = new ContainerRunner({
      container: {
        name: 'main',
        image: 'registry/image:1',
        livenessProbe: { httpGet: { port: 8080 }, periodSeconds: 1, failureThreshold: 1 },
      },
      restartPolicy: 'Never',
      ports: { hostPort: () => port },
      launch: () =>
        Promise.resolve({
          name: 'main',
          argv: ['sleep', '60'],
          env: { PATH: process.env['PATH'] ?? '' },
          cwd: folder,
          logFile: path.join(folder, 'log'),
          recordFolder: folder,
        }),
      restartsItself: false,
      completesAtOnce: false,
      before: undefined,
      onChange: () => undefined,
      record: (event) => events.push(event),
      warn: () => undefined,
    });
    await runner.run(ending.signal);
    server.close();

    expect(runner.view.state.terminated).toBeDefined();
    expect(events.slice(0, 2)).toEqual([
      {
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'Liveness probe failed: HTTP probe failed with statuscode: 503',
      },
      {
        type: 'Normal',
        reason: 'Killing',
        message: 'Container main failed liveness probe, will be restarted',
      },
    ]);
  });
});
