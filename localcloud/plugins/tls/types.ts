import type { Declared } from '../resources/shapes/extract';

/** The resource types of `@pulumi/tls` that the plugin has. */
export const types = {
  privateKey: 'tls:index/privateKey:PrivateKey',
  selfSignedCert: 'tls:index/selfSignedCert:SelfSignedCert',
} as const;

/** Returns the types whose declarations shapes/shapes.json contains. */
export function declaredTypes(): Declared[] {
  return Object.values(types).map((token) => ({ token, kind: 'resource' }));
}
