import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { openInstanceToolchain } from '../../../localcloud/commands/context';
import { locateInstance } from '../../../localcloud/daemon/instance';
import { withCloud } from '../../../localcloud/tests/support/azure';
import { openEngine } from '../../../localcloud/tests/support/plugins/engine';
import { projectRoot } from '../../support/command';
import { emptyProject, install, packed, succeedIn } from '../../support/installed';
import { missingInPackage } from '../../support/links';
import { loggedSteps } from '../../support/updateSteps';

// Proves that the packed components work in a project of somebody else: types, CommonJS, ES modules, and the plugin for
// other languages, on a local Azure. Pulumi's packages are links to the repository's. What it does not prove: that npm
// finds them in a registry.

const name = '@aks-workload-identity/components';
const bin = (program: string) => path.join(projectRoot, 'node_modules', '.bin', program);
const cloud = withCloud({ groups: ['rg-reports'] });
let project: string;
let archive: string;
let plugin: string;
let peers: string[];
let env: Record<string, string>;

const program = `import * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials, ManagedIdentity, type ManagedIdentityArgs } from '${name}';

const args: ManagedIdentityArgs = { create: { resourceGroupName: 'rg-reports' } };
const identity = new ManagedIdentity('id-reports', args);
new FederatedCredentials('id-reports', {
  identity,
  issuer: 'https://issuer.example/reports/',
  subjects: [{ namespace: 'reports', serviceAccount: 'reports' }],
});
export const clientId: pulumi.Output<string> = identity.clientId;
`;

beforeAll(async () => {
  project = await emptyProject();
  ({ components: archive = '' } = await packed(path.join(project, 'archives'), 'components'));
  const manifest = JSON.parse(
    await readFile(path.join(project, 'archives', 'components', 'package.json'), 'utf8'),
  ) as { peerDependencies: Record<string, string> };
  peers = Object.keys(manifest.peerDependencies);
  await install(project, [archive], [...peers, '@types/node', 'typescript']);
  // Pulumi takes what follows an @ in a path for a version.
  plugin = path.join(project, 'aks-workload-identity');
  await symlink(path.join('node_modules', name), plugin);
  const { settings } = await openEngine(cloud, ['azure-native', 'azuread', 'kubernetes', 'tls']);
  const yamlHost = await openInstanceToolchain(locateInstance(projectRoot)).require('pulumi-language-yaml');
  env = {
    ...settings.envVars,
    PATH: [settings.envVars?.['PATH'], path.dirname(yamlHost)].join(path.delimiter),
    PULUMI_HOME: settings.pulumiHome ?? '',
    PULUMI_DEBUG_COMMANDS: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  };
}, 900_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** Deploys a program; returns the resources that it created, without providers. */
async function deploy(folder: string, ...args: string[]): Promise<string[]> {
  const log = path.join(folder, 'events.json');
  const options = ['--stack', 'test', '--non-interactive'];
  await succeedIn(folder, 'pulumi', ['up', '--yes', '--event-log', log, ...args, ...options], env);
  const { summary } = loggedSteps(log);
  return summary.filter((step) => !/ pulumi:(providers|pulumi):/.test(step));
}

/** Makes a Pulumi project in the project, with a stack. */
async function newProgram(folder: string, files: Record<string, string>): Promise<string> {
  const created = path.join(project, folder);
  await mkdir(created, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(created, file), text);
  await succeedIn(created, 'pulumi', ['stack', 'init', 'test', '--non-interactive'], env);
  return created;
}

describe('the packed components', () => {
  it('contain what they say, with types for CommonJS and ES modules (publint, @arethetypeswrong/cli)', async () => {
    await succeedIn(projectRoot, bin('publint'), ['--strict', archive]);
    await succeedIn(projectRoot, bin('attw'), [archive]);
  }, 120_000);

  it('link and name only files that they contain', () => {
    expect(missingInPackage(path.join(project, 'archives', 'components'))).toEqual([]);
  });

  it.each([
    { kind: 'commonjs', clients: 'a program with CommonJS' },
    { kind: 'module', clients: 'a program with ES modules' },
  ])(
    'are compiled in strict mode and deployed by $clients',
    async ({ kind }) => {
      const folder = await newProgram(kind, {
        'Pulumi.yaml': stringify({ name: `reports-${kind}`, runtime: 'nodejs', main: 'bin/index.js' }),
        'package.json': JSON.stringify({ name: kind, private: true, type: kind }),
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
            ...{ module: 'nodenext', target: 'es2022', outDir: 'bin', types: ['node'] },
          },
        }),
        'index.ts': program,
      });
      await succeedIn(folder, path.join(project, 'node_modules', 'typescript', 'bin', 'tsc'), []);

      expect(await deploy(folder)).toEqual([
        'create aks-workload-identity:identity:FederatedCredentials id-reports',
        'create aks-workload-identity:identity:ManagedIdentity id-reports',
        'create azure-native:managedidentity:FederatedIdentityCredential id-reports/reports_reports',
        'create azure-native:managedidentity:UserAssignedIdentity id-reports',
      ]);
      await succeedIn(folder, 'pulumi', ['destroy', '--yes', '--stack', 'test', '--non-interactive'], env);
      await cloud.identities().userAssignedIdentities.delete('rg-reports', 'id-reports');
    },
    900_000,
  );

  it('are a plugin: `pulumi package add` serves the example in YAML', async () => {
    const example = path.join(projectRoot, 'examples', 'yaml', 'Pulumi.yaml');
    const { packages: _, ...rest } = parse(await readFile(example, 'utf8')) as Record<string, unknown>;
    const folder = await newProgram('yaml', { 'Pulumi.yaml': stringify(rest) });
    await succeedIn(folder, 'pulumi', ['package', 'add', plugin, '--non-interactive'], env);
    const values = {
      ...{ resourceGroup: 'rg-reports', vaultName: 'kv-reports-packed' },
      issuer: 'https://issuer.example/reports/',
    };
    const set = ['config', 'set', '--stack', 'test', '--non-interactive'];
    for (const [key, value] of Object.entries(values))
      await succeedIn(folder, 'pulumi', [...set, key, value], env);
    await succeedIn(folder, 'pulumi', [...set, '--secret', 'databasePassword', 'value-of-the-test'], env);

    expect(await deploy(folder)).toContain(
      'create azure-native:keyvault:Secret kv-reports/database-password',
    );
  }, 900_000);

  it('serve the checked-in schema', async () => {
    const served = await succeedIn(project, 'pulumi', ['package', 'get-schema', plugin], env);
    const checkedIn = await readFile(path.join(projectRoot, 'components', 'schema.json'), 'utf8');

    expect(JSON.parse(served)).toEqual(JSON.parse(checkedIn));
  }, 120_000);
});
