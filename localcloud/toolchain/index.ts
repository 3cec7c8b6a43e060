import { stat } from 'node:fs/promises';
import path from 'node:path';
import { commandLine } from '../project';
import { markUsed } from './binaryCache';
import type { BuildListener } from './buildMissing';
import { buildMissing } from './buildMissing';
import { chartCache, chartsAreWhole, copyCharts } from './charts';
import type { Chart } from './charts';
import { CompiledTools } from './compiledTools';
import { definitionsFolder } from './definitions';
import { UserError } from '../userError';
import { pinnedVersion } from './goMod';
import type { InstalledSearch } from './installed';
import { findBeside, findInstalled, KnownVersions } from './installed';
import type { Tool } from './tools';
import { everyTool, recipes } from './tools';

export { Interrupted } from './interrupted';
export type { BuildListener } from './buildMissing';
export type { BuildPlan } from './buildPlan';
export { languageHostVariables } from './pulumiLaunchers';
export { programsForTests } from './tools';
export type { Tool } from './tools';

/** A program, and where it comes from. */
interface ToolStatus {
  tool: Tool;
  /** Version of the installed program, if it is used; else the pinned version. */
  version: string;
  source: 'installed' | 'built' | 'missing';
  /** Absolute path, if the program exists. */
  path?: string;
  bytes?: number;
  /** Why a missing program must be built, and why installed programs do not fit. */
  why: string[];
}

/** The programs of the local cloud: suitable installed ones, else compiled ones. */
export interface Toolchain {
  /**
   * Returns the absolute path of a tool. It builds nothing; call `build` before.
   *
   * @throws UserError
   */
  require(tool: Tool): Promise<string>;
  /**
   * Builds missing tools and charts, or waits for another process that builds them. Needs Go only if something
   * is missing.
   *
   * @param options.tests whether to build also what only tests run. Default: false
   * @param options.also tools to build among those that only tests run. Default: none
   * @throws UserError
   */
  build(
    listener?: Partial<BuildListener>,
    options?: { readonly tests?: boolean; readonly also?: readonly Tool[] },
  ): Promise<void>;
  /** Returns the folder with the custom resource definitions of a tool. @default Azure Service Operator's */
  definitions(of?: Tool): Promise<string>;
  /**
   * Copies the pinned charts into `folder` if they are missing or outdated there.
   *
   * @throws UserError
   */
  charts(folder: string): Promise<Record<Chart, string>>;
  /** Returns where each program comes from, and whether the charts are cached. */
  status(): Promise<{ tools: ToolStatus[]; charts: boolean }>;
}

export interface ToolchainOptions {
  /** The checkout with the pins. */
  projectRoot: string;
  /** The cache, shared by all checkouts of a user. It may be read-only and belong to another user. */
  cacheDir: string;
  /**
   * Folder of this checkout in which the versions of installed programs are cached.
   *
   * @default each process determines the versions again
   */
  stateRoot?: string;
  /**
   * Environment in which Go and installed programs are searched for and run. It must not be the local cloud's, whose
   * proxy refuses the hosts of Go modules.
   *
   * @default process.env
   */
  env?: NodeJS.ProcessEnv;
}

/** Opens the toolchain. Reads and starts nothing before the first call of a method. */
export function openToolchain(options: ToolchainOptions): Toolchain {
  const { projectRoot, cacheDir, stateRoot, env = process.env } = options;
  const modulesFolder = path.join(projectRoot, 'localcloud', 'toolchain', 'modules');
  const cacheFolder = path.join(cacheDir, 'toolchain');
  const versions = new KnownVersions(stateRoot && path.join(stateRoot, 'installed-versions.json'));
  const compiled = new CompiledTools(modulesFolder, cacheFolder);
  const searches = new Map<Tool, Promise<InstalledSearch>>();

  const pinnedVersionOf = async (tool: Tool): Promise<string> => {
    const { goMod } = await compiled.pinned(recipes[tool].module);
    return pinnedVersion(goMod, recipes[tool].release);
  };
  async function lookFor(tool: Tool): Promise<InstalledSearch> {
    const { installed } = recipes[tool];
    if (installed === undefined) return { unfit: [] };
    if ('with' in installed) return findBeside(tool, (await search(installed.with)).fitting);
    const pinned = await pinnedVersionOf(tool);
    return findInstalled(tool, installed, { env, pinned, notBelow: cacheFolder, versions });
  }
  function search(tool: Tool): Promise<InstalledSearch> {
    const result = searches.get(tool) ?? lookFor(tool);
    searches.set(tool, result);
    return result;
  }
  async function find(tool: Tool): Promise<string | undefined> {
    return (await search(tool)).fitting?.path ?? compiled.find(tool);
  }
  async function missing(tools: readonly Tool[]): Promise<Tool[]> {
    const files = await Promise.all(tools.map(find));
    return tools.filter((_tool, index) => files[index] === undefined);
  }
  async function require(tool: Tool): Promise<string> {
    const file = await find(tool);
    if (file === undefined)
      throw notBuilt(
        tool,
        await compiled.reason(tool),
        recipes[tool].forTests && commandLine('toolchain build --tests'),
      );
    if (path.dirname(file) === (await compiled.folder(tool))) await markUsed(path.dirname(file));
    return file;
  }
  async function statusOf(tool: Tool): Promise<ToolStatus> {
    const { fitting, unfit } = await search(tool);
    if (fitting !== undefined)
      return { tool, ...fitting, source: 'installed', bytes: (await stat(fitting.path)).size, why: [] };
    const version = (await pinnedVersionOf(tool)).slice(1);
    const file = await compiled.find(tool);
    if (file === undefined) {
      const reason = recipes[tool].forTests === true ? 'only tests run it' : await compiled.reason(tool);
      return { tool, version, source: 'missing', why: [reason, ...unfit] };
    }
    return { tool, version, source: 'built', path: file, bytes: (await stat(file)).size, why: unfit };
  }

  return {
    require,
    build: async (listener = {}, { tests = false, also = [] } = {}) =>
      buildMissing({
        ...{ compiled, cacheFolder, env, listener },
        missing: () =>
          missing(
            everyTool.filter((tool) => tests || also.includes(tool) || recipes[tool].forTests !== true),
          ),
        charts: await chartCache(modulesFolder, cacheFolder),
        helm: () => require('helm'),
      }),
    definitions: async (of = 'azure-service-operator') =>
      path.join(path.dirname(await require(of)), definitionsFolder),
    async charts(folder) {
      const cached = (await chartCache(modulesFolder, cacheFolder)).folder;
      if (!(await chartsAreWhole(cached))) throw notBuilt('the set of charts', 'it is not in the cache');
      return copyCharts(cached, folder);
    },
    status: async () => ({
      tools: await Promise.all(everyTool.map(statusOf)),
      charts: await chartsAreWhole((await chartCache(modulesFolder, cacheFolder)).folder),
    }),
  };
}

function notBuilt(
  subject: string,
  reason: string,
  command = `${commandLine('up')}, or ${commandLine('toolchain build')}`,
): UserError {
  return new UserError(`${subject} must be built first: ${reason}. Run ${command}, which only builds.`);
}
