import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { commandLine } from '../project';
import { pulumiCommand, upCommand, type LocalStack } from './localStack';
import { heldNamesHint } from './purge';
import type { Product } from './product';
import type { PulumiContext } from './runPulumi';
import { UserError } from '../userError';

/** gRPC's message for a call on a connection that was closed by its own side. */
const closedConnection = 'grpc: the client connection is closing';

/**
 * The errors for a resource that exists but is not in the stack: of azure-native and azuread, and Azure's for credentials and role assignments that exist under other names.
 */
const alreadyThere =
  /cannot create already existing resource|Issuer and subject combination already exists|\bRoleAssignmentExists\b/;

/** Prefix of the error text for a violation of a mandatory policy. */
const refusedBy = 'refused by policy ';

/** Key Vault's error for a secret with the name of a soft-deleted one. */
const secretHeld = /Secret ([\w-]+) is currently in a deleted but recoverable state/;

/** Enables the engine's debug commands, without which it refuses `--event-log` (pulumi 3.257). */
export function withEventLog(context: PulumiContext): PulumiContext {
  return { ...context, env: { ...context.env, PULUMI_DEBUG_COMMANDS: 'true' } };
}

/**
 * Returns the error texts in an event log of the engine: one JSON event per line, the last one possibly incomplete.
 * The log is a file and not a pipe, because an engine that outlives its command fails if nobody reads its output.
 * Pulumi's automation API would parse it, but is not used (see `streamPulumi`).
 */
export function readErrors(file: string): string[] {
  return existsSync(file) ? parseErrors(readFileSync(file, 'utf8')) : [];
}

/** Exported for tests. */
export function parseErrors(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const event = parseJson(line);
    const policy = member(event, 'policyEvent');
    if (member(policy, 'enforcementLevel') === 'mandatory')
      return [`${refusedBy}${String(member(policy, 'policyName'))}`];
    const diagnostic = member(event, 'diagnosticEvent');
    const message = member(diagnostic, 'message');
    if (member(diagnostic, 'severity') !== 'error' || typeof message !== 'string') return [];
    // Colours are marks such as `<{%reset%}>`, or terminal escape sequences.
    return [stripVTControlCharacters(message.replace(/<\{%.*?%\}>/g, '')).trim()];
  });
}

/**
 * Returns the error for a failed preview or update. The engine has already printed the details.
 *
 * @param inPreview true for a preview, which changes nothing
 */
export function deploymentFailed(
  errors: string[],
  log: string,
  stack: LocalStack,
  { commands, errors: own }: Pick<Product, 'commands' | 'errors'>,
  inPreview: boolean,
): UserError {
  if (errors.some((message) => own.invalid.test(message))) {
    return new UserError(
      'The configuration was refused; nothing was changed.',
      `Correct ${stack.source} as described above and run the command again.`,
    );
  }
  const importing = Object.hasOwn(commands, 'import')
    ? commandLine(`import --stack ${stack.name}`)
    : `\`${pulumiCommand(stack)} import\``;
  const kept = inPreview ? 'nothing was changed' : 'completed changes are kept';
  // Checked before `closedConnection`: an engine that a policy stops closes its connections, and running operations
  // then report that.
  const policies = errors.filter((message) => message.startsWith(refusedBy));
  if (policies.length > 0) {
    const names = [...new Set(policies)].map((message) => message.slice(refusedBy.length)).join(', ');
    return new UserError(
      `pulumi up failed, refused by the policy pack (${names}); ${kept}.`,
      `Correct ${stack.source} as described above, or ${own.policies}, and run the command again.`,
    );
  }
  if (errors.some((message) => message.includes(closedConnection))) {
    return new UserError(
      `pulumi up failed: the change replaces a cluster and the resources in it, which Pulumi cannot do in one update (https://github.com/pulumi/pulumi/issues/14650); ${kept}.`,
      `Undo the change in ${stack.source}. Or remove everything first: ${commandLine('clean')}, then \`${upCommand(stack)}\`.`,
    );
  }
  const held = heldNamesHint(errors);
  if (held !== undefined) return new UserError(`pulumi up failed; ${kept}.`, held);
  const [, secret] = errors.map((message) => secretHeld.exec(message)).find((match) => match !== null) ?? [];
  if (secret !== undefined) {
    return new UserError(
      `pulumi up failed: the name of the deleted secret ${secret} is still reserved in the vault; ${kept}.`,
      `Recover it, as in Azure. In a shell with the variables of ${commandLine('cloud env')}, give that account the role with \`az role assignment create --role "Key Vault Secrets Officer"\` on the vault, and run \`az keyvault secret recover --name ${secret} --vault-name <vault>\`. Then run ${importing}, and the command again.`,
    );
  }
  if (errors.some((message) => alreadyThere.test(message) || own.exists.test(message))) {
    return new UserError(
      `pulumi up failed: a resource to create already exists; ${kept}.`,
      `Import it with ${importing}, and run the command again.`,
    );
  }
  return new UserError(
    `pulumi up failed; ${kept}.`,
    `Correct the errors above and run the command again. Log of the local cloud: ${log}`,
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
