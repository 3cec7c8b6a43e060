import { digestOf } from '../../../components/resource/digest';
import { isRecord } from '../../../components/resource/fields';
import type { StackSettings } from '../schema';

/** The part of an application that is promoted. */
interface Promoted {
  readonly image?: string;
  readonly chart?: object;
  readonly secrets?: readonly string[];
  readonly port?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Digest of the content of a release: a release file may have been edited after the version was deployed.
 */
export function releaseDigest({ image, chart, secrets = [], port, env }: Promoted): string {
  const content = { image, chart, secrets: [...secrets].sort(), port, env };
  return digestOf(JSON.stringify(content, sortedKeys), 16);
}

/** Digest of an application of a stack, without its overrides. */
export function applicationDigest(
  { applications }: Pick<StackSettings, 'applications'>,
  name: string,
): string | undefined {
  const application = applications.find((one) => one.name === name);
  return application && releaseDigest(application);
}

/** Sorts keys: their order in the file means nothing. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
