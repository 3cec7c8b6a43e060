import type { Access } from '../access/reach';
import type { PlacedProblem, StackFileText } from '../stackFile';

/** A request to a run without an engine. */
export interface DryRunRequest extends StackFileText {
  /** Folder of the project. */
  readonly project: string;
  /** Subscription that is deployed to, unless the stack file has one. Default: unknown. */
  readonly subscriptionId?: string | undefined;
}

export type DryRunAnswer = { readonly access: Access } | { readonly problems: readonly PlacedProblem[] };
