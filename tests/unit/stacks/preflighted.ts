import { InvalidConfigurationError } from '../../../stacks/invalidConfiguration';
import type { PreflightOptions } from '../../../stacks/preflight/preflight';
import { preflight } from '../../../stacks/preflight/preflight';
import { Subscriptions } from '../../../stacks/subscriptions';
import { formatProblem } from '../../../stacks/settings/problem';
import type { ReadFile } from '../../../stacks/settings/projectFiles';
import type { Recording } from '../components/support/recorder';
import { record } from '../components/support/recorder';
import type { Input } from './settings';
import { configurationOf } from './settings';

/** What the preflight of a configuration finds, a line each, and what it asks. By default, no list in Azure has anything. */
export async function preflighted(
  settings: Input,
  answers: Readonly<Record<string, unknown>> = {},
  options: PreflightOptions = {},
  readFile?: ReadFile,
): Promise<{ problems: string[]; recording: Recording<unknown> }> {
  const configuration = configurationOf(settings, undefined, readFile);
  let problems: string[] = [];
  const recording = await record(
    () =>
      preflight(configuration, new Subscriptions('public'), {
        list: () => Promise.resolve([]),
        ...options,
      }).catch((error: unknown) => {
        if (!(error instanceof InvalidConfigurationError)) throw error;
        problems = error.problems.map(formatProblem);
      }),
    { answers },
  );
  return { problems, recording };
}

/** An answer that is an error; the SDK hands on what the engine says as `details`. */
export const fails = (details: string) => () => {
  throw Object.assign(new Error(details), { details });
};
export const notFound = fails('Status=404 Code="ResourceNotFound" Message="The Resource was not found."');
