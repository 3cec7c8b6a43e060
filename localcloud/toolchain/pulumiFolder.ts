import { createHash } from 'node:crypto';
import { chmod, copyFile, link, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { markUsed } from './binaryCache';
import { ToolchainError } from './errors';

/** Name of the language host's bundle, in the checkout's dist/ and beside the engine. */
export const languageHostBundle = 'pulumi-language-nodejs.cjs';

/**
 * A folder of the cache that holds the compiled engine and, beside it, where the engine looks first, our language
 * host and the provider of dynamic resources. The host's bundle is copied in: a launcher that pointed into the
 * checkout would break when that is moved or removed while another checkout uses the same cache.
 */
export async function assemblePulumiFolder(options: {
  cacheFolder: string;
  /** The compiled engine. */
  pulumi: string;
  /** The language host's bundle in the checkout. */
  bundle: string;
}): Promise<{ pulumi: string; languageHost: string }> {
  const bundle = await readFile(options.bundle).catch((error: unknown) => {
    throw new ToolchainError('bundle-missing', `${options.bundle} is missing. Run \`npm run build\`.`, {
      cause: error,
    });
  });
  const files: Record<string, string | Buffer> = {
    [languageHostBundle]: bundle,
    'pulumi-language-nodejs': launcher(`"$(dirname "$0")/${languageHostBundle}" "$@"`),
    'pulumi-resource-pulumi-nodejs': launcher(
      `-e 'process.argv.splice(1, 0, "dynamic-provider"); require("@pulumi/pulumi/cmd/dynamic-provider")' -- "$@"`,
    ),
  };
  const hash = createHash('sha256').update(path.basename(path.dirname(options.pulumi)));
  for (const [name, content] of Object.entries(files)) hash.update(`\n${name}\n`).update(content);
  const folder = path.join(options.cacheFolder, `pulumi-${hash.digest('hex').slice(0, 16)}`);
  const result = {
    pulumi: path.join(folder, 'pulumi'),
    languageHost: path.join(folder, 'pulumi-language-nodejs'),
  };
  if (await isWhole(folder, options.pulumi, files)) {
    await markUsed(folder);
    return result;
  }

  // Made beside, each time under a name of its own, and renamed: several callers, in this process and in others,
  // may do this at once, and each result is the same.
  const fresh = await mkdtemp(`${folder}.`);
  await linkOrCopy(options.pulumi, path.join(fresh, 'pulumi'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(fresh, name), content);
    await chmod(path.join(fresh, name), 0o755);
  }
  try {
    await rename(fresh, folder);
  } catch {
    if (!(await isWhole(folder, options.pulumi, files))) {
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
    }
  }
  await rm(fresh, { recursive: true, force: true });
  return result;
}

// Node is looked for on PATH each time: the cache outlives a version manager's removal of the Node that made it.
function launcher(rest: string): string {
  return `#!/bin/sh\nexec node ${rest}\n`;
}

/** Whether every file is there with its content, or, for the engine, with its size: a damaged one is made anew. */
async function isWhole(
  folder: string,
  pulumi: string,
  files: Record<string, string | Buffer>,
): Promise<boolean> {
  try {
    const [original, linked] = await Promise.all([stat(pulumi), stat(path.join(folder, 'pulumi'))]);
    const same = await Promise.all(
      Object.entries(files).map(async ([name, content]) =>
        (await readFile(path.join(folder, name))).equals(Buffer.from(content)),
      ),
    );
    return original.size === linked.size && same.every(Boolean);
  } catch {
    return false;
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // The engine resolves symbolic links before it looks beside itself, so it must be a hard link.
  await link(from, to).catch(() => copyFile(from, to));
}
