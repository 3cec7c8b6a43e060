import type * as pulumi from '@pulumi/pulumi';

type Aliases = Extract<NonNullable<pulumi.ResourceOptions['aliases']>, readonly unknown[]>;

/** Aliases that a loop passes over in the turn in which they are given. */
class LaterAliases extends Array<Aliases[number]> {
  #early = true;

  constructor() {
    super();
    queueMicrotask(() => (this.#early = false));
  }

  override [Symbol.iterator](): ArrayIterator<Aliases[number]> {
    return this.#early ? [].values() : super[Symbol.iterator]();
  }
}

/**
 * Spares resources the URNs of their aliases. The SDK computes them in each resource's constructor (@pulumi/pulumi, resource.js,
 * `__aliases`), for children of the resource and old engines that do not compute them themselves. A resource of Azure has an
 * alias for each earlier version of its type, up to a hundred, and each URN is a chain of outputs: a fifth of the program's time,
 * and more than a third of its memory. The registration, in a later turn, sends all aliases.
 */
export const passOverAliasesInConstructor: pulumi.ResourceTransformation = ({ props, opts }) =>
  Array.isArray(opts.aliases) && opts.aliases.length > 0
    ? { props, opts: { ...opts, aliases: LaterAliases.from(opts.aliases) } }
    : undefined;
