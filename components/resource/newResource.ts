import type * as pulumi from '@pulumi/pulumi';

/** Common arguments of every resource that a component creates in Azure. */
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

/** Returns the options with which the engine keeps a resource or deletes it. */
export function retention({
  retainOnDelete = true,
  protect = false,
}: Pick<NewResource, 'retainOnDelete' | 'protect'>) {
  return { retainOnDelete, protect };
}
