import { distance } from 'fastest-levenshtein';

/** Returns the entry of `known` that `written` most likely means, or undefined if none is similar. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  return nearestOnes(written, known)[0];
}

/** Returns the hint for an unknown name: the entry of `known` that it most likely means. @param otherwise hint if none is similar */
export function didYouMean<T>(written: string, known: readonly string[], otherwise: T): string | T {
  const near = nearest(written, known);
  return near === undefined ? otherwise : `Did you mean ${near}?`;
}

/**
 * Returns the entries of `known` that `written` most likely means: several if they are equally similar, otherwise the one that it
 * abbreviates.
 */
export function nearestOnes(written: string, known: readonly string[]): string[] {
  const ranked = known
    .map((name) => ({ name, edits: editsBetween(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= tolerated(written, name))
    .sort((a, b) => a.edits - b.edits);
  if (ranked.length > 0)
    return ranked.filter(({ edits }) => edits === ranked[0]?.edits).map(({ name }) => name);
  const begun = known.filter((name) => name.toLowerCase().startsWith(written.toLowerCase()));
  return written.length >= 3 && begun.length === 1 ? begun : [];
}

/** Returns the number of edits between two words. The same letters in another order count as one edit less. */
function editsBetween(one: string, other: string): number {
  const edits = distance(one, other);
  const sorted = (text: string) => text.split('').sort().join('');
  return edits > 1 && sorted(one) === sorted(other) ? edits - 1 : edits;
}

/** Returns the greatest number of edits of a misspelt name. With more than 40% of the letters edited, it is another word. */
function tolerated(written: string, name: string): number {
  return Math.max(1, Math.floor(Math.max(written.length, name.length) * 0.4));
}
