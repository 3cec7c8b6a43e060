import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cloudCommand } from '../../../commands/cloudCommand';
import type { Confirmed } from '../../../commands/change';
import { openInstanceToolchain } from '../../../commands/context';
import { renderSaves } from '../../../commands/saves/commands';
import { differences, readManifest, writeManifest } from '../../../commands/saves/manifest';
import {
  locateSave,
  requireForgettable,
  requireSave,
  saveNames,
  wouldReplace,
} from '../../../commands/saves/place';
import { versionsHere } from '../../../commands/saves/versions';
import { UserError } from '../../../userError';
import { locateInstance, type Instance } from '../../../daemon/instance';
import { acquireLock } from '../../../lock';
import { COMMAND, commandLine, PROGRAM, PROJECT, variable } from '../../../project';

const projectRoot = path.resolve(__dirname, '../../../..');

let root: string;
let instance: Instance;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'saves-'));
  instance = locateInstance(projectRoot, { [variable('STATE')]: path.join(root, '.state') });
});
afterEach(() => rmSync(root, { recursive: true }));

const manifest = {
  savedAt: '2026-11-24T10:00:00.000Z',
  versions: { etcd: '0.1.0', 'kube-apiserver': '1.36.3' },
  stacks: ['local', 'dev'],
  files: 2,
  bytes: 153_900_000,
};

/** A whole save. */
function make(name: string) {
  const save = locateSave(instance, name);
  mkdirSync(path.join(save.folder, 'local'), { recursive: true });
  writeManifest(save.folder, manifest);
  return save;
}

/** Message and hint of the error that it throws. */
function refused(run: () => unknown): { message: string; hint: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Agrees with `--yes`, and says else what is asked. */
const confirmed: Confirmed = ({ yes }, done, effect) =>
  yes ? Promise.resolve(true) : Promise.reject(new UserError(`Nothing was ${done}: ${effect}.`));

/** `cloud …`, with what it prints. */
async function cloud(...args: string[]): Promise<string> {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await cloudCommand(instance, confirmed).parseAsync(args, { from: 'user' });
    return written.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    written.mockRestore();
  }
}

describe('the name of a save', () => {
  it.each(['base', 'v1.2-rc_3', '_', '7', 'a'.repeat(100)])('can be %s', (name) => {
    expect(locateSave(instance, name)).toEqual({ name, folder: path.join(root, '.state/saves', name) });
  });

  it.each(['', '.', '..', '.hidden', '-yes', 'a b', 'größe', 'a\n', 'a'.repeat(101)])(
    'cannot be %j',
    (name) => {
      expect(refused(() => locateSave(instance, name))).toMatchObject({
        message: `'${name}' is not a valid name of a save.`,
        hint: expect.stringContaining('letters, digits, dots, hyphens and underscores') as string,
      });
    },
  );

  it('can be a path, of the same folder for every state folder', () => {
    const other = locateInstance(projectRoot, { [variable('STATE')]: path.join(root, 'other') });
    expect(locateSave(instance, './common/base').folder).toBe(path.resolve('common/base'));
    expect(locateSave(other, './common/base')).toEqual(locateSave(instance, './common/base'));
  });

  it.each(['', '/saves/base'])('cannot be a path in the state itself: %j', (inside) => {
    expect(() => locateSave(instance, `${instance.folder}${inside}`)).toThrow(
      'is inside the state of the local cloud, which cannot contain its own save',
    );
  });
});

describe('a save that is asked for', () => {
  it('that does not exist is refused with the names that do', () => {
    expect(refused(() => requireSave(instance, locateSave(instance, 'base')))).toMatchObject({
      message: 'There is no save base.',
      hint: `There are no saves yet: ${commandLine('cloud save NAME')} makes one.`,
    });
    for (const name of ['other', 'another']) make(name);
    expect(refused(() => requireSave(instance, locateSave(instance, 'base')))).toMatchObject({
      hint: 'The saves are: another, other.',
    });
  });

  it.each([
    ['without a manifest', undefined, 'it has no manifest'],
    ['with half a manifest', '{"files":1', 'its manifest is damaged'],
    ['with an incomplete manifest', '{"files":1}', 'its manifest is damaged'],
  ])('is refused %s', (_what, text, problem) => {
    const save = make('base');
    const file = path.join(save.folder, `${PROGRAM}-save.json`);
    rmSync(file);
    if (text !== undefined) writeFileSync(file, text);
    expect(refused(() => requireSave(instance, save))).toMatchObject({
      message: `The save base cannot be restored: ${problem}.`,
      hint: expect.stringContaining(`${COMMAND} cloud save base --yes`) as string,
    });
    expect(renderSaves([{ name: 'base', ...readManifest(save.folder) }])).toContain(problem);
  });
});

