import { createHash } from 'node:crypto';
import { isRecord } from '../record';
import type { StackSettings } from '../schema';

/** What is promoted of an application. */
interface Promoted {
  readonly image?: string;
  readonly chart?: object;
  readonly secrets?: readonly string[];
  readonly port?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const digestLength = 16;

/**
 * Tells one content of a release from another: a file says what a version is to be, and may have been edited since it
 * was deployed under that version.
 */
export function releaseDigest({ image, chart, secrets = [], port, env }: Promoted): string {
  const content = { image, chart, secrets: [...secrets].sort(), port, env };
  return createHash('sha256')
    .update(JSON.stringify(content, sortedKeys))
    .digest('hex')
    .slice(0, digestLength);
}

/** That of an application of a stack, without what is different on single clusters. */
export function digestOf(
  { applications }: Pick<StackSettings, 'applications'>,
  name: string,
): string | undefined {
  const application = applications.find((one) => one.name === name);
  return application && releaseDigest(application);
}

/** The order in which a file has its keys means nothing. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
