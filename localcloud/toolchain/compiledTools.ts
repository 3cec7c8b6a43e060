import path from 'node:path';
import { findBinary, markUsed } from './binaryCache';
import { withBuildLock } from './buildLock';
import { pinModule } from './cacheKey';
import type { PinnedModule } from './cacheKey';
import { compile } from './compile';
import type { ProgressReporter } from './progress';
import type { CompiledTool, GoModule } from './tools';
import { buildOrder, recipes } from './tools';

/** The compiled tools of one checkout in one cache. */
export class CompiledTools {
  private readonly modules = new Map<GoModule, Promise<PinnedModule>>();
  /** Builds of this process, one after the other. */
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: {
      modulesFolder: string;
      cacheFolder: string;
      env: NodeJS.ProcessEnv;
      progress: ProgressReporter;
      /** Tools that are never to be compiled with others of their group. */
      notInGroups: () => Promise<readonly CompiledTool[]>;
    },
  ) {}

  /** The tool's path, if it is ready. */
  async find(tool: CompiledTool): Promise<string | undefined> {
    return findBinary(await this.folder(tool), tool);
  }

  /** The tool's path; compiles it, together with what is missing of its group, or waits for who compiles it. */
  async require(tool: CompiledTool): Promise<string> {
    const ready = await this.find(tool);
    if (ready !== undefined) {
      await markUsed(path.dirname(ready));
      this.options.progress.report(tool, 'ready');
      return ready;
    }
    this.options.progress.report(tool, 'queued');
    // After a build that failed, the next one is tried on its own.
    const build = this.tail.then(
      () => this.build(tool),
      () => this.build(tool),
    );
    this.tail = build;
    await build;
    this.options.progress.report(tool, 'ready');
    return path.join(await this.folder(tool), tool);
  }

  private async build(tool: CompiledTool): Promise<void> {
    const { cacheFolder, env, progress } = this.options;
    const module = await this.pinned(recipes[tool].module);
    await withBuildLock(
      cacheFolder,
      {
        isDone: async () => (await this.find(tool)) !== undefined,
        onWait: () => {
          progress.report(tool, 'queued', 'another process is building');
        },
      },
      async () => {
        await compile(await this.missingOfGroup(tool), module, cacheFolder, progress, env);
      },
    );
  }

  private async missingOfGroup(tool: CompiledTool): Promise<CompiledTool[]> {
    const group = buildOrder.find((tools) => tools.includes(tool)) ?? [tool];
    const excluded = await this.options.notInGroups();
    const missing: CompiledTool[] = [];
    for (const member of group) {
      if (member === tool) missing.push(member);
      else if (!excluded.includes(member) && (await this.find(member)) === undefined) missing.push(member);
    }
    return missing;
  }

  private async folder(tool: CompiledTool): Promise<string> {
    const module = await this.pinned(recipes[tool].module);
    return path.join(this.options.cacheFolder, module.cacheName);
  }

  private pinned(name: GoModule): Promise<PinnedModule> {
    let module = this.modules.get(name);
    if (module === undefined) {
      module = pinModule(this.options.modulesFolder, name);
      this.modules.set(name, module);
    }
    return module;
  }
}
