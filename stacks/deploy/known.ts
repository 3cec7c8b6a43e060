/** What the plan names is made: anything else is a mistake in the plan, not in the configuration. */
export function known<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`The plan names "${name}", which was not made.`);
  return found;
}
