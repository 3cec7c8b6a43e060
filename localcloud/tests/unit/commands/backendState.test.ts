import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stackExists } from '../../../commands/backendFiles';
import {
  lastRun,
  lockPids,
  pendingOperations,
  removeHalfWritten,
  renderChanges,
} from '../../../commands/backendState';
import { PROJECT } from '../../../project';

let pulumiBackend = '';
const write = (name: string, value: unknown): void => {
  const file = path.join(pulumiBackend, '.pulumi', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
};

const stack = `stacks/${PROJECT}/local.json`;

beforeEach(() => {
  pulumiBackend = mkdtempSync(path.join(tmpdir(), 'backend-'));
});
afterEach(() => rmSync(pulumiBackend, { recursive: true }));

describe('the file backend', () => {
  it('has nothing before the first run', () => {
    expect(stackExists({ pulumiBackend }, 'local')).toBe(false);
    expect(lockPids({ pulumiBackend }, 'local')).toEqual([]);
    expect(pendingOperations({ pulumiBackend }, 'local')).toEqual([]);
    expect(lastRun({ pulumiBackend }, 'local')).toBeUndefined();
  });

  it.each([[undefined], [null], [[]]])('may have no pending operation: %j', (pending_operations) => {
    write(stack, { version: 3, checkpoint: { latest: { pending_operations } } });
    expect(stackExists({ pulumiBackend }, 'local')).toBe(true);
    expect(pendingOperations({ pulumiBackend }, 'local')).toEqual([]);
  });

  it('returns the pending operations of a killed run', () => {
    const resource = {
      urn: 'urn:a',
      type: 'azure-native:resources:ResourceGroup',
      inputs: { resourceGroupName: 'rg' },
    };
    write(stack, { checkpoint: { latest: { pending_operations: [{ type: 'creating', resource }] } } });
    expect(pendingOperations({ pulumiBackend }, 'local')).toEqual([{ operation: 'creating', ...resource }]);
  });

  it('names the processes that hold the stack', () => {
    write(`locks/organization/${PROJECT}/local/a.json`, { pid: 17, username: 'u' });
    write(`locks/organization/${PROJECT}/local/b.json`, {});
    expect(lockPids({ pulumiBackend }, 'local').sort()).toEqual([0, 17]);
  });

  it('removes incomplete files, and nothing else', () => {
    write(stack, {});
    const folder = path.dirname(path.join(pulumiBackend, '.pulumi', stack));
    writeFileSync(path.join(folder, 'local.json.18e9.tmp'), '{');
    removeHalfWritten({ pulumiBackend }, 'local');
    expect(readdirSync(folder).sort()).toEqual(['local.json']);
  });

  it("leaves another stack's files alone: an engine may be writing them", () => {
    write(stack, {});
    write(`stacks/${PROJECT}/dev.json`, {});
    const folder = path.dirname(path.join(pulumiBackend, '.pulumi', stack));
    writeFileSync(path.join(folder, 'dev.json.18e9.tmp'), '{');
    write(`history/${PROJECT}/dev/a.json`, {});
    const history = path.join(pulumiBackend, '.pulumi', 'history', PROJECT, 'dev');
    writeFileSync(path.join(history, 'a.json.18e9.tmp'), '');
    removeHalfWritten({ pulumiBackend }, 'local');
    expect(readdirSync(folder)).toContain('dev.json.18e9.tmp');
    expect(readdirSync(history)).toContain('a.json.18e9.tmp');
    removeHalfWritten({ pulumiBackend }, 'dev');
    expect(readdirSync(folder).sort()).toEqual(['dev.json', 'local.json']);
    expect(readdirSync(history)).toEqual(['a.json']);
  });

  it('returns the newest run', () => {
    write(`history/${PROJECT}/local/local-1700000000000000001.history.json`, {
      resourceChanges: { create: 9 },
    });
    write(`history/${PROJECT}/local/local-1700000000000000002.history.json`, {
      kind: 'update',
      resourceChanges: { same: 9 },
    });
    expect(lastRun({ pulumiBackend }, 'local')).toEqual({ kind: 'update', resourceChanges: { same: 9 } });
  });
});

describe('the line of changes', () => {
  it.each([
    [{ same: 43 }, '0 to create, 0 to update, 0 to delete, 43 unchanged'],
    [{ create: 2, update: 1, delete: 3, same: 4 }, '2 to create, 1 to update, 3 to delete, 4 unchanged'],
    [{ replace: 1 }, '1 to create, 0 to update, 1 to delete, 0 unchanged'],
  ])('%j', (changes, expected) => {
    expect(renderChanges(changes)).toBe(expected);
  });
});
