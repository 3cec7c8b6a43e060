import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tailLog } from '../../../kubernetes/process/log';
import { readRecords, removeRecord, writeRecord } from '../../../kubernetes/process/record';
import { identifyProcess, isAlive } from '../../../processIdentity';

describe('records of processes', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'records-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('identify the process that they were written for', () => {
    writeRecord(folder, 'pod default/a main', process.pid);
    const [record] = readRecords(folder);
    expect(record).toMatchObject({
      name: 'pod default/a main',
      ...identifyProcess(process.pid),
    });
    expect(record && isAlive(record)).toBe(true);
    removeRecord(folder, 'pod default/a main');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([{ startTicks: '1' }, { bootId: 'of another boot' }, { pid: 2 ** 22 + 1 }])(
    'do not identify another process with the same pid: %j',
    (difference) => {
      writeRecord(folder, 'etcd', process.pid);
      const [record] = readRecords(folder);
      expect(record && isAlive({ ...record, ...difference })).toBe(false);
    },
  );

  it('are ignored if they are invalid', () => {
    writeFileSync(path.join(folder, 'a.json'), '{"pid":');
    writeFileSync(path.join(folder, 'b.json'), '{"pid":"1"}');
    expect(readRecords(folder)).toEqual([]);
    expect(readRecords(path.join(folder, 'absent'))).toEqual([]);
  });
});

describe('the end of a log', () => {
  it('is its last lines', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'log-'));
    const file = path.join(folder, 'x.log');
    writeFileSync(file, Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n') + '\n');
    expect(tailLog(file, 2)).toBe('line 48\nline 49');
    expect(tailLog(path.join(folder, 'absent'))).toBe('');
    rmSync(folder, { recursive: true });
  });
});
