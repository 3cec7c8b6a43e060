import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { COMMAND, variable } from '../project';

const languageHost = variable('LANGUAGE_HOST');

/** Returns the environment variables with which the launcher finds the language host of a checkout. */
export function languageHostVariables(projectRoot: string): Record<string, string> {
  return { [languageHost]: path.join(projectRoot, 'dist', 'pulumi-language-nodejs.cjs') };
}

/**
 * Launchers next to the engine, where the engine looks first. They contain no path, so that the cache can be moved and
 * shared: Node comes from PATH, and the language host from the current checkout.
 */
export const pulumiLaunchers: Readonly<Record<string, string>> = {
  'pulumi-language-nodejs': `#!/bin/sh\nexec node "\${${languageHost}:?is not set: run pulumi as ${COMMAND} pulumi}" "$@"\n`,
  'pulumi-resource-pulumi-nodejs': `#!/bin/sh\nexec node -e 'process.argv.splice(1, 0, "dynamic-provider"); require("@pulumi/pulumi/cmd/dynamic-provider")' -- "$@"\n`,
};

/**
 * Writes the launchers of the language host and of the provider of dynamic resources next to a compiled engine;
 * returns their names.
 */
export async function writePulumiLaunchers(folder: string): Promise<string[]> {
  for (const [name, content] of Object.entries(pulumiLaunchers)) {
    await writeFile(path.join(folder, name), content);
    await chmod(path.join(folder, name), 0o755);
  }
  return Object.keys(pulumiLaunchers);
}
