import { z } from 'zod';
import type { StackOutputs } from '../stacks/outputs/outputs';
import { runPulumi } from './pulumi';
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
});

/** Reads a deployed stack's outputs, secrets included, through the pulumi on PATH. */
export async function readStackOutputs(stack: string, options: { cwd: string }): Promise<StackOutputs> {
  const text = await runPulumi({ name: stack, ...options }, ['stack', 'output', '--json', '--show-secrets']);
  return parseStackOutputs(stack, text);
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
