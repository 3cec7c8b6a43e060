import { isRecord } from '../../components/resource/fields';
import type { Path, Problem } from '../settings/problem';
import { encryptedOnly } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/**
 * Tenant of the local cloud. There, the image of the examples runs as a process, and names cannot collide with those of others.
 */
export const localTenant = '11111111-1111-4111-8111-111111111111';

/** Placeholders in the examples for the user's own values, each with its problem and hint. */
const placeholders: readonly { readonly of: RegExp; readonly what: string; readonly hint: string }[] = [
  {
    of: /^ghcr\.io\/aks-workload-identity(\/|$)/i,
    what: 'is the image of the examples, which nobody publishes: whoever took the name would run code as the identity of the application',
    hint: 'Set an image of your own, in the release file if the application has one; docs/applications.md says how to publish that of the examples in your own registry.',
  },
  {
    of: /(^|\/)examples\/charts\//,
    what: 'is a chart of the examples, which deploys their image, and nobody publishes that',
    hint: 'Name a chart of your own, in the release file if the application has one.',
  },
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
    // A chart may have an image of the user's own in its `values`.
    const hasOwnImage = isRecord(value.values) && value.values.image !== undefined;
    return Object.entries(value).flatMap(([key, one]) =>
      key === 'chart' && hasOwnImage ? [] : problemsIn([...path, key], one),
    );
  }
  if (typeof value !== 'string') return [];
  return placeholders
    .filter(({ of }) => of.test(value))
    .map(({ what, hint }) => ({ path, value: JSON.stringify(value), what, hint }));
}
