import * as z from 'zod';
import { runPulumi, type PulumiStack } from './pulumi';

/** An entry of a stack's history, as `pulumi stack history --json` prints it. */
const entry = z
  .looseObject({
    kind: z.string(),
    result: z.string().default('in-progress'),
    startTime: z.string(),
    endTime: z.string().optional(),
    environment: z.record(z.string(), z.string()).default({}),
  })
  .transform(({ environment, startTime, endTime = startTime, ...rest }) => ({
    ...{ ...rest, time: endTime, commit: environment['git.head'] },
    isDirty: environment['git.dirty'] === 'true',
  }));

const pageSize = 10;

/**
 * Returns the last update of a stack with its result and commit; undefined if there was none, or if the stack was destroyed
 * since. A refresh or an import deploys nothing, so it is no update.
 */
export async function lastUpdate(stack: PulumiStack): Promise<z.output<typeof entry> | undefined> {
  for (let page = 1; ; page++) {
    const pages = ['--page-size', String(pageSize), '--page', String(page)];
    const text = await runPulumi(stack, ['stack', 'history', '--json', ...pages]);
    const entries = z.array(entry).parse(JSON.parse(text));
    const last = entries.find(({ kind }) => kind === 'update' || kind === 'destroy');
    if (last !== undefined) return last.kind === 'update' ? last : undefined;
    if (entries.length < pageSize) return undefined;
  }
}
