import type { EnvironmentPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** What rules look at: the settings, and what they come to. */
export type Known = StackSettings & { readonly plan: EnvironmentPlan };

/** Places in the stack file. */
export interface Places {
  /** Name of the stack. */
  readonly environment: string;
  /** Path of an application or a cluster, by its place in the settings. */
  readonly applicationPath: (index: number) => Path;
  readonly clusterPath: (index: number) => Path;
}

/** What a rule gets that needs the given keys; lists of which nothing is needed have the entries that are right. */
export type Given<Need extends keyof Known = never> = Pick<Known, 'clusters' | 'applications' | Need>;

/** A rule across the configuration; it says nothing where not all that it needs is right in itself. */
export type Check = (known: Known, right: ReadonlySet<keyof Known>, places: Places) => readonly Problem[];

/** @param needs what the rule goes by; a list is named if the rule goes by what is not in it, too */
export function check<const Need extends keyof Known = never>(
  needs: readonly Need[],
  rule: (given: Given<Need>, places: Places) => readonly Problem[],
): Check {
  return (known, right, places) => (needs.every((key) => right.has(key)) ? rule(known, places) : []);
}

/** Items that are named like an earlier one, with that earlier one. */
export function repeated<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): { readonly item: T; readonly index: number; readonly first: T; readonly firstIndex: number }[] {
  const firsts = new Map<string, { first: T; firstIndex: number }>();
  return items.flatMap((item, index) => {
    const earlier = firsts.get(nameOf(item));
    if (earlier !== undefined) return [{ item, index, ...earlier }];
    firsts.set(nameOf(item), { first: item, firstIndex: index });
    return [];
  });
}
