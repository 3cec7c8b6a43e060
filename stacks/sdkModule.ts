import { createRequire } from 'node:module';

/** Returns a module of the SDK itself: an import would be a copy, whose functions are not those that the SDK calls. */
export function sdkModule(name: string): unknown {
  return createRequire(__filename)(`@pulumi/pulumi/${name}`) as unknown;
}
