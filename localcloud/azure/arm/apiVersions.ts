import { ArmError } from './errors';
import { versionsOf } from './publishedVersions';
import data from './servedVersions.json';

/** The api-versions of a type, from those published. */
interface Served {
  /** Types whose published versions it has, because the specifications list no others. @default itself */
  of?: readonly string[];
  /** The first of them: older ones lack the type, or have it in another form. */
  since?: string;
  /** Versions of other parts of the specification. */
  also?: readonly string[];
  /** Versions that lack the type, or in which it is another one: diagnostic settings of management groups. */
  without?: readonly string[];
}

/**
 * API versions by resource type. Clients poll an operation with the version of the request that started it. `versionChanges.ts`
 * has the changes between versions.
 */
const VERSIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries<Served>(data).map(([type, { of = [type], since = '', also = [], without = [] }]) => {
    const published = of
      .flatMap(versionsOf)
      .filter((version) => version >= since && !without.includes(version));
    return [type, [...new Set([...published, ...also])].sort()];
  }),
);

/** The resource types that the local cloud supports. */
export const KNOWN_TYPES: readonly string[] = Object.keys(VERSIONS);

/** Namespaces of the resource types that the local cloud supports. */
export const NAMESPACES: readonly string[] = [
  ...new Set(KNOWN_TYPES.map((type) => type.split('/')[0] ?? '')),
];

export const apiVersionsOf = (type: string): readonly string[] => VERSIONS[type] ?? [];

/** Returns the request's api-version; throws if the type does not have it. */
export function checkApiVersion(type: string, apiVersion: string | null): string {
  if (apiVersion === null || apiVersion === '') {
    throw new ArmError(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  }
  const known = apiVersionsOf(type).find((version) => version === apiVersion.toLowerCase());
  if (known !== undefined) return known;
  throw unknownVersion(type, apiVersion);
}

const VERSION = /^\d{4}-\d{2}-\d{2}(?:-[a-z0-9.]+)?$/i;

/**
 * The error for an api-version that the type does not have. Sources: Azure/azure-sdk-for-python #975 (the resource manager's
 * own types), Azure/acs-engine #4037 and Azure/azure-xplat-cli #1976 (types without a location),
 * Azure/azure-resource-manager-schemas #33 (all others; Azure's text also has the location, which a request without a body
 * lacks). A version that is not a date is assumed to get the first of these errors for every type.
 */
function unknownVersion(type: string, apiVersion: string): ArmError {
  const [namespace = '', ...kinds] = type.split('/');
  const kind = kinds.join('/');
  const supported = apiVersionsOf(type).toReversed();
  if (namespace === 'Microsoft.Resources' || !VERSION.test(apiVersion)) {
    return new ArmError(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${apiVersion}' is invalid. The supported versions are '${supported.join(',')}'.`,
    );
  }
  if (namespace === 'Microsoft.Authorization' || namespace === 'Microsoft.Insights') {
    return new ArmError(
      404,
      'InvalidResourceType',
      `The resource type '${kind}' could not be found in the namespace '${namespace}' for api version '${apiVersion}'. The supported api-versions are '${supported.join(',')}'.`,
    );
  }
  return new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for API version '${apiVersion}' for type '${kind}'. The supported api-versions are '${supported.join(', ')}'.`,
  );
}
