import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { CompiledTools } from './compiledTools';
import { provideCharts } from './charts';
import type { Chart } from './charts';
import { definitionsFolder } from './definitions';
import { pinnedVersion } from './goMod';
import { findInstalledPulumi } from './installedPulumi';
import type { InstalledPulumi } from './installedPulumi';
import type { ToolchainEvent } from './progress';
import { ProgressReporter } from './progress';
import { assemblePulumiFolder, languageHostBundle } from './pulumiFolder';
import type { CompiledTool, Tool } from './tools';
import { buildOrder } from './tools';

export { ToolchainError } from './errors';
export type { ToolchainProblem } from './errors';
export { plainProgress } from './progress';
export type { ToolchainEvent, ToolchainPhase } from './progress';
export type { Chart } from './charts';
export type { Tool } from './tools';

/** The programs that the local cloud is made of, compiled once from pinned sources into a cache. */
export interface Toolchain {
  /**
   * Absolute path of the tool; builds it (or waits for the process that is building it) if the cache lacks it.
   * Rejects with a ToolchainError.
   */
  require(tool: Tool): Promise<string>;
  /** Everything, in the order in which `make up` needs it; calls back with progress. */
  buildAll(): Promise<void>;
  /**
   * Folder of the custom resource definitions that the image of Azure Service Operator would carry. Builds the
   * operator if the cache lacks it.
   */
  definitions(): Promise<string>;
  /** How far a tool is that was asked for. */
  progressOf(tool: Tool): ToolchainEvent | undefined;
  /** Packages the pinned charts into `folder` if absent or of another pin. */
  charts(folder: string): Promise<Record<Chart, string>>;
}

export interface ToolchainOptions {
  /** The checkout: its pins, and dist/ with the language host's bundle. */
  projectRoot: string;
  /** Shared by all checkouts of a user, outside of any of them. */
  cacheDir: string;
  onProgress?: (event: ToolchainEvent) => void;
  /**
   * Environment in which Go and Pulumi are looked for and run. Not that of the local cloud: its proxy refuses the
   * hosts that modules come from.
   * @default process.env
   */
  env?: NodeJS.ProcessEnv;
}

/** Opens the toolchain; reads nothing and starts nothing until it is asked for a tool. */
export function openToolchain(options: ToolchainOptions): Toolchain {
  const env = options.env ?? process.env;
  const modulesFolder = path.join(options.projectRoot, 'localcloud', 'toolchain', 'modules');
  const cacheFolder = path.join(options.cacheDir, 'toolchain');
  const progress = new ProgressReporter(options.onProgress);

  let installed: Promise<InstalledPulumi | undefined> | undefined;
  const installedPulumi = () => {
    installed ??= sdkVersion(modulesFolder).then((version) =>
      findInstalledPulumi({
        env,
        sdkVersion: version,
        memoryFile: path.join(cacheFolder, 'pulumi-versions.json'),
      }),
    );
    return installed;
  };
  const compiled = new CompiledTools({
    modulesFolder,
    cacheFolder,
    env,
    progress,
    notInGroups: async () => ((await installedPulumi()) === undefined ? [] : ['pulumi']),
  });

  async function pulumi(tool: 'pulumi' | 'pulumi-language-nodejs'): Promise<string> {
    const found = await installedPulumi();
    const pair =
      found ??
      (await assemblePulumiFolder({
        cacheFolder,
        pulumi: await compiled.require('pulumi'),
        bundle: path.join(options.projectRoot, 'dist', languageHostBundle),
      }));
    progress.report(tool, 'ready');
    return tool === 'pulumi' ? pair.pulumi : pair.languageHost;
  }

  const require = (tool: Tool): Promise<string> =>
    tool === 'pulumi' || tool === 'pulumi-language-nodejs' ? pulumi(tool) : compiled.require(tool);

  return {
    require,
    async buildAll() {
      // Asked for one after the other, so that builds queue in this order; what waits meanwhile is shown as queued.
      const order: CompiledTool[] = buildOrder.flat();
      for (const tool of order) {
        if (tool !== 'pulumi' && (await compiled.find(tool)) === undefined) progress.report(tool, 'queued');
      }
      for (const tool of order) await require(tool);
      await require('pulumi-language-nodejs');
    },
    definitions: async () =>
      path.join(path.dirname(await require('azure-service-operator')), definitionsFolder),
    progressOf: (tool) => progress.latest(tool),
    charts: (folder) =>
      provideCharts({ folder, cacheFolder, modulesFolder, env, helm: () => compiled.require('helm') }),
  };
}

/** The SDK and the engine are released together: the pinned engine's version is the SDK's. */
async function sdkVersion(modulesFolder: string): Promise<string> {
  const goMod = await readFile(path.join(modulesFolder, 'core', 'go.mod'), 'utf8');
  return pinnedVersion(goMod, 'github.com/pulumi/pulumi/pkg/v3').slice(1);
}
