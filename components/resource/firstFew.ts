const maxShown = 3;

/** The first of some names, and how many more there are: for messages about things that can be many. */
export function firstFew(names: readonly string[]): string {
  const first = names.slice(0, maxShown).join(', ');
  const more = names.length - maxShown;
  return more > 0 ? `${first} and ${more} more` : first;
}
