import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireLock } from '../../../lock';
import { buildLock, withBuildLock } from '../../../toolchain/buildLock';
import { Workshop } from './workshop';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await Workshop.open();
});
afterEach(() => workshop.close());

describe('the build lock', () => {
  it('lets one of two toolchains build while the other waits and builds nothing', async () => {
    await workshop.installGo({ onBuild: 'sleep 0.4' });
    const waiting: string[] = [];
    const listener = { progress: (line: string) => void waiting.push(line) };

    await Promise.all([workshop.build({}, listener), workshop.build({}, listener)]);

    expect(await workshop.builds()).toHaveLength(9);
    // The progress of the other process: none before its first report and after its end.
    const reports = waiting.flatMap(
      (line) => /^another process is building the toolchain: (.*)/.exec(line)?.[1] ?? [],
    );
    expect(reports.at(-1)).toMatch(/^(compiling|linking|then) /);
  });

  it('never runs two works at once', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    };
    const never = () => Promise.resolve(false);

    await Promise.all([1, 2, 3].map(() => withBuildLock(workshop.cache, { isDone: never }, work)));

    expect(most).toBe(1);
  });

  it('takes over from a holder that was killed', async () => {
    const cache = path.join(workshop.cache, 'toolchain');
    await mkdir(cache, { recursive: true });
    await writeFile(buildLock(cache), JSON.stringify({ pid: 2 ** 22 + 1, startTicks: '1', bootId: 'any' }));

    await expect(workshop.built('helm')).resolves.toMatch(/helm$/);
  });

  it('waits for a living holder until the work is done', async () => {
    const release = acquireLock(buildLock(workshop.cache));
    let checks = 0;
    const work = jest.fn(() => Promise.resolve());

    await withBuildLock(workshop.cache, { isDone: () => Promise.resolve(++checks > 1) }, work);

    expect(work).not.toHaveBeenCalled();
    release();
  });

  it('is free again after a work that failed', async () => {
    const options = { isDone: () => Promise.resolve(false) };
    await expect(
      withBuildLock(workshop.cache, options, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken');

    const work = jest.fn(() => Promise.resolve());
    await withBuildLock(workshop.cache, options, work);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
