import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Returns the path of a script of the SDK that the program has installed (`cmd/run`, …). Program and script must share
 * one copy of the SDK, and this bundle contains none.
 */
export function sdkEntry(script: 'run' | 'run-plugin' | 'run-policy-pack', programDirectory: string): string {
  const from = createRequire(path.join(programDirectory, 'package.json'));
  try {
    return from.resolve(`@pulumi/pulumi/cmd/${script}`);
  } catch (error) {
    const hint = existsSync(path.join(programDirectory, 'package.json'))
      ? 'run `npm ci` there'
      : 'there is no package.json either: is this the folder of a Node program?';
    throw new Error(`The Pulumi SDK (@pulumi/pulumi) is not installed for ${programDirectory}; ${hint}.`, {
      cause: error,
    });
  }
}
