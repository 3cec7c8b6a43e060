import { digestOf } from '../../../components/resource/digest';
import { isRecord } from '../../../components/resource/fields';
import type { StackSettings } from '../schema';
import type { ReleasedList } from '../schema/releases';

/** The part of an entry that is promoted. */
interface Promoted {
  readonly image?: string;
  readonly chart?: object;
  readonly secrets?: readonly string[];
  readonly port?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns a digest of the content of a release. It shows whether the release file was edited after the version was deployed.
 */
export function releaseDigest({ image, chart, secrets = [], port, env, spec }: Promoted): string {
  const content = { image, chart, secrets: [...secrets].sort(), port, env, spec };
  return digestOf(JSON.stringify(content, sortedKeys), 16);
}

/** Returns the digest of an entry of a list of the stack file; of an application, without its overrides. */
export function digestIn(
  settings: Pick<StackSettings, ReleasedList>,
  list: ReleasedList,
  name: string,
): string | undefined {
  const found = settings[list].find((item) => item.name === name);
  return found && releaseDigest(found);
}

/** Sorts keys, because their order in the file has no meaning. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
