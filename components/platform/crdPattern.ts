// Not in the component's file: the configuration's schema imports it too, and must load no provider.

/**
 * Which custom resources Azure Service Operator installs: patterns over `group/kind`, separated by semicolons
 * (azure-service-operator, `crdPattern` of its chart).
 */
export const crdPattern = /^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/;

/** Resource groups, which own all other resources, and identities, by which the operator proves its sign-in. */
const always: readonly string[] = ['resources.azure.com/*', 'managedidentity.azure.com/*'];

/** All installed patterns without repetition: those that are always installed, the given ones, and `further` ones. */
export function installedPatterns(given?: string, further: readonly string[] = []): readonly string[] {
  return [...new Set([...always, ...(given?.split(';') ?? []), ...further])];
}
