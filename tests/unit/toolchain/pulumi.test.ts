import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fitsSdk } from '../../../localcloud/toolchain/installedPulumi';
import { Workshop, failureOf } from './workshop';

describe('an installed Pulumi', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  async function installPulumi(version: string, folder = workshop.path): Promise<void> {
    await workshop.install('pulumi', `echo asked >> '${workshop.root}/asked'; echo ${version}`, folder);
    await workshop.install('pulumi-language-nodejs', 'exit 0', folder);
  }

  it('is used with its own language host, and nothing is built for it', async () => {
    await installPulumi('v3.300.1');
    const toolchain = workshop.toolchain();

    expect(await toolchain.require('pulumi')).toBe(path.join(workshop.path, 'pulumi'));
    expect(await toolchain.require('pulumi-language-nodejs')).toBe(
      path.join(workshop.path, 'pulumi-language-nodejs'),
    );
    await toolchain.require('etcd');
    expect((await workshop.goCalls()).join()).not.toContain('cmd/pulumi');
  });

  it('is asked for its version once, and again when it changed', async () => {
    await installPulumi('v3.300.1');
    await workshop.toolchain().require('pulumi');
    await workshop.toolchain().require('pulumi');
    expect(await readFile(path.join(workshop.root, 'asked'), 'utf8')).toBe('asked\n');

    await installPulumi('v3.300.12');
    await workshop.toolchain().require('pulumi');
    expect(await readFile(path.join(workshop.root, 'asked'), 'utf8')).toBe('asked\nasked\n');
  });

  it.each(['.pulumi/bin', '.pulumi/versions/3.257.0/bin'])('is found in ~/%s', async (folder) => {
    await installPulumi('3.257.0', path.join(workshop.root, folder));
    expect(await workshop.toolchain().require('pulumi')).toBe(path.join(workshop.root, folder, 'pulumi'));
  });

  it.each([
    ['it is older than the SDK', () => installPulumi('v3.100.0')],
    ['it does not run', () => workshop.install('pulumi', 'exit 1')],
    ['it comes without its language host', () => workshop.install('pulumi', 'echo v3.300.1')],
  ])('is passed over when %s', async (_why, install) => {
    await install();
    expect(await workshop.toolchain().require('pulumi')).toContain(
      path.join('cache', 'toolchain', 'pulumi-'),
    );
  });
});

describe('the built Pulumi', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  it('is put together again when a file of it is damaged', async () => {
    const languageHost = await workshop.toolchain().require('pulumi-language-nodejs');
    const whole = await readFile(languageHost, 'utf8');
    await writeFile(languageHost, '');

    const again = await workshop.toolchain().require('pulumi-language-nodejs');

    expect(again).toBe(languageHost);
    expect(await readFile(again, 'utf8')).toBe(whole);
    expect((await stat(again)).mode & 0o111).toBe(0o111);
  });

  it('is put together once for all who ask for it at the same time', async () => {
    const toolchain = workshop.toolchain();

    const [pulumi, languageHost, again] = await Promise.all([
      toolchain.require('pulumi'),
      toolchain.require('pulumi-language-nodejs'),
      toolchain.require('pulumi'),
    ]);

    expect(again).toBe(pulumi);
    expect(path.dirname(languageHost)).toBe(path.dirname(pulumi));
    expect((await stat(languageHost)).mode & 0o111).toBe(0o111);
    // Nothing half-made is left beside it.
    const folders = await readdir(path.dirname(path.dirname(pulumi)));
    expect(folders.filter((name) => /^pulumi-[0-9a-f]{16}/.test(name))).toEqual([
      path.basename(path.dirname(pulumi)),
    ]);
  });

  it('has our language host and the provider of dynamic resources beside it', async () => {
    const pulumi = await workshop.toolchain().require('pulumi');
    const folder = path.dirname(pulumi);

    expect(await workshop.toolchain().require('pulumi-language-nodejs')).toBe(
      path.join(folder, 'pulumi-language-nodejs'),
    );
    for (const name of ['pulumi', 'pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs']) {
      expect((await stat(path.join(folder, name))).mode & 0o100).toBe(0o100);
    }
  });

  it('does not depend on the checkout that made it', async () => {
    const folder = path.dirname(await workshop.toolchain().require('pulumi'));

    expect(await readFile(path.join(folder, 'pulumi-language-nodejs.cjs'), 'utf8')).toBe('// language host');
    expect(await readFile(path.join(folder, 'pulumi-language-nodejs'), 'utf8')).not.toContain(
      workshop.checkout,
    );
  });

  it('gets a new folder when the language host changes, without being built again', async () => {
    const before = await workshop.toolchain().require('pulumi');
    await writeFile(workshop.bundle, '// another language host');

    expect(await workshop.toolchain().require('pulumi')).not.toBe(before);
    expect(await workshop.goCalls()).toHaveLength(1);
  });

  it('is assembled once by several who ask at the same time', async () => {
    const paths = await Promise.all([1, 2, 3].map(() => workshop.toolchain().require('pulumi')));
    expect(new Set(paths).size).toBe(1);
    expect((await stat(paths[0] ?? '')).size).toBeGreaterThan(0);
  });

  it('says what to run when the bundle is missing', async () => {
    const toolchain = workshop.toolchain();
    await toolchain.require('etcd');
    await rm(workshop.bundle);

    const error = await failureOf(toolchain.require('pulumi'));
    expect(error.problem).toBe('bundle-missing');
    expect(error.message).toContain('npm run build');
  });
});

it.each([
  ['3.257.0', true],
  ['v3.257.0', true],
  ['v3.257.1', true],
  ['v3.258.0', true],
  ['v3.256.9', false],
  ['v4.0.0', false],
  ['v2.300.0', false],
  ['v3.300.0-alpha.1', false],
  ['nonsense', false],
])('Pulumi %s fits SDK 3.257.0: %s', (version, expected) => {
  expect(fitsSdk(version, '3.257.0')).toBe(expected);
});
