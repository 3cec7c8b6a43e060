/** Tells whether two names or ids are the same for Azure, which compares them case-insensitively. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
