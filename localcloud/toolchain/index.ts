import { stat } from 'node:fs/promises';
import path from 'node:path';
import { markUsed, pruneUnused } from './binaryCache';
import type { BuildListener } from './builder';
import { buildMissing } from './builder';
import { chartCache, chartsAreWhole, copyCharts, packageMissingCharts } from './charts';
import type { Chart } from './charts';
import { CompiledTools } from './compiledTools';
import { definitionsFolder } from './definitions';
import { isNotWritable, ToolchainError } from './errors';
import { pinnedVersion } from './goMod';
import type { Search } from './installed';
import { findInstalled } from './installed';
import type { CompiledTool, Tool } from './tools';
import { buildOrder, compiledTools, recipes } from './tools';

export { ToolchainError } from './errors';
export type { ToolchainProblem } from './errors';
export { renderElapsed, renderProgress } from './progress';
export type { BuildProgress } from './progress';
export type { BuildListener, BuildPlan } from './builder';
export { LANGUAGE_HOST_VARIABLE, languageHostBundle } from './pulumiLaunchers';
export type { Chart } from './charts';
export type { Tool } from './tools';

/** Where a program comes from. */
export interface ToolStatus {
  tool: CompiledTool;
  /** Of the installed program, else the pinned one. */
  version: string;
  source: 'installed' | 'built' | 'missing';
  /** Absolute path, if it is there. */
  path?: string;
  bytes?: number;
  /** Why it is not an installed one, where some were found; for a missing one, also why it has to be built. */
  why: string[];
}

/** The programs that the local cloud is made of: installed ones that fit, else compiled once from pinned sources. */
export interface Toolchain {
  /**
   * Absolute path of the tool. Builds nothing: whoever runs the local cloud has built what is missing before.
   * @throws ToolchainError `not-built`
   */
  require(tool: Tool): Promise<string>;
  /**
   * Builds what is missing, or waits for the process that is building it. Starts no process where nothing is missing.
   * @throws ToolchainError
   */
  build(listener?: Partial<BuildListener>): Promise<void>;
  /** Folder of the custom resource definitions that the image of Azure Service Operator would carry. */
  definitions(): Promise<string>;
  /** Puts the pinned charts into `folder` if absent or of another pin. */
  charts(folder: string): Promise<Record<Chart, string>>;
  /** Where each program comes from. */
  status(): Promise<ToolStatus[]>;
}

export interface ToolchainOptions {
  /** The checkout, with its pins. */
  projectRoot: string;
  /** Shared by all checkouts of a user, outside of any of them. May be filled by somebody else, and read-only. */
  cacheDir: string;
  /**
   * Environment in which Go and installed programs are looked for and run. Not that of the local cloud: its proxy
   * refuses the hosts that modules come from.
   * @default process.env
   */
  env?: NodeJS.ProcessEnv;
}

/** Opens the toolchain; reads nothing and starts nothing until it is asked for a tool. */
export function openToolchain({ projectRoot, cacheDir, env = process.env }: ToolchainOptions): Toolchain {
  const modulesFolder = path.join(projectRoot, 'localcloud', 'toolchain', 'modules');
  const cacheFolder = path.join(cacheDir, 'toolchain');
  const memoryFile = path.join(cacheFolder, 'installed-versions.json');
  const compiled = new CompiledTools(modulesFolder, cacheFolder);
  const searches = new Map<CompiledTool, Promise<Search>>();

  async function lookFor(tool: CompiledTool): Promise<Search> {
    const { installed, module, release } = recipes[tool];
    if (installed === undefined) return { unfit: [] };
    const pinned = pinnedVersion((await compiled.pinned(module)).goMod, release);
    return findInstalled(tool, installed, { env, pinned, memoryFile });
  }
  function search(tool: CompiledTool): Promise<Search> {
    const found = searches.get(tool) ?? lookFor(tool);
    searches.set(tool, found);
    return found;
  }
  async function find(tool: CompiledTool): Promise<string | undefined> {
    return (await search(tool)).fitting?.path ?? compiled.find(tool);
  }
  async function missing(): Promise<CompiledTool[]> {
    const found = await Promise.all(compiledTools.map(find));
    return compiledTools.filter((_tool, index) => found[index] === undefined);
  }
  async function require(tool: Tool): Promise<string> {
    if (tool === 'pulumi-language-nodejs') return path.join(path.dirname(await require('pulumi')), tool);
    const file = await find(tool);
    if (file === undefined) throw notBuilt(tool, await compiled.reason(tool));
    if (path.dirname(file) === (await compiled.folder(tool))) await markUsed(path.dirname(file));
    return file;
  }

  return {
    require,
    async build(listener) {
      const charts = await chartCache(modulesFolder, cacheFolder);
      const tools = await missing();
      if (tools.length === 0 && (await chartsAreWhole(charts.folder))) return;
      try {
        await buildMissing({ compiled, cacheFolder, env, missing, listener: listener ?? {} });
        await packageMissingCharts(charts, () => require('helm'), env);
        const modules = await Promise.all(buildOrder.map((name) => compiled.pinned(name)));
        const inUse = [charts.folder, ...modules.map(({ cacheName }) => cacheName)];
        await pruneUnused(cacheFolder, new Set(inUse.map((name) => path.basename(name))));
      } catch (error) {
        if (!isNotWritable(error)) throw error;
        throw notWritable(cacheFolder, tools.length === 0 ? ['the charts'] : tools, error);
      }
    },
    definitions: async () =>
      path.join(path.dirname(await require('azure-service-operator')), definitionsFolder),
    async charts(folder) {
      const { folder: cached } = await chartCache(modulesFolder, cacheFolder);
      if (!(await chartsAreWhole(cached))) throw notBuilt('the charts', 'they are not in the cache');
      return copyCharts(cached, folder);
    },
    status: () => Promise.all(compiledTools.map((tool) => statusOf(tool))),
  };

  async function statusOf(tool: CompiledTool): Promise<ToolStatus> {
    const { fitting, unfit } = await search(tool);
    if (fitting !== undefined) {
      return { tool, ...fitting, source: 'installed', bytes: (await stat(fitting.path)).size, why: [] };
    }
    const { module, release } = recipes[tool];
    const version = pinnedVersion((await compiled.pinned(module)).goMod, release).slice(1);
    const file = await compiled.find(tool);
    if (file === undefined)
      return { tool, version, source: 'missing', why: [await compiled.reason(tool), ...unfit] };
    return { tool, version, source: 'built', path: file, bytes: (await stat(file)).size, why: unfit };
  }
}

function notBuilt(what: string, reason: string): ToolchainError {
  return new ToolchainError(
    'not-built',
    `${what} has to be built: ${reason}. Run \`make up\`, or \`npx aks-wi toolchain build\`, which builds and nothing else.`,
  );
}

function notWritable(cacheFolder: string, lacks: readonly string[], cause: unknown): ToolchainError {
  return new ToolchainError(
    'cache-not-writable',
    `${cacheFolder} cannot be written, and it lacks ${lacks.join(', ')}. Fill it where it can be written ` +
      '(`npx aks-wi toolchain build`), or point AKS_WI_CACHE at a folder of yours. `npx aks-wi toolchain` says why each is missing.',
    { cause },
  );
}
