// Beside the component, since the configuration's schema needs it too, and loads no provider.

/**
 * Which custom resources Azure Service Operator installs: patterns over `group/kind`, separated by semicolons
 * (azure-service-operator, `crdPattern` of its chart).
 */
export const crdPattern = /^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/;

/** Groups that own everything else, and the identity by which the operator shows that it gets tokens. */
const always: readonly string[] = ['resources.azure.com/*', 'managedidentity.azure.com/*'];

/** The patterns that are installed: those that always are, those that are asked for, and `further` ones, each once. */
export function installedPatterns(given?: string, further: readonly string[] = []): readonly string[] {
  return [...new Set([...always, ...(given?.split(';') ?? []), ...further])];
}
