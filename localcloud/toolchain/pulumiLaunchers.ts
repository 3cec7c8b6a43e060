import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Environment variable with the absolute path of the language host's bundle, which the launcher runs. */
export const LANGUAGE_HOST_VARIABLE = 'AKS_WI_LANGUAGE_HOST';

/** Name of the language host's bundle in the checkout's dist/. */
export const languageHostBundle = 'pulumi-language-nodejs.cjs';

/**
 * What lies beside the engine, where it looks first. They hold no path, so that the cache may be used from anywhere:
 * Node is looked for on PATH each time, and the language host is that of the checkout at hand.
 */
const launchers: Readonly<Record<string, string>> = {
  'pulumi-language-nodejs': `#!/bin/sh\nexec node "\${${LANGUAGE_HOST_VARIABLE}:?is not set: run pulumi as npx aks-wi pulumi}" "$@"\n`,
  'pulumi-resource-pulumi-nodejs': `#!/bin/sh\nexec node -e 'process.argv.splice(1, 0, "dynamic-provider"); require("@pulumi/pulumi/cmd/dynamic-provider")' -- "$@"\n`,
};

/** Puts the launchers of the language host and of the provider of dynamic resources beside a compiled engine. */
export async function writePulumiLaunchers(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(launchers)) {
    await writeFile(path.join(folder, name), content);
    await chmod(path.join(folder, name), 0o755);
  }
}

/** Whether the launchers are there as this checkout would write them. */
export async function hasPulumiLaunchers(folder: string): Promise<boolean> {
  const whole = await Promise.all(
    Object.entries(launchers).map(async ([name, content]) => {
      const found = await readFile(path.join(folder, name), 'utf8').catch(() => undefined);
      return found === content;
    }),
  );
  return whole.every(Boolean);
}
