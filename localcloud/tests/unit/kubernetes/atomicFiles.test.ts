import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeAtomically } from '../../../kubernetes/agent/atomicFiles';

const payload = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));

describe('files of a volume', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'volume-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const visible = () =>
    readdirSync(folder)
      .filter((name) => !name.startsWith('..'))
      .sort();
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  it('exist under their names, also in folders', async () => {
    expect(await writeAtomically(folder, payload({ 'tls.crt': 'one', 'a/b': 'two' }))).toBe(true);
    expect(visible()).toEqual(['a', 'tls.crt']);
    expect(read('tls.crt')).toBe('one');
    expect(read('a/b')).toBe('two');
  });

  it('are switched together, and the earlier generation is deleted', async () => {
    await writeAtomically(folder, payload({ crt: '1', key: '1', old: '1' }));
    const before = readlinkSync(path.join(folder, '..data'));
    expect(await writeAtomically(folder, payload({ crt: '2', key: '2', new: '2' }))).toBe(true);
    expect(readlinkSync(path.join(folder, '..data'))).not.toBe(before);
    expect(visible()).toEqual(['crt', 'key', 'new']);
    expect([read('crt'), read('key'), read('new')]).toEqual(['2', '2', '2']);
    expect(readdirSync(folder)).not.toContain(before);
  });

  it('are not touched when nothing has changed', async () => {
    await writeAtomically(folder, payload({ crt: '1', 'a/b': '1' }));
    const before = readlinkSync(path.join(folder, '..data'));
    expect(await writeAtomically(folder, payload({ crt: '1', 'a/b': '1' }))).toBe(false);
    expect(readlinkSync(path.join(folder, '..data'))).toBe(before);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', '', '..data'])('are never outside: %s', async (name) => {
    await expect(writeAtomically(folder, payload({ [name]: 'x' }))).rejects.toThrow(
      'leads out of the volume',
    );
    expect(visible()).toEqual([]);
  });
});
