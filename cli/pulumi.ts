import * as z from 'zod';
import { capture, notFound, type Captured } from './capture';
import { unknownStack } from './project';
import { UserError } from './userError';

/** A stack with the places of its project and configuration. */
export interface PulumiStack {
  name: string;
  /** Folder of the project. */
  cwd: string;
  /** Configuration file. Default: the project's Pulumi.<stack>.yaml. */
  configFile?: string | undefined;
}

/**
 * Runs the pulumi on PATH on a stack, non-interactively, and returns its standard output. Pulumi's automation API runs the same
 * command. It runs it twice for outputs, always asks for the secrets of a state, and needs the SDK, which no command loads.
 */
export async function runPulumi(
  stack: PulumiStack,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<string> {
  const { name, cwd } = stack;
  const result = await capture('pulumi', [...args, '--stack', name, '--non-interactive'], {
    cwd,
    ...options,
  });
  if (result.code === 0) return result.stdout;
  throw pulumiError(stack, args, result);
}

/** Option that enables the project's policy pack. */
export const policyPack = ['--policy-pack', 'policy'];

/** Option for commands that read the stack's configuration. */
export function configFileOption({ configFile }: PulumiStack): string[] {
  return configFile === undefined ? [] : ['--config-file', configFile];
}

/** The state of a stack as `pulumi stack export` prints it. */
export const exportedState = z.looseObject({
  deployment: z.looseObject({
    resources: z
      .array(
        z.looseObject({
          urn: z.string(),
          id: z.string().optional(),
          inputs: z.record(z.string(), z.unknown()).optional(),
          outputs: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .nullish(),
  }),
});

/** Returns the error for a failed command of pulumi, with its hint. */
export function pulumiError(
  { name: stack, cwd }: PulumiStack,
  args: readonly string[],
  result: Captured,
): UserError {
  const messages = messagesOf(result);
  const isMissing = /no stack named|stack .*not found/i.test(messages);
  const unknown = isMissing || result.code === notFound ? unknownStack(cwd, stack) : undefined;
  if (unknown !== undefined) return unknown;
  if (result.code === notFound) {
    return new UserError(
      `Stack '${stack}' cannot be read: pulumi was not found on PATH.`,
      'Install it (https://www.pulumi.com/docs/install/), or use the stacks of the local cloud, which brings its own.',
    );
  }
  if (isMissing) {
    return new UserError(
      `Stack ${stack} is not deployed: Pulumi's backend has no stack of that name (\`pulumi whoami --verbose\`).`,
      `If it is new, create it with \`pulumi stack init ${stack}\` and deploy it; \`pulumi stack ls\` lists the existing stacks.`,
    );
  }
  if (/passphrase/i.test(messages)) {
    return new UserError(
      `The secrets of stack '${stack}' cannot be decrypted: ${messages}`,
      'Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of the stack.',
    );
  }
  const command = args.slice(0, args[0] === 'stack' ? 2 : 1).join(' ');
  return new UserError(
    `pulumi ${command} failed for stack '${stack}': ${messages || `exit code ${result.code}`}`,
    'Correct the cause and run the command again; check that you are logged in (`pulumi whoami`).',
  );
}

/** Extracts pulumi's error messages. With `--json`, they are among the diagnostics on standard output. */
function messagesOf({ stdout, stderr }: Captured): string {
  const diagnostics = [...stdout.matchAll(/"message": "((?:[^"\\]|\\.)*)",\s*"severity": "error"/g)].map(
    ([, message = '']) => JSON.parse(`"${message}"`) as string,
  );
  const lines = [...diagnostics, stderr]
    .map((text) => text.replace(/^error: /, '').trim())
    .filter((text) => text !== '');
  return lines.join('\n') || stdout.trim().split('\n').slice(-5).join('\n');
}
