import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { upCommand, type LocalStack } from './localStack';
import { heldNamesRemedy } from './purge';
import type { PulumiContext } from './runPulumi';
import { VisibleError } from './visibleError';

/** How the program's own validation begins its one error (`InvalidConfigurationError` in stacks/). */
const refusal = /\bPulumi\.[\w-]+\.yaml has (1 error|\d+ errors); nothing was changed\./;

/** What Go's gRPC says to a call on a connection that its own side has closed. */
const closedConnection = 'grpc: the client connection is closing';

/**
 * How azure-native refuses what a stack has forgotten, or never had; and how Azure refuses trust and grants that exist
 * under other names.
 */
const alreadyThere =
  /cannot create already existing resource|exists in Azure and is not in the stack|Issuer and subject combination already exists|\bRoleAssignmentExists\b/;

/** How a vault refuses the name of a secret that was deleted and can still be recovered. */
const secretHeld = /Secret ([\w-]+) is currently in a deleted but recoverable state/;

/** The engine takes `--event-log` only with its commands for debugging switched on (pulumi 3.257). */
export function withEventLog(context: PulumiContext): PulumiContext {
  return { ...context, env: { ...context.env, PULUMI_DEBUG_COMMANDS: 'true' } };
}

/**
 * The texts of the errors in an event log of the engine: one event as JSON on each line, the last one
 * perhaps cut off. Read from a file and not from the output, because an engine that outlives its command
 * dies of an output that nobody reads.
 */
export function readErrors(file: string): string[] {
  return existsSync(file) ? parseErrors(readFileSync(file, 'utf8')) : [];
}

/** Exported for tests. */
export function parseErrors(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const diagnostic = member(parseJson(line), 'diagnosticEvent');
    const message = member(diagnostic, 'message');
    if (member(diagnostic, 'severity') !== 'error' || typeof message !== 'string') return [];
    // Colours are marks such as `<{%reset%}>`, or a terminal's.
    return [stripVTControlCharacters(message.replace(/<\{%.*?%\}>/g, '')).trim()];
  });
}

/** What to do about a failed `pulumi up`; what failed was printed by the engine. */
export function deploymentFailed(errors: string[], log: string, stack: LocalStack): VisibleError {
  if (errors.some((message) => refusal.test(message))) {
    return new VisibleError(
      'The configuration was refused; nothing was changed.',
      `Correct ${stack.source} as told above and run the command again.`,
    );
  }
  if (errors.some((message) => message.includes(closedConnection))) {
    return new VisibleError(
      'pulumi up failed: the change replaces a cluster together with what is on it, which the engine cannot do in one go (https://github.com/pulumi/pulumi/issues/14650); what it did is kept.',
      `Undo the change in ${stack.source}; or remove everything first: \`make clean\`, then \`${upCommand(stack)}\`.`,
    );
  }
  const held = heldNamesRemedy(errors);
  if (held !== undefined) return new VisibleError('pulumi up failed; what it did is kept.', held);
  const [, secret] = errors.map((message) => secretHeld.exec(message)).find((found) => found !== null) ?? [];
  if (secret !== undefined) {
    return new VisibleError(
      `pulumi up failed: the vault keeps the name of the deleted secret ${secret}; what it did is kept.`,
      `Recover it, as in Azure: \`az keyvault secret recover --name ${secret} --vault-name <vault>\` in a shell with \`npx aks-wi cloud env\`; then \`npx aks-wi import --stack ${stack.name}\`, and run the command again.`,
    );
  }
  if (errors.some((message) => alreadyThere.test(message))) {
    return new VisibleError(
      'pulumi up failed: something that it would make exists already; what it did is kept.',
      `Take it into the stack with \`npx aks-wi import --stack ${stack.name}\`, and run the command again.`,
    );
  }
  return new VisibleError(
    'pulumi up failed; what it did is kept.',
    `Correct what it reports above and run the command again; the local cloud's log: ${log}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
