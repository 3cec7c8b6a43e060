import { BuildLog, renderPlan } from '../../../localcloud/commands/toolchainBuild';
import { renderTools } from '../../../localcloud/commands/toolchainCommand';
import { renderProgress } from '../../../localcloud/toolchain';
import type { BuildPlan, BuildProgress } from '../../../localcloud/toolchain';

const plan: BuildPlan = {
  tools: ['etcd', 'helm'],
  minutes: 9,
  processors: 2,
  diskBytes: 6.2e9,
  freeBytes: 64e9,
  memoryBytes: 3e9,
};

const compiling: BuildProgress = {
  seconds: 95,
  compiling: { tools: ['etcd', 'helm'], packages: 96, of: 1480 },
  linking: [],
  next: ['kwok'],
};

describe('what is told of a build', () => {
  it('before it: what is compiled, how long that takes here, and what it takes', () => {
    expect(renderPlan(plan)).toBe(
      "To be compiled, once, from their vendors' Go modules: etcd, helm.\n" +
        "This takes about 9 min with 2 processors and nothing else to do, less where Go's\n" +
        'caches help; 6 GB of disk (64 GB are free) and 3 GB of memory.',
    );
  });

  it.each<[BuildProgress, string]>([
    [compiling, 'compiling 96 of 1,480 packages for etcd, helm; then kwok'],
    [
      { ...compiling, linking: ['pulumi'], downloads: { megabytes: 310.4, of: 400 } },
      'compiling 96 of 1,480 packages for etcd, helm; linking pulumi; downloaded 310 of about 400 MB; then kwok',
    ],
    [{ seconds: 1, linking: ['helm'], next: [] }, 'linking helm'],
  ])('%j', (progress, line) => {
    expect(renderProgress(progress)).toBe(line);
  });

  it('in a log: one line each half minute, and one at the end', () => {
    const lines: string[] = [];
    let now = 0;
    const log = new BuildLog(
      (line) => lines.push(line),
      () => now,
    );
    log.plan(plan);
    for (now = 1000; now <= 95_000; now += 1000) log.progress(compiling);
    now = 725_000;
    log.end();

    expect(lines.slice(1)).toEqual([
      '  0:30 compiling 96 of 1,480 packages for etcd, helm; then kwok',
      '  1:00 compiling 96 of 1,480 packages for etcd, helm; then kwok',
      '  1:30 compiling 96 of 1,480 packages for etcd, helm; then kwok',
      ' 12:05 the toolchain is complete',
    ]);
  });

  it('in the log of who waits: what the other process is at', () => {
    const lines: string[] = [];
    const log = new BuildLog(
      (line) => lines.push(line),
      () => 0,
    );
    log.waiting('');
    expect(lines).toEqual(['  0:00 another process builds the toolchain']);
  });

  it('where nothing is missing: nothing', () => {
    const lines: string[] = [];
    new BuildLog(
      (line) => lines.push(line),
      () => 0,
    ).end();
    expect(lines).toEqual([]);
  });
});

it('the table says where each program comes from, and below it why it is not another', () => {
  const text = renderTools(
    [
      { tool: 'etcd', version: '3.6.9', source: 'installed', path: '/usr/bin/etcd', bytes: 27e6, why: [] },
      {
        tool: 'helm',
        version: '3.22.0',
        source: 'built',
        path: '/cache/helm',
        bytes: 76e6,
        why: ['/bin/helm is 3.1.0'],
      },
      { tool: 'kwok', version: '0.8.0', source: 'missing', why: ['it was never built here'] },
    ],
    { cacheDir: '/cache' },
  );
  const rows = text.split('\n').map((line) =>
    line
      .split('│')
      .map((cell) => cell.trim())
      .filter(Boolean),
  );
  expect(rows).toContainEqual(['etcd', '3.6.9', '/usr/bin/etcd', '27']);
  expect(rows).toContainEqual(['helm', '3.22.0', 'the cache', '76']);
  expect(rows).toContainEqual(['kwok', '0.8.0', 'to be built']);
  expect(text).toMatch(
    /Cache: \/cache\n\n {2}helm: \/bin\/helm is 3\.1\.0\n {2}kwok: it was never built here\n$/,
  );
});
