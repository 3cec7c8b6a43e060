/**
 * The first of some names, and how many more there are: for messages about things that can be many.
 * @param mostShown so many are named
 */
export function firstFew(names: readonly string[], mostShown = 3): string {
  const first = names.slice(0, mostShown).join(', ');
  const more = names.length - mostShown;
  return more > 0 ? `${first} and ${more} more` : first;
}
