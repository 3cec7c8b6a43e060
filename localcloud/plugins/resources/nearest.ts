import { closest, distance } from 'fastest-levenshtein';

/** Returns the candidate that is most similar to the word; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const similar = candidates.filter(
    (one) => distance(lower, one.toLowerCase()) <= Math.max(2, Math.floor(word.length / 2)),
  );
  const best = closest(
    lower,
    similar.map((one) => one.toLowerCase()),
  );
  return similar.find((one) => one.toLowerCase() === best);
}
