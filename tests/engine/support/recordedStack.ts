import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { parse, stringify } from 'yaml';
import { openInstanceToolchain } from '../../../localcloud/commands/context';
import { launcher } from '../../../localcloud/commands/plugins';
import { locateInstance } from '../../../localcloud/daemon/instance';
import { projectRoot, runProcess, type Finished } from '../../support/command';
import { previewSteps, type Steps } from '../../support/updateSteps';
import { languageHostVariables } from '../../../localcloud/toolchain';

/** Keys of the configuration that are encrypted. */
const encrypted = ['secretValues', 'kubeconfigs'].map((key) => `aks-workload-identity:${key}`);
const plugins = [
  { name: 'azure-native', entry: 'recordedAzure.ts' },
  { name: 'kubernetes', entry: 'recordedKubernetes.ts' },
];

/** A recorded stack in its own backend, with plugins that answer from the record. */
export class RecordedStack {
  private constructor(
    /** Name of the stack. */
    private readonly name: string,
    private readonly folder: string,
    private readonly pulumi: string,
    private readonly env: Record<string, string>,
  ) {}

  /** Bundles the plugins into a folder, for all stacks that are opened with it. */
  static async bundlePlugins(folder: string): Promise<void> {
    await build({
      entryPoints: Object.fromEntries(plugins.map(({ name, entry }) => [name, path.join(__dirname, entry)])),
      outdir: folder,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'error',
      external: ['typescript', 'ts-node', '@npmcli/arborist'],
    });
  }

  /**
   * @param record folder with state.json, answers.json and Pulumi.<stack>.yaml
   * @param bundles folder of the bundled plugins
   */
  static async open(record: string, bundles: string): Promise<RecordedStack> {
    const name = (await readdir(record)).flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? [])[0];
    if (name === undefined) throw new Error(`${record} has no stack file`);
    const folder = await mkdtemp(path.join(tmpdir(), 'recorded-'));
    const toolchain = openInstanceToolchain(locateInstance(projectRoot));
    const pulumi = await toolchain.require('pulumi');
    const stack = new RecordedStack(name, folder, pulumi, {
      PATH: [path.dirname(pulumi), process.env.PATH ?? ''].join(path.delimiter),
      ...languageHostVariables(projectRoot),
      PULUMI_HOME: path.join(folder, 'home'),
      PULUMI_BACKEND_URL: `file://${path.join(folder, 'backend')}`,
      PULUMI_CONFIG_PASSPHRASE: 'of the test',
      PULUMI_NODEJS_TRANSPILE_ONLY: 'true',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
      RECORDED_STACK: record,
      // Nothing listens there, so that the program's own requests fail.
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '127.0.0.1,localhost',
      ARM_CLIENT_ID: 'client',
      ARM_CLIENT_SECRET: 'of the test',
      ARM_TENANT_ID: '11111111-1111-4111-8111-111111111111',
      ARM_SUBSCRIPTION_ID: '22222222-2222-4222-8222-222222222222',
    });
    await Promise.all(plugins.map(({ name }) => stack.installPlugin(name, bundles)));
    await stack.configure(record);
    return stack;
  }

  /**
   * Previews an update by the program in that folder.
   *
   * @param importing whether existing resources in Azure are no error
   */
  async preview(program: string, { importing = false } = {}): Promise<Steps> {
    const flags = ['--stack', this.name, '--cwd', program, '--config-file', this.file()];
    if (importing) this.env['AKS_WI_IMPORTING'] = 'true';
    return previewSteps(await this.succeed('preview', '--json', ...flags));
  }

  /** The number of recorded resources, without reads and default providers. */
  async size(): Promise<number> {
    const { deployment } = JSON.parse(await readFile(path.join(this.folder, 'state.json'), 'utf8')) as {
      deployment: { resources: { urn: string; external?: boolean }[] };
    };
    return deployment.resources.filter(
      ({ urn, external }) => external !== true && !/::pulumi:providers:[^:]+::default/.test(urn),
    ).length;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private file(): string {
    return path.join(this.folder, `Pulumi.${this.name}.yaml`);
  }

  private async installPlugin(name: string, bundles: string): Promise<void> {
    const manifest = path.join(projectRoot, 'node_modules', '@pulumi', name, 'package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    const home = path.join(this.folder, 'home', 'plugins', `resource-${name}-v${version}`);
    await mkdir(home, { recursive: true });
    const executable = path.join(home, `pulumi-resource-${name}`);
    await writeFile(executable, launcher(process.execPath, path.join(bundles, `${name}.cjs`)));
    await chmod(executable, 0o755);
  }

  private async configure(record: string): Promise<void> {
    await mkdir(path.join(this.folder, 'backend'));
    // The engine writes the salt next to the project file: this one, not the program's.
    await writeFile(
      path.join(this.folder, 'Pulumi.yaml'),
      stringify({ name: 'aks-workload-identity', runtime: 'nodejs' }),
    );
    const { config } = parse(await readFile(path.join(record, path.basename(this.file())), 'utf8')) as {
      config: Record<string, unknown>;
    };
    const plain = Object.entries(config).filter(([key]) => !encrypted.includes(key));
    await writeFile(this.file(), stringify({ config: Object.fromEntries(plain) }));
    await this.succeed('stack', 'init', this.name, '--cwd', this.folder);
    for (const key of encrypted) {
      const values = config[key];
      if (values === undefined) continue;
      await this.succeed(
        ...['config', 'set', '--secret', key, JSON.stringify(values)],
        ...['--stack', this.name, '--cwd', this.folder],
      );
    }
    await this.import(path.join(record, 'state.json'));
  }

  /**
   * Imports the recorded state. It has secret values in plain text and marked, and the engine encrypts them.
   */
  private async import(state: string): Promise<void> {
    const { encryptionsalt: salt } = parse(await readFile(this.file(), 'utf8')) as { encryptionsalt: string };
    const { version, deployment } = JSON.parse(await readFile(state, 'utf8')) as {
      version: number;
      deployment: Record<string, unknown>;
    };
    const provider = { type: 'passphrase', state: { salt } };
    const file = path.join(this.folder, 'state.json');
    await writeFile(
      file,
      JSON.stringify({ version, deployment: { ...deployment, secrets_providers: provider } }),
    );
    await this.succeed('stack', 'import', '--file', file, '--stack', this.name, '--cwd', this.folder);
  }

  private async succeed(...args: string[]): Promise<string> {
    const result = await runProcess(this.pulumi, [...args, '--non-interactive'], this.env);
    if (result.code !== 0) {
      throw new Error(`pulumi ${args.slice(0, 2).join(' ')} ended with ${result.code}\n${reported(result)}`);
    }
    return result.stdout;
  }
}

/** The errors of a preview in JSON, which also contains the whole state; otherwise the whole output. */
function reported({ stdout, stderr }: Finished): string {
  const start = stdout.indexOf('{');
  if (start < 0) return `${stdout}\n${stderr}`;
  const { diagnostics = [] } = JSON.parse(stdout.slice(start)) as { diagnostics?: { message: string }[] };
  return `${diagnostics.map(({ message }) => message).join('\n')}\n${stderr}`;
}
