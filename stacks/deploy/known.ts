/** Returns what was deployed under a name of the plan. A missing name is an error of this program, not of the configuration. */
export function known<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`The plan names "${name}", which was not deployed.`);
  return found;
}
