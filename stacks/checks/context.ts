import type { EnvironmentPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** What the checks across the configuration look at. */
export interface CheckContext {
  /** Name of the stack. */
  readonly environment: string;
  readonly settings: StackSettings;
  readonly plan: EnvironmentPlan;
  /** Path of an application or a cluster, by its place in `settings`. */
  readonly applicationPath: (index: number) => Path;
  readonly clusterPath: (index: number) => Path;
  /** Top-level keys of which something was wrong in itself and is left out of `settings`. */
  readonly broken: ReadonlySet<string>;
}

/** A rule across the configuration. */
export type Check = (context: CheckContext) => readonly Problem[];

/** Items that are named like an earlier one, with that earlier one's place. */
export function repeated<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): { readonly item: T; readonly index: number; readonly first: number }[] {
  const places = new Map<string, number>();
  return items.flatMap((item, index) => {
    const first = places.get(nameOf(item));
    if (first !== undefined) return [{ item, index, first }];
    places.set(nameOf(item), index);
    return [];
  });
}
