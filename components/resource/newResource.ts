import type * as pulumi from '@pulumi/pulumi';

/** Common arguments of every resource that a component creates in Azure. */
export interface NewResource {
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /** Tags. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Keep it in Azure when it is removed from the program or the stack is destroyed. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Refuse every deletion, even a deliberate one. Default: false. */
  readonly protect?: boolean;
}

/** Returns the options that make the engine keep a resource or delete it. */
export function retention({
  retainOnDelete = true,
  protect = false,
}: Pick<NewResource, 'retainOnDelete' | 'protect'>) {
  return { retainOnDelete, protect };
}
