/** Segments of paths at services other than the resource manager. All others may be names or secrets. */
const words = new Set([
  ...[
    'applications',
    'authorize',
    'certificates',
    'common',
    'deletedsecrets',
    'discovery',
    'groups',
    'instance',
  ],
  ...['keys', 'me', 'oauth2', 'openid-configuration', 'organization', 'organizations', 'recover', 'secrets'],
  ...['servicePrincipals', 'token', 'users', 'v1.0', 'v2.0', 'beta', 'versions', '.well-known'],
]);

const placeholder = '{}';
const VAULT = '.vault.azure.net';

/** Returns the host of a request, without the name of a vault. */
export function hostTemplate(host: string): string {
  return host.endsWith(VAULT) ? `${placeholder}${VAULT}` : host;
}

/**
 * Returns a path of the resource manager in which placeholders replace names and ids. After `providers`, a namespace is followed by
 * types and names in turn.
 */
function resourcePath(segments: readonly string[]): string[] {
  let typeNext = true;
  return segments.map((segment, index) => {
    if (segments[index - 1]?.toLowerCase() === 'providers' && /^[a-z]+(\.[a-z]+)+$/i.test(segment)) {
      typeNext = true;
      return segment;
    }
    const isType = typeNext && /^[a-z]{2,60}$/i.test(segment);
    typeNext = segment.toLowerCase() === 'providers' || !typeNext;
    return isType ? segment : placeholder;
  });
}

/** Returns a path without its query, in which placeholders replace everything that may be a name, an id or a secret. */
export function pathTemplate(host: string, path: string): string {
  const segments = path.split('?')[0]?.split('/').filter(Boolean) ?? [];
  const templates = host.startsWith('management.')
    ? resourcePath(segments)
    : segments.map((segment) => (words.has(segment) ? segment : placeholder));
  return `/${templates.join('/')}`;
}
