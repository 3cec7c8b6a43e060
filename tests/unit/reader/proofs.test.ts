import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { proofsOf } from '../../../examples/reader/secretSource';

const nothing = { vaultUri: undefined, secretNames: [], filesFolder: undefined, variables: [] };

describe('what the reader proves', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reader-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is each secret in each way that is configured', async () => {
    writeFileSync(path.join(folder, 'one'), 'of the file');
    const vault = { read: (name: string) => Promise.resolve(`of the vault: ${name}`) };

    const proofs = proofsOf(
      { vaultUri: 'https://kv', secretNames: ['one'], filesFolder: folder, variables: ['ONE'] },
      { ONE: 'of the variable' },
      () => vault,
    );

    expect([...proofs.keys()]).toEqual(['one', 'file one', 'variable ONE']);
    expect(await Promise.all([...proofs.values()].map((read) => read()))).toEqual([
      'of the vault: one',
      'of the file',
      'of the variable',
    ]);
  });

  it('opens no vault if none is configured', () => {
    const open = jest.fn();
    expect(proofsOf({ ...nothing, variables: ['ONE'] }, {}, open).size).toBe(1);
    expect(open).not.toHaveBeenCalled();
  });

  it.each([
    ['a file that is missing', { secretNames: ['gone'] }, 'ENOENT'],
    ['a file that is empty', { secretNames: ['empty'] }, 'empty'],
    ['a variable that is missing', { filesFolder: undefined, variables: ['GONE'] }, 'variable GONE is empty'],
    ['a variable that is empty', { filesFolder: undefined, variables: ['EMPTY'] }, 'variable EMPTY is empty'],
  ])('is not proved by %s', async (_title, change, message) => {
    writeFileSync(path.join(folder, 'empty'), '');

    const [read] = [...proofsOf({ ...nothing, filesFolder: folder, ...change }, { EMPTY: '' }).values()];

    await expect(read?.()).rejects.toThrow(message);
  });
});
