import { distance } from 'fastest-levenshtein';

/** The one of `known` that `given` most likely means, or undefined if none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  return nearestOnes(given, known)[0];
}

/** Those of `known` that `given` most likely means: several if they are equally near. */
export function nearestOnes(given: string, known: readonly string[]): string[] {
  const ranked = known
    .map((name) => ({ name, edits: distance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= tolerated(given, name))
    .sort((a, b) => a.edits - b.edits);
  return ranked.filter(({ edits }) => edits === ranked[0]?.edits).map(({ name }) => name);
}

/** A swap of two letters counts as two edits. With more than 40% of the letters edited, it is another word. */
function tolerated(given: string, name: string): number {
  const isShort = Math.min(given.length, name.length) < 4;
  return Math.max(isShort ? 1 : 2, Math.floor(Math.max(given.length, name.length) * 0.4));
}
