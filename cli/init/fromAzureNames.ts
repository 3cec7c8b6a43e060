import { fitName } from '../../components/azure/naming';

/** Returns a name in the form of an application's or a cluster's in a stack file. */
export const dnsLabel = (name: string): string =>
  fitName('application', name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));

/** Returns the first of the names that is not taken; if all are, the last with a number. */
export function unusedName(taken: ReadonlySet<string>, ...names: readonly [string, ...string[]]): string {
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const numbered = (number: number) => dnsLabel(`${names.at(-1) ?? ''}-${number}`);
  let number = 2;
  while (taken.has(numbered(number))) number += 1;
  return numbered(number);
}
