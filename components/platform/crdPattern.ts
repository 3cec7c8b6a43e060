// Beside the component, since the configuration's schema needs it too, and loads no provider.

/**
 * Which custom resources Azure Service Operator installs: patterns over `group/kind`, separated by semicolons
 * (azure-service-operator, `crdPattern` of its chart).
 */
export const crdPattern = /^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/;
