import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tool, GoModule } from './tools';
import { recipes } from './tools';
import { expandVersions } from './goMod';
import { pulumiLaunchers } from './pulumiLaunchers';

/** Part of the key. Increase it to rebuild the same pins after a change of how they are built. */
const layoutVersion = 2;

/** Go flags that affect the binaries; part of the key. */
export const goFlags = '-mod=readonly -trimpath -buildvcs=false';

/** A module's pins in the checkout, and the cache folder of its binaries. */
export interface PinnedModule {
  readonly name: GoModule;
  readonly folder: string;
  readonly goMod: string;
  /** `<module>-<hash>`, the same on every machine of a platform until a pin changes. */
  readonly cacheName: string;
}

/**
 * Reads a module's pins. The key contains only pins, such as go.mod's `go` line, and not the installed Go version, so
 * that a filled cache needs no Go.
 */
export async function pinModule(modulesFolder: string, name: GoModule): Promise<PinnedModule> {
  const folder = path.join(modulesFolder, name);
  const hash = createHash('sha256');
  const launchers = name === 'core' ? pulumiLaunchers : undefined;
  hash.update(
    JSON.stringify({ layoutVersion, goFlags, platform: thisPlatform(), tools: toolsOf(name), launchers }),
  );
  for (const file of await goSources(folder)) {
    const content = await readFile(path.join(folder, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  const goMod = await readFile(path.join(folder, 'go.mod'), 'utf8');
  return { name, folder, goMod, cacheName: `${name}-${hash.digest('hex').slice(0, 16)}` };
}

/** Returns the `-ldflags` of a tool: no symbol table, and its version variables. */
export function linkFlags(tool: Tool, goMod: string): string {
  const variables = Object.entries(recipes[tool].variables ?? {});
  return ['-s -w', ...variables.map(([name, value]) => `-X ${name}=${expandVersions(value, goMod)}`)].join(
    ' ',
  );
}

/** Returns the parts of a module's recipes that affect its binaries. */
function toolsOf(module: GoModule) {
  return Object.entries(recipes)
    .filter(([, recipe]) => recipe.module === module)
    .map(([tool, { release: _release, installed: _installed, forTests: _forTests, ...build }]) => [
      tool,
      build,
    ]);
}

function thisPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

async function goSources(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  const nested = await Promise.all(
    entries.map((entry) => {
      const file = path.posix.join(below, entry.name);
      if (entry.isDirectory()) return goSources(folder, file);
      return Promise.resolve(/\.go$|^go\.(mod|sum)$/.test(entry.name) ? [file] : []);
    }),
  );
  return nested.flat().sort();
}
