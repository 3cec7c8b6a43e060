import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ContainerRunner } from '../../../localcloud/kubernetes/agent/containerRunner';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'container-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a container that exits three times with `code` and then stays; returns its waiting reasons. */
async function restart(
  code: number,
  restartsItself: boolean,
): Promise<{ waits: string[]; restarts: number }> {
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
        argv: ['sh', '-c', `echo >> ${count}; [ $(wc -l < ${count}) -gt 3 ] && exec sleep 60; exit ${code}`],
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
    warn: () => undefined,
  });
  const over = runner.run(ending.signal);
  while ((await readFile(count, 'utf8')).length < 4 && !waits.has('CrashLoopBackOff'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  ending.abort();
  await runner.stop(1000);
  await over;
  return { waits: [...waits], restarts: runner.view.restartCount };
}

describe('a container that ends', () => {
  it('in order to be restarted is restarted without a delay', async () => {
    expect(await restart(0, true)).toEqual({ waits: [], restarts: 3 });
  });

  it.each([
    ['with 0, as most programs do when they give up', 0, false],
    ['with an error, whatever it does otherwise', 3, true],
  ])('%s, is restarted with growing delays', async (_what, code, restartsItself) => {
    const { waits } = await restart(code, restartsItself);
    expect(waits).toContain('CrashLoopBackOff');
  });
});
