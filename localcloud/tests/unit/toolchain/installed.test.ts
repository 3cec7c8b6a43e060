import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fitsPin } from '../../../toolchain/installed';
import type { Tool } from '../../../toolchain';
import { Workshop } from './workshop';

describe('programs that are installed', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  const statusOf = async (tool: Tool, env: NodeJS.ProcessEnv = {}) =>
    (await workshop.toolchain(env).status()).tools.find((candidate) => candidate.tool === tool);

  async function installPulumi(version: string, folder = workshop.path): Promise<void> {
    await workshop.install('pulumi', `echo asked >> '${workshop.root}/asked'; echo ${version}`, folder);
    await workshop.install('pulumi-language-nodejs', 'exit 0', folder);
  }

  it.each<[Tool, string, string]>([
    ['pulumi', 'v3.300.1', '3.300.1'],
    ['etcd', 'etcd Version: 3.6.2\nGit SHA: 1', '3.6.2'],
    ['kube-apiserver', 'Kubernetes v1.36.0', '1.36.0'],
    ['kube-controller-manager', 'Kubernetes v1.36.9', '1.36.9'],
    ['kube-scheduler', 'Kubernetes v1.36.1', '1.36.1'],
    ['kwok', 'kwok version v0.8.1 go1.26.1 (linux/amd64)', '0.8.1'],
    ['helm', 'v3.30.0+g2a73ee4', '3.30.0+g2a73ee4'],
  ])('are used instead of a build: %s', async (tool, answer, version) => {
    await workshop.install(tool, `echo '${answer}'`);
    await workshop.install('pulumi-language-nodejs', 'exit 0');

    const file = path.join(workshop.path, tool);
    expect(await workshop.toolchain().require(tool)).toBe(file);
    expect(await statusOf(tool)).toMatchObject({ source: 'installed', version, path: file, why: [] });
  });

  it('include programs that print no version: the YAML language host lies beside pulumi', async () => {
    await installPulumi('v3.300.1');
    expect(await statusOf('pulumi-language-yaml')).toMatchObject({
      source: 'missing',
      why: ['only tests run it', expect.stringMatching(/pulumi has no pulumi-language-yaml in its folder$/)],
    });

    const host = await workshop.install('pulumi-language-yaml', 'exit 1');

    expect(await workshop.toolchain().require('pulumi-language-yaml')).toBe(host);
    expect(await statusOf('pulumi-language-yaml')).toMatchObject({ source: 'installed', version: '3.300.1' });
  });

  it('are found in KUBEBUILDER_ASSETS, before those on PATH', async () => {
    const assets = path.join(workshop.root, 'assets');
    for (const folder of [assets, workshop.path]) await workshop.install('etcd', 'echo 3.6.1', folder);
    expect(await workshop.toolchain({ KUBEBUILDER_ASSETS: assets }).require('etcd')).toBe(
      path.join(assets, 'etcd'),
    );
  });

  it('keep the name that they are called by', async () => {
    const many = await workshop.install(
      'many',
      'case $0 in */etcd) echo 3.6.9 ;; *) echo 0.0.1 ;; esac',
      workshop.root,
    );
    await symlink(many, path.join(workshop.path, 'etcd'));
    expect(await statusOf('etcd')).toMatchObject({
      version: '3.6.9',
      path: path.join(workshop.path, 'etcd'),
    });
  });

  it('are not binaries of this cache on the PATH', async () => {
    const built = await workshop.built('etcd');
    const PATH = `${path.dirname(built)}:${workshop.path}:/usr/bin:/bin`;
    expect(await statusOf('etcd', { PATH })).toMatchObject({ source: 'built' });
  });

  it('are not compiled', async () => {
    await installPulumi('v3.300.1');
    await workshop.install('pulumi-language-yaml', 'exit 1');
    await workshop.install('kube-apiserver', 'echo Kubernetes v1.36.0');
    await workshop.build();

    const calls = (await workshop.builds()).join();
    expect(calls).not.toContain('/cmd/pulumi');
    expect(calls).not.toContain('cmd/kube-apiserver');
    expect(calls).toContain('cmd/kube-scheduler');
  });

  it.each<[string, Tool, string, RegExp]>([
    ['too old', 'pulumi', 'echo v3.100.0', /pulumi is 3\.100\.0, but 3\.x from 3\.257\.0 is needed$/],
    [
      'of another minor version',
      'kube-apiserver',
      'echo Kubernetes v1.35.4',
      /is 1\.35\.4, but 1\.36\.x is needed$/,
    ],
    ['broken', 'helm', 'exit 1', /helm does not print its version$/],
    [
      'alone, without its language host',
      'pulumi',
      'echo v3.300.1',
      /has no pulumi-language-nodejs in its folder$/,
    ],
  ])('are skipped when they are %s, with the reason', async (_how, tool, script, reason) => {
    await workshop.install(tool, script);

    const status = await statusOf(tool);

    expect(status).toMatchObject({ source: 'missing' });
    expect(status?.why).toEqual(['it was never built here', expect.stringMatching(reason)]);
  });

  it('are searched further on PATH when the first does not fit', async () => {
    const second = path.join(workshop.root, 'second');
    await workshop.install('etcd', 'echo 3.5.0');
    await workshop.install('etcd', 'echo 3.6.9', second);
    const env = { PATH: `${workshop.path}:${second}:/usr/bin:/bin` };
    expect(await workshop.toolchain(env).require('etcd')).toBe(path.join(second, 'etcd'));
  });

  it('are asked for their version once, and again when they changed', async () => {
    await installPulumi('v3.300.1');
    await workshop.toolchain().require('pulumi');
    await workshop.toolchain().require('pulumi');
    expect(await readFile(path.join(workshop.root, 'asked'), 'utf8')).toBe('asked\n');

    await installPulumi('v3.300.12');
    await workshop.toolchain().require('pulumi');
    expect(await readFile(path.join(workshop.root, 'asked'), 'utf8')).toBe('asked\nasked\n');
  });

  it.each(['.pulumi/bin', '.pulumi/versions/3.257.0/bin'])('are found in ~/%s', async (folder) => {
    await installPulumi('3.257.0', path.join(workshop.root, folder));
    expect(await workshop.toolchain().require('pulumi')).toBe(path.join(workshop.root, folder, 'pulumi'));
  });
});

it.each([
  ['3.257.0', 'newer', true],
  ['v3.257.1', 'newer', true],
  ['v3.258.0', 'newer', true],
  ['v3.256.9', 'newer', false],
  ['v4.0.0', 'newer', false],
  ['v2.300.0', 'newer', false],
  ['v3.300.0-alpha.1', 'newer', false],
  ['v3.300.0+dirty', 'newer', true],
  ['nonsense', 'newer', false],
  ['3.257.9', 'minor', true],
  ['3.258.0', 'minor', false],
] as const)('%s fits the pin v3.257.0 by the rule %s: %s', (version, rule, expected) => {
  expect(fitsPin(version, 'v3.257.0', rule)).toBe(expected);
});
