import type { Properties } from './values';

/** The error for a resource that exists but is not in the requested state. The engine records it for repair. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly state: Properties,
    readonly reasons: string[],
    /** Inputs to record. @default the inputs of the operation */
    readonly inputs?: Properties,
  ) {
    super(reasons.join('; '));
    this.name = 'PartialFailure';
  }
}

/** The error for a request that the plugin does not support, for example for an unknown type. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}
