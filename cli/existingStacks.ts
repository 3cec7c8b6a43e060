import path from 'node:path';
import * as z from 'zod';
import { runPulumi } from './pulumi';

/** Returns the names of the stacks that the backend has. */
export async function existingStacks(cwd: string, stack: string): Promise<string[]> {
  const stdout = await runPulumi({ name: stack, cwd }, ['stack', 'ls', '--json']);
  return z
    .array(z.looseObject({ name: z.string() }))
    .parse(JSON.parse(stdout))
    .map(({ name }) => path.posix.basename(name));
}
