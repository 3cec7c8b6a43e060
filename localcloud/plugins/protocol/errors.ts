import type { Properties } from './values';

/** The resource exists, but did not become what was asked for: the engine records it as to be repaired. */
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

/** A request for something that the plugin does not have, for example an unknown type. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}
