/** What a seed is told. */
export interface SeedRequest {
  /** The state folder of the local cloud, in which nothing runs yet. */
  readonly state: string;
  /** Name of the stack. */
  readonly stack: string;
  /** Its configuration, as the commit has it. */
  readonly text: string;
}

/** Makes what a stack expects to be there, and gives the configuration that is then deployed and recorded. */
export type Seed = (request: SeedRequest) => Promise<string>;
