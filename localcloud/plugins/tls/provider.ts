import type { ProviderImplementation } from '../protocol';
import { declaredProvider } from '../resources/provider';
import { privateKey } from './privateKey';
import { selfSignedCert } from './selfSignedCert';
import shapes from './shapes/shapes.json';
import { types } from './types';

/** Inputs that the engine adds to every provider. */
const engineInputs = new Set(['version', 'pluginDownloadURL']);

/**
 * Returns the plugin for the types of `@pulumi/tls` that the program uses.
 *
 * @param now returns the time for issuing certificates and for deciding on renewals. @default the system's clock
 */
export function createProvider(now: () => Date = () => new Date()): ProviderImplementation {
  return declaredProvider({
    name: 'tls',
    shapes,
    checkConfig: (news) =>
      Object.keys(news)
        .filter((property) => !property.startsWith('__') && !engineInputs.has(property))
        .map((property) => ({
          property,
          reason: `the local cloud's tls plugin has no configuration '${property}': it sends no requests, so remove it`,
        })),
    configure: () => undefined,
    resources: {
      [types.privateKey]: privateKey,
      [types.selfSignedCert]: (fields) => selfSignedCert(fields, now),
    },
    functions: {},
  });
}
