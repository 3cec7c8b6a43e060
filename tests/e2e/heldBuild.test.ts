import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { locateInstance } from '../../localcloud/daemon/instance';
import { readServing } from '../../localcloud/daemon/runFile';
import { openToolchain } from '../../localcloud/toolchain';
import { projectRoot, runCommand } from '../support/command';

/**
 * `aks-wi up` during a build of any length: the cache lacks one program, and a fake Go on PATH waits for a
 * signal. This does not prove how long a real build takes.
 */
describe('a build that is held up', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'held-build-'));
  const cache = path.join(root, 'cache');
  const state = path.join(root, 'state');
  const held = path.join(root, 'held');
  const release = path.join(root, 'release');
  const instance = locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: state });
  const env = {
    AKS_WI_CACHE: cache,
    PATH: `${path.join(root, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
  let up: ChildProcess;
  let output = '';

  beforeAll(async () => {
    const binary = await openToolchain({
      projectRoot,
      cacheDir: locateInstance(projectRoot).cacheDir,
    }).require('cert-manager');
    copyWithout(path.dirname(path.dirname(binary)), path.join(cache, 'toolchain'), path.basename(binary));
    mkdirSync(path.join(root, 'bin'));
    const go = path.join(root, 'bin', 'go');
    writeFileSync(
      go,
      `#!/bin/sh
case $1 in
  version) echo go version go1.99.0 linux/amd64 ;;
  list) echo one; echo two ;;
  env) echo ${root} ;;
  build)
    touch ${held}
    while [ ! -e ${release} ]; do sleep 0.1; done
    while [ "$1" != -o ]; do shift; done
    cp ${binary} "$2localcloud" ;;
esac`,
    );
    chmodSync(go, 0o755);
    up = spawn(process.execPath, [path.join(projectRoot, 'cli', 'bin.mjs'), 'up'], {
      cwd: projectRoot,
      env: { ...process.env, AKS_WI_STATE: state, ...env },
    });
    for (const stream of [up.stdout, up.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => existsSync(held));
  }, 60_000);

  afterAll(async () => {
    up.kill('SIGINT');
    if (up.exitCode === null) await once(up, 'exit');
    await runCommand(['clean', '--yes'], { state, env });
    rmSync(root, { recursive: true, force: true });
  }, 60_000);

  /** Waits for a condition; fails as soon as `up` has ended. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (up.exitCode !== null) throw new Error(`up ended with ${up.exitCode}\n${output}`);
      await pause(50);
    }
  }

  it('is announced with its cost', () => {
    expect(output).toMatch(
      /^These programs will be compiled, once, .*: cert-manager\.\nThis takes about \d+ min on an idle machine with \d+ processor/,
    );
  });

  it('delays everything with a time limit: no local cloud, no engine, no release has started', async () => {
    const status = await runCommand(['cloud', 'status', '--json'], { state, env });
    expect(JSON.parse(status.stdout)).toMatchObject({ running: false, clusters: [] });
    expect(existsSync(instance.pulumiBackend)).toBe(false);
  });

  it('shows a second start what it waits for', async () => {
    await until(() =>
      readFileSync(path.join(cache, 'toolchain', 'building.txt'), 'utf8').startsWith('compiling'),
    );
    const second = spawn(process.execPath, [path.join(projectRoot, 'cli', 'bin.mjs'), 'toolchain', 'build'], {
      cwd: projectRoot,
      env: { ...process.env, AKS_WI_STATE: state, ...env },
    });
    const [reported] = (await once(second.stdout, 'data')) as [Buffer];
    second.kill('SIGINT');
    expect(reported.toString()).toContain(
      'another process is building the toolchain: compiling 0 of 2 packages for cert-manager',
    );
  });

  it('lets the rest continue at its end', async () => {
    writeFileSync(release, '');
    await until(() => readServing(instance.runFile) !== undefined);
    await until(() => output.includes('Local cloud started'));
  });
});

/** A copy of the cache by links, without one program. */
function copyWithout(from: string, to: string, without: string): void {
  for (const folder of readdirSync(from, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    mkdirSync(path.join(to, folder.name), { recursive: true });
    for (const file of readdirSync(path.join(from, folder.name))) {
      if (file !== without) symlinkSync(path.join(from, folder.name, file), path.join(to, folder.name, file));
    }
  }
}
