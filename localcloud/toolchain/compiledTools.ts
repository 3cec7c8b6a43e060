import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findBinary, isDamaged } from './binaryCache';
import type { PinnedModule } from './cacheKey';
import { pinModule } from './cacheKey';
import type { Tool, GoModule } from './tools';
import { recipes } from './tools';

/** Finds the compiled tools for a checkout's pins in a cache. Builds nothing. */
export class CompiledTools {
  private readonly modules = new Map<GoModule, Promise<PinnedModule>>();

  constructor(
    private readonly modulesFolder: string,
    private readonly cacheFolder: string,
  ) {}

  /** Returns the tool's path; undefined if it is missing or incomplete. */
  async find(tool: Tool): Promise<string | undefined> {
    const folder = await this.folder(tool);
    return findBinary(folder, tool);
  }

  /** Returns the cache folder of the tool. */
  async folder(tool: Tool): Promise<string> {
    return path.join(this.cacheFolder, (await this.pinned(recipes[tool].module)).cacheName);
  }

  /** Returns the reason why a missing tool must be built. */
  async reason(tool: Tool): Promise<string> {
    const { module } = recipes[tool];
    const folder = await this.folder(tool);
    if (await isDamaged(folder, tool)) return 'its file in the cache is damaged';
    const others = (await readdir(this.cacheFolder).catch(() => [])).filter(
      (name) => name.startsWith(`${module}-`) && name !== path.basename(folder),
    );
    for (const other of others) {
      if ((await findBinary(path.join(this.cacheFolder, other), tool)) !== undefined)
        return `modules/${module} or its build settings have changed since it was built`;
    }
    return 'it was never built here';
  }

  pinned(name: GoModule): Promise<PinnedModule> {
    let module = this.modules.get(name);
    if (module === undefined) {
      module = pinModule(this.modulesFolder, name);
      this.modules.set(name, module);
    }
    return module;
  }
}
