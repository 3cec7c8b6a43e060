/** Whether two names or ids are of one thing: Azure compares them without regard to case. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
