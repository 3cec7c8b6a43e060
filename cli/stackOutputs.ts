import { z } from 'zod';
import type { VerifiedOutputs } from '../verification/checks';
import { runPulumi } from './pulumi';
import { VisibleError } from './visibleError';

/** What the command reads of the outputs that this program exports. */
const stackOutputs: z.ZodType<VerifiedOutputs> = z.object({
  tenantId: z.string(),
  vaults: z.record(
    z.string(),
    z.object({
      id: z.string(),
      uri: z.string(),
      access: z.enum(['rbac', 'accessPolicy']),
      secrets: z.array(z.string()),
    }),
  ),
  clusters: z.record(z.string(), z.unknown()),
  kubeconfigs: z.record(z.string(), z.string()),
  workloads: z.array(
    z.object({
      cluster: z.string(),
      application: z.string(),
      version: z.string().exactOptional(),
      digest: z.string().exactOptional(),
      namespace: z.string(),
      serviceAccount: z.string(),
      // Earlier versions of this program did not export it.
      serviceAccounts: z.array(z.string()).default([]),
      identity: z.object({
        name: z.string(),
        id: z.string(),
        clientId: z.string(),
        principalId: z.string(),
      }),
      issuer: z.string(),
      subject: z.string(),
      audience: z.string(),
      grants: z.array(z.object({ vault: z.string(), secret: z.string() })),
    }),
  ),
  // Earlier versions of this program did not export it.
  identities: z
    .array(
      z.object({
        cluster: z.string(),
        name: z.string(),
        id: z.string(),
        trusts: z.array(z.object({ issuer: z.string(), subject: z.string(), audience: z.string() })),
      }),
    )
    .default([]),
});

/** Reads a deployed stack's outputs, secrets included, through the pulumi on PATH. */
export async function readStackOutputs(stack: string, options: { cwd: string }): Promise<VerifiedOutputs> {
  const text = await runPulumi({ name: stack, ...options }, ['stack', 'output', '--json', '--show-secrets']);
  return parseStackOutputs(stack, text);
}

/** Checks that the outputs are those of this program; exported for tests. */
export function parseStackOutputs(stack: string, text: string): VerifiedOutputs {
  const parsed = stackOutputs.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  // Paths only: the values may be secret.
  const paths = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || '(root)'))];
  throw new VisibleError(
    `The outputs of stack '${stack}' are not those of this program. Missing or of another type: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? `, and ${paths.length - 5} more` : ''}.`,
    `Deploy the stack with this program first: \`pulumi up --stack ${stack}\`.`,
  );
}
