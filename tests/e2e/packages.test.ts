import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../support/command';
import { emptyProject, install, packed, succeedIn } from '../support/installed';

// Proves that the packed command and program work in a repository of somebody else, which `init` makes and whose tests start
// the local cloud. Pulumi's packages and TypeScript are links to the repository's. What it does not prove: that npm finds the
// packages in a registry, where none of them is yet.

let folder: string;
let repository: string;

const aksWi = (cwd: string, ...args: string[]) => succeedIn(cwd, 'npx', ['--no', 'aks-wi', ...args]);

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
  await aksWi(folder, 'init', 'mine');
  repository = path.join(folder, 'mine');
  const manifest = await readFile(path.join(folder, 'archives', 'stacks', 'package.json'), 'utf8');
  const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: Record<string, string> };
  await install(repository, [localcloud, cli, stacks], [...Object.keys(peerDependencies), 'typescript']);
}, 900_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it('contain what they say (publint, @arethetypeswrong/cli)', async () => {
  const bin = (program: string) => path.join(projectRoot, 'node_modules', '.bin', program);
  const archive = (name: string) => path.join(folder, 'archives', `aks-workload-identity-${name}-0.1.0.tgz`);
  for (const name of ['stacks', 'localcloud', 'cli'])
    await succeedIn(folder, bin('publint'), ['--strict', archive(name)]);
  // The others export no types.
  await succeedIn(folder, bin('attw'), [archive('stacks')]);
}, 300_000);

describe('the repository that `init` makes', () => {
  it('has a program whose types are complete, and valid stack files', async () => {
    await succeedIn(repository, path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc'), []);
    const { valid, stacks } = JSON.parse(await aksWi(repository, 'validate', '--json')) as {
      valid: boolean;
      stacks: { stack: string }[];
    };
    expect(valid).toBe(true);
    expect(stacks.map(({ stack }) => stack).sort()).toEqual(['dev', 'local', 'prod']);
  }, 300_000);

  it('refuses a second time', async () => {
    await expect(aksWi(folder, 'init', 'mine')).rejects.toThrow('already has');
  });

  it('has tests of its own, which start the local cloud, wait for it, and verify', async () => {
    // One application on one cluster, to be quick.
    const file = path.join(repository, 'Pulumi.local.yaml');
    const { config } = parse(await readFile(file, 'utf8')) as { config: Record<string, { name: string }[]> };
    for (const key of ['clusters', 'applications'])
      config[`aks-workload-identity:${key}`] = config[`aks-workload-identity:${key}`]?.slice(0, 1) ?? [];
    await writeFile(file, stringify({ config }));
    await writeFile(path.join(repository, 'environment.test.js'), environmentTest);
    await symlink(
      path.join(projectRoot, 'node_modules', 'jest'),
      path.join(repository, 'node_modules', 'jest'),
    );

    await succeedIn(repository, process.execPath, ['node_modules/jest/bin/jest.js', '--rootDir', repository]);
  }, 1_500_000);
});
