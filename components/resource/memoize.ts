/** Returns the entry of `all` under the key, which is created on first use. */
export function memoize<T>(all: Map<string, T>, key: string, make: () => T): T {
  const entry = all.get(key) ?? make();
  all.set(key, entry);
  return entry;
}
