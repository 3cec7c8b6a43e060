import { capture, type Captured } from './capture';
import { VisibleError } from './visibleError';

/** Runs the pulumi on PATH on a stack, without asking, and gives what it printed. */
export async function runPulumi(
  stack: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<string> {
  const result = await capture('pulumi', [...args, '--stack', stack, '--non-interactive'], {
    cwd,
    ...(env !== undefined && { env }),
  });
  if (result.code === 0) return result.stdout;
  throw pulumiError(stack, args, result);
}

function pulumiError(stack: string, args: readonly string[], result: Captured): VisibleError {
  if (result.notFound) {
    return new VisibleError(
      `Stack '${stack}' cannot be read: pulumi was not found on PATH.`,
      'Install it (https://www.pulumi.com/docs/install/), or use the stacks of the local cloud, which brings its own.',
    );
  }
  const told = messagesOf(result);
  if (/no stack named|stack .*not found/i.test(told)) {
    return new VisibleError(
      `There is no stack named '${stack}' in this backend.`,
      `List the stacks with \`pulumi stack ls\`; make one with \`pulumi stack init ${stack}\`.`,
    );
  }
  if (/passphrase/i.test(told)) {
    return new VisibleError(
      `The secrets of stack '${stack}' cannot be decrypted: ${told}`,
      'Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of the stack.',
    );
  }
  const command = args.slice(0, args[0] === 'stack' ? 2 : 1).join(' ');
  return new VisibleError(
    `pulumi ${command} failed for stack '${stack}': ${told || `exit code ${result.code}`}`,
    'Correct it and run the command again; check that you are logged in (`pulumi whoami`).',
  );
}

/** With `--json`, errors are among the diagnostics of what is printed. */
function messagesOf({ stdout, stderr }: Captured): string {
  const diagnostics = [...stdout.matchAll(/"message": "((?:[^"\\]|\\.)*)",\s*"severity": "error"/g)].map(
    ([, message = '']) => JSON.parse(`"${message}"`) as string,
  );
  const lines = [...diagnostics, stderr]
    .map((text) => text.replace(/^error: /, '').trim())
    .filter((text) => text !== '');
  return lines.join('\n') || stdout.trim().split('\n').slice(-5).join('\n');
}
