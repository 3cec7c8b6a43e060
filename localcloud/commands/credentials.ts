import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Instance } from '../daemon/instance';
import { commandLine } from '../project';
import { UserError } from '../userError';

const schema = z.object({
  tenantId: z.string(),
  subscriptionId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  pulumiPassphrase: z.string(),
});

/** Credentials of the local cloud's administrator, created at its first start. */
export type AdministratorCredentials = z.infer<typeof schema>;

export function readCredentials(instance: Pick<Instance, 'credentialsFile'>): AdministratorCredentials {
  const file = instance.credentialsFile;
  if (!existsSync(file)) {
    throw new UserError(
      'The local cloud was never started here.',
      `Run ${commandLine('up')}, or ${commandLine('cloud start')}.`,
    );
  }
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new UserError(
      `${file} is damaged. Without it, nothing can access the local cloud's state.`,
      `Run ${commandLine('clean')}, then ${commandLine('up')}.`,
    );
  }
}
