/** What `all` has under the key; made when it is first asked for. */
export function memoize<T>(all: Map<string, T>, key: string, make: () => T): T {
  const one = all.get(key) ?? make();
  all.set(key, one);
  return one;
}
