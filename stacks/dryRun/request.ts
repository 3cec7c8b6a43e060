import type { Access } from '../access/reach';
import type { PlacedProblem, StackFileText } from '../stackFile';

/** A request to a run without an engine. */
export interface DryRunRequest extends StackFileText {
  /** Folder of the project. */
  readonly project: string;
  /** Subscription that is deployed to, unless the stack file has one. Default: unknown. */
  readonly subscriptionId?: string | undefined;
  /** True to return the parts of an environment with cells instead of who could use what. */
  readonly parts?: boolean | undefined;
}

/**
 * The resources that each stack of an environment with cells registers, as `<type>::<name>`, by name of the stack.
 */
export type Parts = Readonly<Record<string, readonly string[]>>;

export type DryRunAnswer =
  { readonly access: Access } | { readonly parts: Parts } | { readonly problems: readonly PlacedProblem[] };