describe('a save of another version', () => {
  it('differs in what decides whether it can be read', () => {
    expect(differences(manifest, { ...manifest.versions })).toEqual([]);
    expect(
      differences(manifest, { etcd: '3.7.0', '@pulumi/tls': '5.6.1', 'kube-apiserver': '1.36.3' }),
    ).toEqual([
      'etcd is 3.7.0 here and 0.1.0 in the save',
      '@pulumi/tls is 5.6.1 here and not used in the save',
    ]);
  });

  it('is one of this project, its programs or its plugins', async () => {
    const tools = (['etcd', 'kube-apiserver', 'pulumi', 'kwok'] as const).map((tool) => ({
      ...{ tool, version: '1.0.0', source: 'built' as const, why: [] },
    }));
    const versions = await versionsHere(
      { projectRoot },
      { status: () => Promise.resolve({ tools, charts: true }) },
    );
    const [, ...others] = Object.keys(versions);
    expect(others.sort()).toEqual([
      ...['@pulumi/azure-native', '@pulumi/azuread', '@pulumi/kubernetes', '@pulumi/tls'],
      ...['etcd', 'kube-apiserver', 'pulumi'],
    ]);
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('a place that is taken', () => {
  it('is replaced only if it has a save', () => {
    expect(wouldReplace(locateSave(instance, 'base'))).toBe(false);
    expect(wouldReplace(make('base'))).toBe(true);
  });

  it('is never replaced nor deleted if it has anything else', () => {
    const folder = path.join(root, 'thesis');
    mkdirSync(folder);
    const place = locateSave(instance, folder);
    expect(() => wouldReplace(place)).toThrow(`${folder} is not a save`);
    expect(() => requireForgettable(instance, place)).toThrow(`${folder} is not a save`);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('the commands', () => {
  it('list the saves, damaged ones too, and delete them', async () => {
    expect(await cloud('saved')).toContain('There are no saves yet');
    make('base');
    mkdirSync(locateSave(instance, 'torn').folder);
    // What an interrupted save left.
    mkdirSync(path.join(root, '.state/saves/.base.unfinished'));
    const table = await cloud('saved');
    for (const text of ['base', '154', 'local, dev', '1.36.3', 'torn', 'it has no manifest'])
      expect(table).toContain(text);
    expect(table).not.toContain('unfinished');
    expect(JSON.parse(await cloud('saved', '--json'))).toEqual([
      { name: 'base', ...manifest },
      { name: 'torn', problem: 'it has no manifest' },
    ]);

    await expect(cloud('forget', 'torn')).rejects.toThrow(
      'Nothing was deleted: this would delete the save torn.',
    );
    expect(await cloud('forget', 'torn', '--yes')).toBe('The save torn is deleted.\n');
    expect(saveNames(instance)).toEqual(['base']);
    await expect(cloud('forget', 'torn')).rejects.toThrow('There is no save torn.');
  });

  it('save nothing where nothing was deployed', async () => {
    await expect(cloud('save', 'base')).rejects.toThrow('there is nothing to save');
    expect(existsSync(instance.folder)).toBe(false);
  });

  it('save nothing while another command works', async () => {
    mkdirSync(instance.pulumiBackend, { recursive: true });
    const release = acquireLock(path.join(instance.folder, 'command.lock'));
    await expect(cloud('save', 'base')).rejects.toThrow('`cloud save` cannot run while another command');
    release();
  });

  it('save nothing during an update', async () => {
    const pulumi = path.join(root, 'pulumi');
    copyFileSync('/bin/sleep', pulumi);
    const engine = spawn(pulumi, ['60']);
    const inBackend = (...names: string[]) => path.join(instance.pulumiBackend, '.pulumi', ...names);
    const locks = inBackend('locks', 'organization', PROJECT, 'dev');
    const stacks = inBackend('stacks', PROJECT);
    for (const folder of [locks, stacks]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(stacks, 'dev.json'), '{}');
    writeFileSync(path.join(locks, 'a.json'), JSON.stringify({ pid: engine.pid }));

    await expect(cloud('save', 'base')).rejects.toThrow('Stack dev is being updated by pulumi');
    engine.kill();
    expect(saveNames(instance)).toEqual([]);
  });

  it('restore nothing that another version saved', async () => {
    make('base');
    await expect(cloud('restore', 'base')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The save base does not fit this version: .*etcd is \d[\d.]* here and 0\.1\.0 in the save/,
      ) as string,
      hint: expect.stringContaining('Check out the version that made the save') as string,
    });
    expect(existsSync(instance.folder)).toBe(false);
  });

  it('replace no state without --yes', async () => {
    const save = make('base');
    const toolchain = openInstanceToolchain(instance);
    writeManifest(save.folder, { ...manifest, versions: await versionsHere(instance, toolchain) });
    mkdirSync(instance.pulumiBackend, { recursive: true });
    await expect(cloud('restore', 'base')).rejects.toThrow(
      `Nothing was restored: this would replace the state of the local cloud in ${instance.folder}`,
    );
  });
});
