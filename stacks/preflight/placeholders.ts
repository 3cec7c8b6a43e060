import { isRecord } from '../../components/resource/fields';
import { isInProject } from '../plan/chartSource';
import type { Path, Problem } from '../settings/problem';
import { encryptedOnly } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';
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

const ofExamples = /^(oci:\/\/)?ghcr\.io\/aks-workload-identity(\/|$)/i;

/** A chart in the project whose own values name the image. */
const chartOfExamples = {
  what: "is a chart that deploys the examples' image, which is not published",
  hint: 'Set `image.repository` in its `values`, or use your own chart, in the release file if the application has one.',
};

const placeholders: readonly Placeholder[] = [
  {
    of: ofExamples,
    what: "is an image or a chart from the examples, which is not published: anyone who registers the name could run code as the application's identity",
    hint: "Set your own, in the release file if the application has one. docs/applications.md explains how to publish the examples' image in your own registry.",
  },
  {
    of: /(^|[-/])edit-me([-/]|$)/i,
    what: 'is a placeholder',
    hint: 'Set your own name.',
  },
];

/**
 * Returns problems of placeholders that the settings still contain. The local cloud accepts them; on Azure, the update refuses
 * them before it creates anything.
 */
export function placeholderProblems(settings: StackSettings, readFile: ReadFile): Problem[] {
  return Object.entries(settings)
    .filter(([key]) => !encryptedOnly.includes(key))
    .flatMap(([key, value]) => problemsIn([key], value, readFile));
}

function problemsIn(path: Path, value: unknown, readFile: ReadFile): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => problemsIn([...path, index], item, readFile));
  if (isRecord(value)) {
    const { chart, registry, repository } = value;
    // Many charts take the image in two parts.
    const joined =
      typeof registry === 'string' && typeof repository === 'string' ? `${registry}/${repository}` : '';
    return [
      ...(ofExamples.test(joined) ? problemsOf([...path, 'repository'], joined) : []),
      ...(typeof chart === 'string' && deploysImage(chart, value.values, readFile)
        ? [{ path: [...path, 'chart'], value: JSON.stringify(chart), ...chartOfExamples }]
        : []),
      ...Object.entries(value).flatMap(([key, field]) => problemsIn([...path, key], field, readFile)),
    ];
  }
  return typeof value === 'string' ? problemsOf(path, value) : [];
}

function problemsOf(path: Path, value: string): Problem[] {
  return placeholders
    .filter(({ of }) => of.test(value))
    .map(({ what, hint }) => ({ path, value: JSON.stringify(value), what, hint }));
}

/** Tells whether a chart in the project names the image of the examples in its values, and `values` name no other. */
function deploysImage(chart: string, values: unknown, readFile: ReadFile): boolean {
  const text = isInProject(chart) ? readFile(`${chart}/values.yaml`) : undefined;
  const image = isRecord(values) ? values.image : undefined;
  const hasOwnImage = typeof image === 'string' || (isRecord(image) && image.repository !== undefined);
  return !hasOwnImage && text !== undefined && text.includes('ghcr.io/aks-workload-identity/');
}
