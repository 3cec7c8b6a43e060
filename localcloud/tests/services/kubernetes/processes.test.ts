import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stopOrphanedProcesses } from '../../../kubernetes/process/orphanedProcesses';
import { readRecords } from '../../../kubernetes/process/record';
import { run } from '../../../kubernetes/process/run';
import { SupervisedProcess } from '../../../kubernetes/process/supervised';
import { Miss, until } from '../../support/kubernetes/client';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;
const alive = (pid: number | undefined) => existsSync(`/proc/${pid ?? 0}/stat`);

describe('processes', () => {
  let folder: string;
  const options = (script: string, name = 'program') => ({
    name,
    argv: ['/bin/sh', '-c', script],
    env: { PATH: '/usr/bin:/bin', OWN: 'yes' },
    cwd: folder,
    logFile: path.join(folder, `${name}.log`),
    recordFolder: path.join(folder, 'pids'),
  });
  const log = (name = 'program') => readFileSync(path.join(folder, `${name}.log`), 'utf8');
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'processes-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('have only the environment that they are started with, a log, and a record while they run', async () => {
    const untilEnd = 'until [ -e end ]; do sleep 0.05; done';
    const process = run(options(`env; read -r line < /dev/zero & ${untilEnd}; exit 5`));
    expect(readRecords(path.join(folder, 'pids')).map(({ pid }) => pid)).toEqual([process.pid]);
    writeFileSync(path.join(folder, 'end'), '');
    expect(await process.exited).toEqual({ code: 5 });
    expect(readRecords(path.join(folder, 'pids'))).toEqual([]);
    const names = log()
      .split('\n')
      .map((line) => line.split('=')[0] ?? '');
    expect(names).toContain('OWN');
    expect(names).not.toContain('HOME');
  });

  it('that cannot be started have the reason in their log', async () => {
    const process = run({ ...options(''), argv: ['/nowhere/program'] });
    expect(await process.exited).toEqual({ code: 127 });
    expect(log()).toContain('/nowhere/program: cannot be started');
  });

  it('are killed with their children when they ignore SIGTERM', async () => {
    const process = run(options('trap "" TERM; sleep 1000 & echo "child $!"; while :; do sleep 1000; done'));
    const child = await until('its child', () => {
      const match = /child (\d+)/.exec(log());
      return match ? Number(match[1]) : new Miss(log());
    });
    expect(await process.stop(100)).toEqual({ code: 137, signal: 'SIGKILL' });
    await until('the child is gone', () => (alive(child) ? new Miss('alive') : true));
  });

  it('left by a killed daemon are stopped, and nothing else is', async () => {
    const left = run(options('exec sleep 1000', 'left'));
    const stubborn = run(options('trap "" TERM; echo trapped; while :; do sleep 0.1; done', 'stubborn'));
    await until('the trap', () => (log('stubborn').includes('trapped') ? true : new Miss('')));
    expect((await stopOrphanedProcesses(path.join(folder, 'pids'), 200)).sort()).toEqual([
      'left',
      'stubborn',
    ]);
    expect(await left.exited).toMatchObject({ signal: 'SIGTERM' });
    expect(await stubborn.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(await stopOrphanedProcesses(path.join(folder, 'pids'))).toEqual([]);
  });

  it('that are supervised are restarted when they die', async () => {
    const supervised = new SupervisedProcess(options('exec sleep 1000'), quiet);
    supervised.start();
    const { pid } = supervised.status();
    process.kill(pid ?? 0, 'SIGKILL');
    const next = await until('another process', () => {
      const { pid: seen, restarts } = supervised.status();
      return seen !== undefined && restarts === 1 ? seen : new Miss(String(seen));
    });
    expect(next).not.toBe(pid);
    await supervised.stop();
    expect(alive(next)).toBe(false);
  });

  it('that never get ready fail with their name, log file and last words', async () => {
    const supervised = new SupervisedProcess(
      options('echo "port is taken" >&2; exit 3', 'kube-thing'),
      quiet,
    );
    supervised.start();
    const failure = supervised.ready(() => Promise.resolve(false), 60_000, never);
    await expect(failure).rejects.toThrow(/kube-thing ended \d+ times, last with exit code 3/);
    await expect(failure).rejects.toThrow(`${path.join(folder, 'kube-thing.log')}:\nport is taken`);
    await supervised.stop();
  });
});
