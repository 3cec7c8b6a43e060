import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { goFlags } from '../../../localcloud/toolchain/cacheKey';
import { checkGo, goEnvironment } from '../../../localcloud/toolchain/goCommand';
import { go, type GoPlace } from '../../../localcloud/toolchain/goPackages';
import { projectRoot } from '../../support/command';
import { succeedIn } from '../../support/installed';

// Proves that the SDKs which Pulumi's own generators write for the components work: Go compiles, Python installs, and a program
// in each registers two components on mocks. What it does not prove: that they are deployed, since the hosts of these languages
// are not in the Go proxy. Without pip, the Python program is skipped.

const programs = path.join(__dirname, 'sdks');
const core = path.join(projectRoot, 'localcloud', 'toolchain', 'modules', 'core');
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const registered = [
  'aks-workload-identity:index:ManagedIdentity {"create":{"resourceGroupName":"rg-reports"}}',
  'aks-workload-identity:index:RoleGrants {"principalId":"principal","roles":[{"role":"role","scope":"scope"}]}',
  '',
].join('\n');
let folder: string;
let place: Omit<GoPlace, 'cwd'>;

// The generators are in the engine's module, whose flags let Go reuse the packages that are compiled already.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sdks-'));
  const goMod = await readFile(path.join(core, 'go.mod'), 'utf8');
  const { selfUpgrade } = await checkGo(goMod, process.env);
  place = { goMod, env: goEnvironment(process.env, goFlags, selfUpgrade) };
  const schema = path.join(projectRoot, 'components', 'schema.json');
  const generator = path.join(programs, 'generate.go');
  await go('Generating the SDKs', ['run', generator, schema, folder], { ...place, cwd: core });
}, 900_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the SDKs of the components', () => {
  it('are used by a program in Go', async () => {
    const sdk = path.join(folder, 'go');
    // The versions of the engine's module, which are downloaded already.
    const [name = ''] = /^module .*$/m.exec(await readFile(path.join(sdk, 'go.mod'), 'utf8')) ?? [];
    await writeFile(path.join(sdk, 'go.mod'), place.goMod.replace(/^module .*$/m, name));
    await copyFile(path.join(core, 'go.sum'), path.join(sdk, 'go.sum'));
    await mkdir(path.join(sdk, 'program'));
    await copyFile(path.join(programs, 'program.go'), path.join(sdk, 'program', 'main.go'));

    const output = await go('Compiling the program', ['run', './program'], { ...place, cwd: sdk });

    expect(output).toBe(registered);
  }, 300_000);

  (hasPip ? it : it.skip)(
    'are used by a program in Python',
    async () => {
      const site = path.join(folder, 'site');
      const install = ['-m', 'pip', 'install', '--quiet', '--target', site, path.join(folder, 'python')];
      await succeedIn(folder, 'python3', install);

      const output = await succeedIn(folder, 'python3', [path.join(programs, 'program.py')], {
        PYTHONPATH: site,
      });

      expect(output).toBe(registered);
    },
    300_000,
  );
});
