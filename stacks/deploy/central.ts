/**
 * The resources that the stack of an environment deploys for its cells, from its outputs. A cell uses them and creates the rest:
 * names and identities of resources are the same as in one stack, so that they can move from one to the other.
 */
export interface Central {
  /** Ids of vaults by name. */
  readonly vaults: ReadonlyMap<string, string>;
  /** Object ids of Entra groups by name in the stack. */
  readonly groups: ReadonlyMap<string, string>;
  /** Id of the workspace for audit logs, if there is one. */
  readonly logWorkspace?: string | undefined;
}
