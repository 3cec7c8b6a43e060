import { z } from 'zod';
import type { StackOutputs } from '../stacks/outputs/outputs';
import { capture } from './capture';
import { VisibleError } from './visibleError';

const identity = z.object({ id: z.string(), clientId: z.string(), principalId: z.string() });

/** The shape that this program exports; more is allowed, so that a newer program can be checked. */
const stackOutputs: z.ZodType<StackOutputs> = z.object({
  environment: z.string(),
  tenantId: z.string(),
  subscriptionId: z.string(),
  resourceGroup: z.string(),
  vaults: z.record(
    z.string(),
    z.object({
      id: z.string(),
      uri: z.string(),
      access: z.enum(['rbac', 'accessPolicy']),
      secrets: z.array(z.string()),
    }),
  ),
  clusters: z.record(
    z.string(),
    z.object({
      mode: z.enum(['create', 'existing', 'external']),
      id: z.string().exactOptional(),
      issuer: z.string(),
      identity,
    }),
  ),
  kubeconfigs: z.record(z.string(), z.string()),
  workloads: z.array(
    z.object({
      cluster: z.string(),
      application: z.string(),
      version: z.string().exactOptional(),
      digest: z.string().exactOptional(),
      namespace: z.string(),
      serviceAccount: z.string(),
      // Told since applications may have several.
      serviceAccounts: z.array(z.string()).default([]),
      identity: identity.extend({ name: z.string() }),
      issuer: z.string(),
      subject: z.string(),
      audience: z.string(),
      grants: z.array(z.object({ vault: z.string(), secret: z.string() })),
    }),
  ),
  dependencies: z
    .array(
      z.object({
        application: z.string(),
        name: z.string(),
        kind: z.string(),
        azureName: z.string(),
        resourceId: z.string(),
        managedBy: z.string(),
        connection: z.enum(['identity', 'secret', 'vault']),
      }),
    )
    .default([]),
  kept: z
    .array(
      z.object({ type: z.string(), name: z.string(), id: z.string(), deletion: z.enum(['kept', 'allowed']) }),
    )
    .default([]),
});

/** Reads a deployed stack's outputs, secrets included, through the pulumi on PATH. */
export async function readStackOutputs(stack: string, options: { cwd: string }): Promise<StackOutputs> {
  const text = await pulumiStackOutput(stack, options.cwd);
  return parseStackOutputs(stack, text);
}

async function pulumiStackOutput(stack: string, cwd: string): Promise<string> {
  const args = ['stack', 'output', '--json', '--show-secrets', '--non-interactive', '--stack', stack];
  const result = await capture('pulumi', args, { cwd });
  if (result.notFound) {
    throw new VisibleError(
      `The outputs of stack '${stack}' cannot be read: pulumi was not found on PATH.`,
      'Install it (https://www.pulumi.com/docs/install/), or run `make up`, which brings its own for stack local.',
    );
  }
  if (result.code === 0) return result.stdout;
  const told = result.stderr.trim().replace(/^error: /, '');
  if (/no stack named|stack .*not found/i.test(told)) {
    throw new VisibleError(
      `There is no stack named '${stack}' in this backend.`,
      'List the stacks with `pulumi stack ls`; deploy one with `pulumi up --stack NAME`, stack local with `make up`.',
    );
  }
  if (/passphrase/i.test(told)) {
    throw new VisibleError(
      `The secrets of stack '${stack}' cannot be decrypted: ${firstLine(told)}`,
      'Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of the stack.',
    );
  }
  throw new VisibleError(
    `pulumi could not read the outputs of stack '${stack}': ${firstLine(told) || `exit code ${result.code}`}`,
    'Check that you are logged in (`pulumi whoami`) and that the stack exists (`pulumi stack ls`).',
  );
}

/** Checks that the outputs are those of this program; exported for tests. */
export function parseStackOutputs(stack: string, text: string): StackOutputs {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new VisibleError(
      `pulumi's answer about stack '${stack}' is not JSON.`,
      'Update pulumi and try again.',
    );
  }
  const parsed = stackOutputs.safeParse(value);
  if (parsed.success) return parsed.data;
  // Paths only: the values may be secret.
  const paths = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || '(root)'))];
  throw new VisibleError(
    `The outputs of stack '${stack}' are not those of this program: missing or of another type: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? `, and ${paths.length - 5} more` : ''}.`,
    `Deploy the stack with this program first: \`pulumi up --stack ${stack}\`.`,
  );
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}
