import { access, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { version } from '@pulumi/pulumi/package.json';
import { parse, stringify } from 'yaml';
import { recipes } from '../../localcloud/toolchain/tools';
import { editedBootstrapExample } from '../support/bootstrapExample';
import { projectRoot } from '../support/command';
import { missingInPackage } from '../support/links';
import {
  billOfMaterials,
  emptyProject,
  install,
  installation,
  link,
  packed,
  packedAs,
  succeedIn,
} from '../support/installed';

// Proves that the packed command and program work in a repository of somebody else, which `init` makes and whose tests start
// the local cloud. Pulumi's packages and TypeScript are links to the repository's. What it does not prove: that npm finds the
// packages in a registry, where none of them is yet.

let folder: string;
let repository: string;
let linked: string[];

const aksWi = (cwd: string, ...args: string[]) => succeedIn(cwd, 'npx', ['--no', '--', 'aks-wi', ...args]);

/** A test in somebody else's repository. */
const environmentTest = `
const { execFileSync } = require('node:child_process');
const aksWi = (...args) => execFileSync('npx', ['--no', 'aks-wi', ...args], { encoding: 'utf8', maxBuffer: 1e8 });

beforeAll(() => aksWi('up', '--no-verify'), 900_000);
afterAll(() => aksWi('clean', '--yes'), 120_000);

test('orders reads its secret, and no other', () => {
  const { checks, passed, failed } = JSON.parse(aksWi('verify', '--stack', 'local', '--json'));
  expect({ failed, proved: passed > 0 }).toEqual({ failed: 0, proved: true });
  expect(JSON.stringify(checks)).toContain('orders-db');
}, 300_000);
`;

beforeAll(async () => {
  folder = await emptyProject();
  const archives = await packed(path.join(folder, 'archives'), 'stacks', 'localcloud', 'cli');
  const { stacks = '', localcloud = '', cli = '' } = archives;
  await install(folder, [localcloud, cli], []);
  const output = await aksWi(folder, 'init', 'mine');
  repository = path.join(folder, 'mine');
  const manifest = await readFile(path.join(folder, 'archives', 'stacks', 'package.json'), 'utf8');
  const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: Record<string, string> };
  linked = [...Object.keys(peerDependencies), 'typescript'];
  // As the output says, in a clone whose archives these are.
  const clone = path.join(folder, 'clone', 'dist', 'packages');
  await mkdir(clone, { recursive: true });
  for (const archive of [localcloud, cli, stacks])
    await symlink(archive, path.join(clone, path.basename(archive)));
  const steps =
    /\n {2}cd [\s\S]* install .*/.exec(output)?.[0].replace('CLONE', path.join(folder, 'clone')) ?? '';
  await succeedIn(folder, 'bash', ['-e', '-c', steps], installation);
  await link(repository, linked);
}, 900_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packages', () => {
  it('contain what they say (publint, @arethetypeswrong/cli)', async () => {
    const bin = (program: string) => path.join(projectRoot, 'node_modules', '.bin', program);
    const archive = (name: string) =>
      path.join(folder, 'archives', `aks-workload-identity-${name}-0.1.0.tgz`);
    for (const name of ['stacks', 'localcloud', 'cli'])
      await succeedIn(folder, bin('publint'), ['--strict', archive(name)]);
    // The others export no types.
    await succeedIn(folder, bin('attw'), [archive('stacks')]);
  }, 300_000);

  it('have a bill of materials with every package that they bundle, depend on or compile', async () => {
    const inBom = await billOfMaterials(path.join(folder, 'bom.cdx.json'));
    const bundled: string[] = [];
    const needed: string[] = [];
    for (const name of ['stacks', 'localcloud', 'cli']) {
      const read = (file: string) => readFile(path.join(folder, 'archives', name, file), 'utf8');
      const { dependencies, peerDependencies } = JSON.parse(await read('package.json')) as Record<
        string,
        Record<string, string> | undefined
      >;
      needed.push(...Object.keys({ ...dependencies, ...peerDependencies }));
      const licenses = await read('THIRD-PARTY-LICENSES.txt');
      for (const [, dependency, version] of licenses.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \([^\n]+\)$/gm))
        bundled.push(`${dependency}@${version}`);
    }

    // Of the command, and of the programs that run in clusters.
    expect(bundled).toContain('commander@14.0.3');
    expect(bundled.filter((name) => !inBom.includes(name))).toEqual([]);
    needed.push(...Object.values(recipes).map(({ release }) => `pkg:golang/${release.toLowerCase()}`));
    expect(needed.filter((name) => !inBom.some((other) => other.startsWith(`${name}@`)))).toEqual([]);
  }, 120_000);

  it('link and name only files that they contain', () => {
    const missing = ['stacks', 'localcloud', 'cli'].flatMap((name) =>
      missingInPackage(path.join(folder, 'archives', name)).map((file) => `${name}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('contain every page that a message or a file of `init` names', async () => {
    const named = new Set<string>();
    const add = (text: string, pattern: RegExp) => {
      for (const [, page = ''] of text.matchAll(pattern)) named.add(page);
    };
    const packages = path.join(repository, 'node_modules', '@aks-workload-identity');
    for (const [name, extension] of [
      ['cli/dist', '.mjs'],
      ['localcloud/dist', '.mjs'],
      ['stacks', '.js'],
    ] as const)
      for (const file of await readdir(path.join(packages, name)))
        if (file.endsWith(extension))
          add(
            await readFile(path.join(packages, name, file), 'utf8'),
            /(?<![\w/.-])docs\/([\w-]+\.md)\b|\]\(([\w-]+\.md)\b/g,
          );
    expect(named).toContain('clusters.md');
    const written = await readdir(repository, { recursive: true });
    for (const file of written.filter((one) => /\.(ya?ml|md)$/.test(one) && !one.startsWith('node_modules')))
      add(
        await readFile(path.join(repository, file), 'utf8'),
        /node_modules\/@aks-workload-identity\/cli\/docs\/([\w-]+\.md)\b/g,
      );
    expect(named).toContain('threat-model.md');

    const pages = await readdir(path.join(packages, 'cli', 'docs'));
    expect([...named].filter((page) => page !== '' && !pages.includes(page))).toEqual([]);
  }, 60_000);

  it('print the path of a page that exists, from each folder', async () => {
    const pageIn = (output: string) => /[^\s(]*docs\/service-principals\.md/.exec(output)?.[0] ?? '';
    const page = pageIn(await aksWi(repository, 'doctor', 'AADSTS7000215'));
    expect(page).toBe('node_modules/@aks-workload-identity/cli/docs/service-principals.md');
    await access(path.join(repository, page));
    const bin = path.join(repository, 'node_modules', '.bin', 'aks-wi');
    const elsewhere = pageIn(
      await succeedIn(path.join(repository, 'policy'), bin, ['doctor', 'AADSTS7000215']),
    );
    expect(path.isAbsolute(elsewhere)).toBe(true);
    await access(elsewhere);
  }, 60_000);
});

describe('the repository that `init` makes', () => {
  it('has the workflows that deploy, and not the one that releases the packages', async () => {
    expect((await readdir(path.join(repository, '.github', 'workflows'))).sort()).toEqual([
      'deploy.yml',
      'drift.yml',
      'grant.yml',
    ]);
  });

  it('has a configuration of updates of its own', async () => {
    const text = await readFile(path.join(repository, '.github', 'dependabot.yml'), 'utf8');
    const { updates } = parse(text) as { updates: { 'package-ecosystem': string }[] };
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
  });

  it('has stack files that lead editors to the schema of the package', async () => {
    for (const name of ['dev', 'local', 'prod']) {
      const text = await readFile(path.join(repository, `Pulumi.${name}.yaml`), 'utf8');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(schema).toBe('./node_modules/@aks-workload-identity/stacks/schemas/stack.schema.json');
      expect(JSON.parse(await readFile(path.join(repository, schema), 'utf8'))).toHaveProperty('properties');
    }
  });

  it('gets the version of Pulumi that the tests have from npm, also with peer dependencies', async () => {
    const resolved = path.join(folder, 'resolved');
    await mkdir(resolved);
    await symlink(path.join(repository, 'packages'), path.join(resolved, 'packages'));
    await copyFile(path.join(repository, 'package.json'), path.join(resolved, 'package.json'));

    await succeedIn(resolved, 'npm', ['install', '--package-lock-only'], {
      ...installation,
      ...{ npm_config_legacy_peer_deps: 'false', npm_config_package_lock: 'true' },
    });

    const lock = await readFile(path.join(resolved, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
    expect(packages['node_modules/@pulumi/azure-native']).toBeDefined();
    const copies = Object.entries(packages).filter(([name]) => name.endsWith('/@pulumi/pulumi'));
    expect(copies).toMatchObject([['node_modules/@pulumi/pulumi', { version }]]);
  }, 300_000);

  it('has a program whose types are complete, and valid stack files', async () => {
    await succeedIn(repository, path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc'), []);
    const { valid, stacks } = JSON.parse(await aksWi(repository, 'validate', '--json')) as {
      valid: boolean;
      stacks: { stack: string }[];
    };
    expect(valid).toBe(true);
    expect(stacks.map(({ stack }) => stack).sort()).toEqual(['dev', 'local', 'prod']);
  }, 300_000);

  it('is only shown with --dry-run', async () => {
    expect(await aksWi(folder, 'init', 'shown', '--dry-run')).toContain('  Pulumi.dev.yaml\n');
    await expect(access(path.join(folder, 'shown'))).rejects.toThrow('ENOENT');
  });

  it('refuses a second time', async () => {
    await expect(aksWi(folder, 'init', 'mine')).rejects.toThrow('already has');
    expect(await aksWi(folder, 'init', 'mine', '--dry-run')).toContain(
      'mine has these files as this version has them:\n',
    );
  });

  it('is upgraded by a change of versions, which changes nothing that runs', async () => {
    // One application on one cluster, to be quick.
    const file = path.join(repository, 'Pulumi.local.yaml');
    const { config } = parse(await readFile(file, 'utf8')) as { config: Record<string, { name: string }[]> };
    for (const key of ['clusters', 'applications'])
      config[`aks-workload-identity:${key}`] = config[`aks-workload-identity:${key}`]?.slice(0, 1) ?? [];
    await writeFile(file, stringify({ config }));
    await aksWi(repository, 'up', '--no-verify');
    const archives = path.join(folder, 'archives');

    await install(repository, await packedAs('0.2.0', archives, ['localcloud', 'cli', 'stacks']), linked);

    expect(await aksWi(repository, '--version')).toBe('0.2.0\n');
    await aksWi(repository, 'validate', '--stack', 'local');
    await aksWi(repository, 'pulumi', 'preview', '--stack', 'local', '--expect-no-changes');
  }, 1_500_000);

  it('deploys the identities of its pipelines, as its policies allow', async () => {
    const file = path.join(repository, 'bootstrap', 'Pulumi.pipelines.yaml');
    const bootstrap = (...args: string[]) =>
      aksWi(repository, 'pulumi', '-C', 'bootstrap', ...args, '--non-interactive');
    // The command runs pulumi for a stack of this name, also in another project.
    await bootstrap('stack', 'init', 'local');
    const settings = ['--config-file', 'Pulumi.pipelines.yaml', '--policy-pack', '../policy'];
    await expect(bootstrap('preview', ...settings)).rejects.toThrow('"owner/name" is a placeholder.');
    await writeFile(file, editedBootstrapExample(await readFile(file, 'utf8')));

    const updated = await bootstrap('up', '--yes', '--skip-preview', ...settings);

    expect(updated).toMatch(/✅ aks-workload-identity@v\S+ \(local: \.\.\/policy\)/);
    const { clients, resourceGroups } = JSON.parse(await bootstrap('stack', 'output', '--json')) as Record<
      string,
      object
    >;
    expect(Object.keys(clients ?? {}).sort()).toEqual([
      'id-pipeline-dev',
      'id-pipeline-preview-dev',
      'id-pipeline-preview-prod',
      'id-pipeline-prod',
    ]);
    expect(Object.keys(resourceGroups ?? {})).toContain('rg-workload-identity-dev');
  }, 300_000);

  it('has tests of its own, which start the local cloud, wait for it, and verify', async () => {
    await writeFile(path.join(repository, 'environment.test.js'), environmentTest);
    await symlink(
      path.join(projectRoot, 'node_modules', 'jest'),
      path.join(repository, 'node_modules', 'jest'),
    );

    await succeedIn(repository, process.execPath, ['node_modules/jest/bin/jest.js', '--rootDir', repository]);
  }, 1_500_000);
});
