import { isRecord } from '../../components/resource/fields';
import type { Path, Problem } from '../settings/problem';
import { encryptedOnly } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/**
 * Tenant of the local cloud. There, the image of the examples runs as a process, and names cannot collide with those of others.
 */
export const localTenant = '11111111-1111-4111-8111-111111111111';

/** A placeholder in the examples for the user's own value, with its problem and hint. */
interface Placeholder {
  readonly of: RegExp;
  readonly what: string;
  readonly hint: string;
}

/** A chart in the project, which may deploy an image of the user's own. */
const exampleChart: Placeholder = {
  of: /(^|\/)examples\/charts\//,
  what: 'is a chart of the examples, which deploys their image, and nobody publishes that',
  hint: 'Set `image.repository` in its `values`, or name a chart of your own, in the release file if the application has one.',
};

const placeholders: readonly Placeholder[] = [
  {
    of: /^(oci:\/\/)?ghcr\.io\/aks-workload-identity(\/|$)/i,
    what: 'is an image or a chart of the examples, which nobody publishes: whoever took the name would run code as the identity of the application',
    hint: 'Set one of your own, in the release file if the application has one; docs/applications.md says how to publish the image of the examples in your own registry.',
  },
  exampleChart,
  {
    of: /(^|-)edit-me(-|$)/i,
    what: 'is a placeholder',
    hint: 'Set a name of your own.',
  },
];

/**
 * Returns problems of placeholders that the settings still contain. The local cloud accepts them; on Azure, the update refuses
 * them before it creates anything.
 */
export function placeholderProblems(settings: StackSettings): Problem[] {
  return Object.entries(settings)
    .filter(([key]) => !encryptedOnly.includes(key))
    .flatMap(([key, value]) => problemsIn([key], value));
}

function problemsIn(path: Path, value: unknown): Problem[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => problemsIn([...path, index], one));
  if (isRecord(value)) {
    const image = isRecord(value.values) ? value.values.image : undefined;
    const hasOwnImage = typeof image === 'string' || (isRecord(image) && image.repository !== undefined);
    return Object.entries(value).flatMap(([key, one]) =>
      key === 'chart' && hasOwnImage && exampleChart.of.test(String(one))
        ? []
        : problemsIn([...path, key], one),
    );
  }
  if (typeof value !== 'string') return [];
  return placeholders
    .filter(({ of }) => of.test(value))
    .map(({ what, hint }) => ({ path, value: JSON.stringify(value), what, hint }));
}
