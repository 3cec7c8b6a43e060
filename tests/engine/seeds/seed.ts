/** Arguments of a seed. */
export interface SeedRequest {
  /** The state folder of the local cloud, which is not running yet. */
  readonly state: string;
  /** Name of the stack. */
  readonly stack: string;
  /** Its configuration at the recorded commit. */
  readonly text: string;
}

/** Makes the existing resources of a stack, and returns the configuration to deploy and record. */
export type Seed = (request: SeedRequest) => Promise<string>;
