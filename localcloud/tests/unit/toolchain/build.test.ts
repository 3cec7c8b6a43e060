import { existsSync, readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Interrupted } from '../../../toolchain';
import { Workshop, failureOf } from './workshop';
import type { FakeGo } from './workshop';

/** Shell code that signals its start, and waits until the test continues it. */
const hold = (name: string) =>
  `touch "$ROOT/${name}-held"; while [ ! -e "$ROOT/${name}" ]; do sleep 0.02; done`;
/** Shell code that runs in one module only. */
const inModule = (module: string, script: string) => `case $PWD in */modules/${module}) ${script} ;; esac`;
/** The packages that `go list` reports as missing, and the output of `go build -v` for them. */
const lacks = 'echo example.org/package';
const compiles = `${lacks} >&2`;

/** These tests use a fake Go that tests can pause. They do not prove that the real Go prints the same. */
describe('a build of the whole toolchain', () => {
  let workshop: Workshop;
  let build: Promise<void>;
  afterEach(() => workshop.close());

  async function begin(go: FakeGo): Promise<void> {
    workshop = await Workshop.open({ onList: lacks, ...go });
    build = workshop.build({ ROOT: workshop.root });
    build.catch(() => undefined);
  }
  const calls = (): string => {
    const file = path.join(workshop.root, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await pause(10);
  };
  const isHeld = (name: string) => until(() => existsSync(path.join(workshop.root, `${name}-held`)));
  const letGo = (name: string) => writeFile(path.join(workshop.root, name), '');
  /** Checks that no incomplete file is left, and the lock is free. */
  async function expectHealed(): Promise<void> {
    await workshop.installGo({});
    await workshop.build();
    const left = await readdir(path.join(workshop.cache, 'toolchain'), { recursive: true });
    expect(left.filter((name) => /building|lock/.test(name))).toEqual([]);
  }

  it('downloads for later builds while the first compiles, and for the charts', async () => {
    await begin({ onBuild: inModule('core', hold('core')) });
    await isHeld('core');

    // The charts come last.
    await until(() => calls().includes('mod download -json github.com/cert-manager/cert-manager'));

    expect(await workshop.builds()).toHaveLength(1);
    await letGo('core');
    await build;
  });

  it('compiles the next module while the last one links, and not before', async () => {
    await begin({ onBuild: inModule('core', `${hold('core')}; ${compiles}; ${hold('link')}`) });
    await isHeld('core');
    await until(() => calls().includes('controller-gen'));
    expect(await workshop.builds()).toHaveLength(1);

    await letGo('core');
    await until(() => calls().split('|build ').length > 2);

    expect(existsSync(path.join(workshop.root, 'link'))).toBe(false);
    await letGo('link');
    await build;
  });

  it('ends at the first failed compilation, without waiting for downloads', async () => {
    await begin({
      onList: `${lacks}; ${inModule('cert-manager', hold('fetch'))}`,
      onBuild: inModule(
        'core',
        'while [ ! -e "$ROOT/fetch-held" ]; do sleep 0.02; done; echo it is broken >&2; exit 1',
      ),
    });

    expect((await failureOf(build)).message).toMatch(/^Building pulumi, .*broken/s);
    expect(await workshop.builds()).toHaveLength(1);
    await expectHealed();
  });

  it('ends at the first failed download, without waiting for compilations', async () => {
    await begin({
      onList: `${lacks}; ${inModule('secrets-store', 'echo "x@v1: dial tcp: connection refused" >&2; exit 1')}`,
      onBuild: inModule('core', hold('core')),
    });

    const error = await failureOf(build);

    expect(error.message).toContain('could not be downloaded');
    await expectHealed();
  });

  it('ends with Go’s message when linking fails, and ends the generator of definitions', async () => {
    await begin({
      generator: `sleep 30 > /dev/null 2>&1 & trap 'kill '$!'; touch "$ROOT/ended"; exit' TERM; touch "$ROOT/generating"; wait`,
      onBuild:
        'case "$*" in *azure-service-operator/v2/internal*) ' +
        `${compiles}; ` +
        'while [ ! -e "$ROOT/generating" ]; do sleep 0.02; done; echo no link >&2; exit 1 ;; esac',
    });

    expect((await failureOf(build)).message).toMatch(/^Building azure-service-operator.*no link/s);
    await until(() => existsSync(path.join(workshop.root, 'ended')));
    await expectHealed();
  });

  it('leaves out what only tests run, but for what is asked for', async () => {
    workshop = await Workshop.open();
    await workshop.toolchain().build({}, { also: ['jobset'] });

    const { tools } = await workshop.toolchain().status();
    const missing = tools.flatMap(({ tool, source }) => (source === 'missing' ? [tool] : []));
    expect(missing).toEqual([
      'pulumi-language-yaml',
      'hosted-cluster-pod',
      'hypershift-operator',
      'aad-pod-identity',
    ]);
  });

  it('is interrupted by Ctrl-C, says so, and continues the next time', async () => {
    await begin({ onBuild: inModule('core', hold('core')) });
    await isHeld('core');

    process.emit('SIGINT');

    expect(await failureOf(build)).toBeInstanceOf(Interrupted);
    await expectHealed();
  });
});
