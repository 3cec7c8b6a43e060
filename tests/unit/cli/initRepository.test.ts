import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProgram, runProgram } from '../../../cli/main';
import { capturedOutput } from './projectFolder';

// initFiles.test.ts says what it writes.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-init-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function init(...args: string[]) {
  const { written, spies } = capturedOutput();
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await runProgram(await createProgram(['init']), ['init', ...args]);
    return { ...written, code: process.exitCode };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

describe('aks-wi init <folder>', () => {
  it('refuses options of --from-azure, which it would ignore', async () => {
    const { stderr, code } = await init(path.join(folder, 'own'), '--stack', 'prod');
    expect(stderr).toContain('--stack only belongs to --from-azure.');
    expect(code).toBe(1);
  });

  it('refuses a file, and a folder whose name no package can have', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    expect((await init(path.join(folder, 'file'))).stderr).toContain(
      'file is a file.\n  → Name a new folder.',
    );
    expect((await init(path.join(folder, 'a"b'))).stderr).toContain('cannot be the name of a package.');
    expect(existsSync(path.join(folder, 'a"b'))).toBe(false);
  });
});
