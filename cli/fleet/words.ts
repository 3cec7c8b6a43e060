/** Returns a duration in whole minutes, rounded up: `45 min`, `2 h 5 min`. */
export function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** Returns `1 cell`, `2 cells`. */
export function amount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the names, or the first ones and the number of the others. */
export function someOf(names: readonly string[], shown: number): string {
  const others = names.length - shown;
  return others > 1 ? `${names.slice(0, shown).join(', ')} and ${others} more` : names.join(', ');
}
