import type { Access } from '../access/reach';
import type { PlacedProblem, StackFileText } from '../checks/stackFile';

/** What is asked of a run without an engine. */
export interface DryRunRequest extends StackFileText {
  /** Folder of the project. */
  readonly project: string;
  /** Subscription that is deployed to, if the stack file does not say it. Default: not known. */
  readonly subscriptionId?: string | undefined;
}

export type DryRunAnswer = { readonly access: Access } | { readonly problems: readonly PlacedProblem[] };
