import type { Properties } from './values';

/** The resource exists but is not in the requested state. The engine records it for repair. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly state: Properties,
    readonly reasons: string[],
    /** Inputs to record. @default the inputs that the operation was given */
    readonly inputs?: Properties,
  ) {
    super(reasons.join('; '));
    this.name = 'PartialFailure';
  }
}

/** A request for something that the plugin does not support, for example an unknown type. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}
