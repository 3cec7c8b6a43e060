import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readOwnImages } from '../../../kubernetes';
import { IMAGES_VARIABLE } from '../../../kubernetes/ownImages';

describe('images of the user', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'own-images-'));
  const file = path.join(folder, 'images.yaml');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (text: string) => {
    writeFileSync(file, text);
    return readOwnImages(file);
  };

  it('are none without a file', () => {
    expect(readOwnImages(undefined)).toEqual({});
  });

  it('run a program beside the file, which finds its port in PORT', () => {
    const table = read('ghcr.io/a/b: { command: [./bin/b, serve], ports: [8080] }');
    const entry = table['ghcr.io/a/b'];
    expect(entry?.command).toEqual([path.join(folder, 'bin', 'b'), 'serve']);
    const context = {
      args: [],
      port: (port: number | string) => Number(port) + 1,
      mount: () => undefined,
      folder,
    };
    expect(entry?.env?.(context)).toEqual({ PORT: '8081', HOST: '127.0.0.1' });
  });

  it('take a program from PATH, and its port from the pod, where the file says nothing else', () => {
    const entry = read('b: { command: [node, /srv/b.js] }')['b'];
    expect(entry?.command).toEqual(['node', '/srv/b.js']);
    expect(entry?.env).toBeUndefined();
  });

  it.each([
    ['no program', 'b: { command: [] }'],
    ['an unknown key', 'b: { command: [b], port: 80 }'],
    ['a wrong port', 'b: { command: [b], ports: [0] }'],
    ['no YAML', 'b: ['],
  ])('are refused with %s', (_what, text) => {
    expect(() => read(text)).toThrow(
      new RegExp(`${IMAGES_VARIABLE}: .*images\\.yaml cannot be used: .*Allowed:`, 's'),
    );
  });

  it('are refused if the file is not there', () => {
    expect(() => readOwnImages(path.join(folder, 'none.yaml'))).toThrow(
      /none\.yaml cannot be used: .*ENOENT/,
    );
  });
});
