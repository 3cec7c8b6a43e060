import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProgramInfo, RunPluginRequest, RunRequest } from '@pulumi/pulumi/proto/language_pb';
import { build } from 'esbuild';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import type { JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { directDependencies, requiredPlugins } from '../../../toolchain/language-host/packages';
import { ownBundle } from '../../../toolchain/language-host/ownBundles';
import { launchOf } from '../../../toolchain/language-host/runPlugin';
import { programArguments } from '../../../toolchain/language-host/runProgram';
import { runtimeOptions } from '../../../toolchain/language-host/runtimeOptions';
import { sdkEntry } from '../../../toolchain/language-host/sdkEntry';
import { repositoryRoot } from './workshop';

const programInfo = (options: Record<string, JavaScriptValue> = {}) =>
  new ProgramInfo()
    .setRootDirectory('/project')
    .setProgramDirectory('/project/infra')
    .setEntryPoint('.')
    .setOptions(Struct.fromJavaScript(options));

describe('running a program', () => {
  it('passes the engine’s address, the program, and the arguments last', () => {
    const request = new RunRequest()
      .setMonitorAddress('127.0.0.1:1')
      .setProject('p')
      .setStack('s')
      .setOrganization('organization')
      .setPwd('/project/infra')
      .setParallel(16)
      .setDryrun(true)
      .setArgsList(['--x'])
      .setInfo(programInfo());

    expect(programArguments(request, '127.0.0.1:2')).toEqual([
      '--monitor=127.0.0.1:1',
      '--engine=127.0.0.1:2',
      '--project=p',
      '--stack=s',
      '--organization=organization',
      '--root-directory=/project',
      '--pwd=/project/infra',
      '--parallel=16',
      '--dry-run',
      '.',
      '--x',
    ]);
  });

  it('omits what the engine did not set, and is no preview by default', () => {
    const request = new RunRequest()
      .setMonitorAddress('127.0.0.1:1')
      .setPwd('/x')
      .setInfo(programInfo().setRootDirectory(''));
    const args = programArguments(request, '');
    expect(args).toEqual(['--monitor=127.0.0.1:1', '--pwd=/x', '--parallel=0', '.']);
  });

  it.each([
    [{}, { typescript: true, nodeArguments: [] }],
    [{ typescript: false }, { typescript: false, nodeArguments: [] }],
    [
      { nodeargs: '--inspect --trace-warnings' },
      { typescript: true, nodeArguments: ['--inspect', '--trace-warnings'] },
    ],
    [{ tsconfig: 'x.json' }, { typescript: true, nodeArguments: [], tsconfig: 'x.json' }],
  ])('reads runtime.options %j', (options, expected) => {
    expect(runtimeOptions(programInfo(options))).toEqual(expected);
  });

  it('refuses an option by name', () => {
    expect(() => runtimeOptions(programInfo({ typescrpt: false }))).toThrow(
      'runtime.options.typescrpt is not known; allowed: typescript',
    );
  });

  it('runs the bundle of the project’s own program and policy pack, and no other folder’s', async () => {
    const project = await mkdtemp(path.join(tmpdir(), 'bundles-'));
    const bundles = path.join(project, 'dist');
    for (const folder of ['dist', 'policy', 'bootstrap']) await mkdir(path.join(project, folder));
    expect(ownBundle(project, bundles)).toBeUndefined();
    for (const file of ['program.cjs', 'policy-pack.cjs']) await writeFile(path.join(bundles, file), '');

    expect(ownBundle(project, bundles)).toBe(path.join(bundles, 'program.cjs'));
    expect(ownBundle(path.join(project, 'policy'), bundles)).toBe(path.join(bundles, 'policy-pack.cjs'));
    expect(ownBundle(path.join(project, 'bootstrap'), bundles)).toBeUndefined();
    expect(ownBundle(path.dirname(project), bundles)).toBeUndefined();
    expect(ownBundle(path.join(project, 'nowhere'), bundles)).toBeUndefined();
    const request = new RunRequest().setPwd(project).setInfo(programInfo());
    expect(programArguments(request, '', '/dist/program.cjs').at(-1)).toBe('/dist/program.cjs');
    await rm(project, { recursive: true });
  });

  it('loads what the SDK rarely needs when it is used', async () => {
    // Below the project, so that it finds the project's packages.
    const outfile = path.join(repositoryRoot, 'node_modules', '.cache', `load-when-used-${process.pid}.cjs`);
    const entryPoints = [path.join(repositoryRoot, 'localcloud/toolchain/language-host/loadWhenUsed.ts')];
    await build({ entryPoints, outfile, bundle: true, platform: 'node' });
    const program = `
      const pulumi = require('@pulumi/pulumi');
      const rare = /node_modules.(typescript.lib|ts-node|@npmcli.arborist)/;
      const loaded = () => Object.values(require.cache).filter((one) => one.children && rare.test(one.filename)).length;
      const before = loaded();
      pulumi.runtime.serializeFunction(() => 42).then(({ text }) => {
        console.log(JSON.stringify({ before, text, after: loaded() }));
        process.exit(0);
      });`;
    const run = (...options: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [...options, '--eval', program], {
          cwd: repositoryRoot,
          encoding: 'utf8',
        }),
      ) as {
        before: number;
        text: string;
        after: number;
      };

    const [light, usual] = [run('--require', outfile), run()];

    expect(usual.before).toBeGreaterThan(40);
    expect(light.before).toBe(0);
    expect(light.after).toBeGreaterThan(0);
    expect(light.text).toContain('() => 42');
    expect(light.text).toBe(usual.text);
    await rm(outfile);
  });

  it("takes the program's own copy of the SDK", () => {
    expect(sdkEntry('run', repositoryRoot)).toBe(
      path.join(repositoryRoot, 'node_modules/@pulumi/pulumi/cmd/run/index.js'),
    );
  });
});

