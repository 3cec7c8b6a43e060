import { logDisplay, renderPlan, terminalDisplay } from '../../../commands/toolchainBuild';
import { openInstanceToolchain } from '../../../commands/context';
import { renderTools, toolchainCommand } from '../../../commands/toolchainCommand';
import { locateInstance } from '../../../daemon/instance';
import type { BuildPlan, Toolchain } from '../../../toolchain';
import type { BuildProgress } from '../../../toolchain/progress';
import { renderProgress } from '../../../toolchain/progress';

jest.mock('../../../commands/context', () => ({ openInstanceToolchain: jest.fn() }));

const plan: BuildPlan = {
  tools: ['etcd', 'helm'],
  minutes: 9,
  processors: 2,
  diskBytes: 6.2e9,
  freeBytes: 64e9,
  memoryBytes: 3e9,
};

const compiling: BuildProgress = {
  compiling: { tools: ['etcd', 'helm'], packages: 96, of: 1480 },
  linking: [],
  next: ['kwok'],
};

describe('the messages about a build', () => {
  it('before it: tools, duration, disk and memory', () => {
    expect(renderPlan(plan)).toBe(
      "These programs will be compiled, once, from their vendors' Go modules: etcd, helm.\n" +
        "This takes about 9 min on an idle machine with 2 processors, less if Go's caches are filled.\n" +
        'It needs 6.2 GB of disk (64 GB are free) and 3.0 GB of memory.',
    );
  });

  it.each<[BuildProgress, string]>([
    [compiling, 'compiling 96 of 1,480 packages for etcd, helm; then kwok'],
    [
      { ...compiling, linking: ['pulumi'], downloads: { megabytes: 310.4, of: 400 } },
      'compiling 96 of 1,480 packages for etcd, helm; linking pulumi; downloaded 310 of about 400 MB; then kwok',
    ],
    [{ linking: ['helm'], next: [] }, 'linking helm'],
  ])('%j', (progress, line) => {
    expect(renderProgress(progress)).toBe(line);
  });

  const written = (make: typeof logDisplay, columns?: number) => {
    const clock = { now: 0 };
    const text: string[] = [];
    const output = { write: (part: string) => text.push(part), ...(columns !== undefined && { columns }) };
    return { clock, text, display: make(output, () => clock.now) };
  };

  it('in a log: one line each half minute, with the elapsed time', () => {
    const { clock, text, display } = written(logDisplay);
    display.plan(plan);
    for (clock.now = 1000; clock.now <= 95_000; clock.now += 1000)
      display.progress(renderProgress(compiling));
    display.end();

    expect(text.slice(1)).toEqual([
      '  0:30 compiling 96 of 1,480 packages for etcd, helm; then kwok\n',
      '  1:00 compiling 96 of 1,480 packages for etcd, helm; then kwok\n',
      '  1:30 compiling 96 of 1,480 packages for etcd, helm; then kwok\n',
    ]);
  });

  it('on a terminal: first the plan, then one line that is redrawn each second and removed at the end', () => {
    const { clock, text, display } = written(terminalDisplay, 40);
    display.plan(plan);
    for (clock.now = 500; clock.now <= 2000; clock.now += 500) display.progress(renderProgress(compiling));
    display.end();

    expect(text).toEqual([
      `${renderPlan(plan)}\n`,
      '\r\x1b[K  0:01 compiling 96 of 1,480 packages f',
      '\r\x1b[K  0:02 compiling 96 of 1,480 packages f',
      '\r\x1b[K',
    ]);
  });

  it('while waiting: the progress of the other process, at once', () => {
    const { text, display } = written(logDisplay);
    display.progress('another process builds the toolchain');
    expect(text).toEqual(['  0:00 another process builds the toolchain\n']);
  });

  it('if nothing is missing: none', () => {
    const { text, display } = written(terminalDisplay);
    display.end();
    expect(text).toEqual([]);
  });
});

it('the table says where each program comes from, and below it why others do not fit', () => {
  const text = renderTools(
    {
      charts: false,
      tools: [
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
    },
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

it.each([
  [['build'], { tests: false, also: [] }],
  [['build', 'jobset'], { tests: false, also: ['jobset'] }],
  [['build', '--tests'], { tests: true, also: [] }],
])('%j builds what the tests run only if it is named', async (args, expected) => {
  const build = jest.fn<Promise<void>, Parameters<Toolchain['build']>>().mockResolvedValue(undefined);
  jest.mocked(openInstanceToolchain).mockReturnValue({ build } as unknown as Toolchain);
  const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await toolchainCommand(locateInstance('/project', {})).parseAsync(args, { from: 'user' });
  output.mockRestore();
  expect(build.mock.calls.map(([, options]) => options)).toEqual([expected]);
});
