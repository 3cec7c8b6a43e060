import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { acquireLock, LockedError, lockHolder } from '../../../lock';
import { processesWith, waitForEnd } from '../../../daemon/processes';
import { identifyProcess, isAlive, type ProcessIdentity } from '../../../processIdentity';
import { readRunRecord, readServing, writeRunRecord } from '../../../daemon/runFile';
import { variable } from '../../../project';

let folder = '';
let file = '';
/** A record of no living process: ids are below 2 ** 22 (proc(5), pid_max). */
const dead = JSON.stringify({ pid: 2 ** 22 + 1, startTicks: '1', bootId: 'any' });
const self = (): ProcessIdentity => {
  const identity = identifyProcess(process.pid);
  if (identity === undefined) throw new Error('no /proc');
  return identity;
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  file = path.join(folder, 'a.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lock of a state folder', () => {
  it('is held once until it is released', () => {
    const release = acquireLock(file);
    expect(() => acquireLock(file)).toThrow(LockedError);
    expect(lockHolder(file)?.pid).toBe(process.pid);
    release();
    expect(lockHolder(file)).toBeUndefined();
    acquireLock(file)();
  });

  it('is readable for every user, who cannot tell otherwise whether its holder lives', () => {
    const release = acquireLock(file);
    expect(statSync(file).mode & 0o044).toBe(0o044);
    release();
  });

  it('is refused, not waited for, if it cannot be read', () => {
    mkdirSync(file);
    expect(() => acquireLock(file)).toThrow(/^EISDIR/);
  });

  it.each([
    ['of a dead process', dead],
    ['of an earlier process with the same id', JSON.stringify({ ...self(), startTicks: '1' })],
    [
      'of a process of another boot with the same id and start',
      JSON.stringify({ ...self(), bootId: 'another' }),
    ],
    ['that was half written', '{"pid":'],
  ])('%s is taken over', (_what, content) => {
    writeFileSync(file, content);
    const release = acquireLock(file);
    expect((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid).toBe(process.pid);
    release();
  });
});

describe('a takeover that was killed', () => {
  it('is taken over itself', () => {
    writeFileSync(file, dead);
    writeFileSync(`${file}.takeover`, dead);
    acquireLock(file)();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a lock that several commands want to take over', () => {
  it('is acquired by one of them, and the first holder keeps it', async () => {
    const script = path.join(folder, 'take.cjs');
    await build({
      stdin: {
        contents: `import { acquireLock } from './lock';
          const file = process.argv[2];
          process.stdin.once('data', () => {
            try { acquireLock(file); process.stdout.write('held'); } catch { process.stdout.write('refused'); }
          });
          process.stdin.on('end', () => process.exit(0));
          process.stdout.write('ready ');`,
        resolveDir: path.resolve(__dirname, '../../..'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      outfile: script,
    });
    writeFileSync(file, dead);
    const takers = Array.from({ length: 4 }, () => spawn(process.execPath, [script, file]));
    const outputs = takers.map(() => '');
    const untilAllPrint = (word: RegExp): Promise<void> =>
      new Promise((resolve) => {
        const look = () => outputs.every((text) => word.test(text)) && resolve();
        takers.forEach((taker, index) =>
          taker.stdout.on('data', (chunk: Buffer) => {
            outputs[index] = (outputs[index] ?? '') + chunk.toString();
            look();
          }),
        );
      });
    await untilAllPrint(/ready/);
    const outcome = untilAllPrint(/held|refused/);
    for (const taker of takers) taker.stdin.write('go');
    await outcome;
    for (const taker of takers) taker.stdin.end();
    expect(outputs.filter((text) => text.endsWith('held'))).toHaveLength(1);
  });
});

describe('a process', () => {
  it('is known by its id, its start and its boot', () => {
    expect(isAlive(self())).toBe(true);
    expect(isAlive({ ...self(), startTicks: '1' })).toBe(false);
    expect(isAlive({ ...self(), bootId: 'another' })).toBe(false);
    expect(identifyProcess(2 ** 22 + 1)).toBeUndefined();
  });

  it('that is gone is not waited for', async () => {
    await expect(waitForEnd([{ ...self(), startTicks: '1' }], 0)).resolves.toBe(true);
  });

  it('is not found by a variable that no process has', () => {
    expect(processesWith(variable('INSTANCE'), folder)).toEqual([]);
  });
});

describe('the record of a serving local cloud', () => {
  const ports = { startedAt: '2026-01-01T00:00:00Z', azurePort: 1, proxyPort: 2 };

  it('counts while its process lives', () => {
    const record = path.join(folder, 'run.json');
    writeRunRecord(record, { ...self(), ...ports });
    expect(readServing(record)).toMatchObject(ports);
    writeRunRecord(record, { ...self(), startTicks: '1', ...ports });
    expect(readServing(record)).toBeUndefined();
    expect(readRunRecord(record)).toMatchObject(ports);
  });

  it('that is damaged counts as none', () => {
    const record = path.join(folder, 'run.json');
    writeFileSync(record, '{');
    expect(readRunRecord(record)).toBeUndefined();
  });
});
