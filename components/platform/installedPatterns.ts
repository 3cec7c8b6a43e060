/** Resource groups, which own all other resources, and identities: the operator proves its sign-in with one. */
const always: readonly string[] = ['resources.azure.com/*', 'managedidentity.azure.com/*'];

/**
 * Returns all installed patterns without repetition: those that are always installed, those in `pattern`, and `further`
 * ones.
 */
export function installedPatterns(pattern?: string, further: readonly string[] = []): readonly string[] {
  return [...new Set([...always, ...(pattern?.split(';') ?? []), ...further])];
}
