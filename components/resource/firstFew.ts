/**
 * Returns the first names and the number of further ones, for messages about lists that can be long.
 * @param mostShown number of names that are shown
 */
export function firstFew(names: readonly string[], mostShown = 3): string {
  const first = names.slice(0, mostShown).join(', ');
  const more = names.length - mostShown;
  return more > 0 ? `${first} and ${more} more` : first;
}