describe('running a plugin', () => {
  const request = (kind: string) =>
    new RunPluginRequest().setKind(kind).setPwd('/project').setArgsList(['127.0.0.1:2', '--y']);

  it('starts a policy pack in its own folder, engine first', () => {
    expect(launchOf(request('analyzer'), '/pack')).toEqual({
      script: { name: 'run-policy-pack', arguments: ['127.0.0.1:2', '/pack', '--y'] },
      cwd: '/pack',
    });
  });

  it("starts a provider in the project's folder, package first", () => {
    expect(launchOf(request('resource'), '/provider')).toEqual({
      script: { name: 'run-plugin', arguments: ['/provider', '127.0.0.1:2', '--y'] },
      cwd: '/project',
    });
  });

  it('refuses other kinds by name', () => {
    expect(() => launchOf(request('converter'), '/x')).toThrow('kind converter cannot be run');
  });
});

describe('what a program needs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'program-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function installPackage(at: string, manifest: object): Promise<void> {
    await mkdir(path.join(folder, at), { recursive: true });
    await writeFile(path.join(folder, at, 'package.json'), JSON.stringify(manifest));
  }

  it('are the plugins of every installed resource package, also of folders above', async () => {
    await installPackage('node_modules/@pulumi/kubernetes', {
      name: '@pulumi/kubernetes',
      version: '4.34.2',
      pulumi: { resource: true },
    });
    await installPackage('infra/node_modules/@x/cloud', {
      name: '@x/cloud',
      version: '1.0.0',
      pulumi: { resource: true, name: 'cloud', version: '2.0.0', server: 'https://x.example' },
    });
    await installPackage('infra/node_modules/left-pad', { name: 'left-pad', version: '1.0.0' });

    expect(await requiredPlugins(path.join(folder, 'infra'))).toEqual([
      { name: 'cloud', version: 'v2.0.0', server: 'https://x.example' },
      { name: 'kubernetes', version: 'v4.34.2', server: '' },
    ]);
  });

  it('are its direct dependencies in the versions that are installed', async () => {
    await installPackage('.', { name: 'program', dependencies: { b: '^2', a: '*' } });
    await installPackage('node_modules/a', { name: 'a', version: '1.2.3' });
    await installPackage('node_modules/b', { name: 'b', version: '2.9.0' });
    await installPackage('node_modules/c', { name: 'c', version: '3.0.0' });

    expect(await directDependencies(folder)).toEqual([
      { name: 'a', version: '1.2.3' },
      { name: 'b', version: '2.9.0' },
    ]);
  });

  it('include the SDK: without it the message says what to run', () => {
    expect(() => sdkEntry('run', folder)).toThrow(
      /@pulumi\/pulumi\) is not installed for .*no package\.json/,
    );
  });
});
