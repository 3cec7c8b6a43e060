import type * as pulumi from '@pulumi/pulumi';

/** What every resource that a component makes in Azure can be given. */
export interface NewResource {
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /** Tags. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** It stays in Azure when it leaves the program or the stack is destroyed. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Every deletion is refused, a deliberate one too. Default: false. */
  readonly protect?: boolean;
}

/** The options by which the engine keeps a resource, or deletes it. */
export function retention({
  retainOnDelete = true,
  protect = false,
}: Pick<NewResource, 'retainOnDelete' | 'protect'>) {
  return { retainOnDelete, protect };
}
