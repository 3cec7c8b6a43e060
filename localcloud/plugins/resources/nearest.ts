import { distance } from 'fastest-levenshtein';

/** Returns the candidate that is most similar to the word; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, Math.floor(word.length / 2)))
    .sort((a, b) => a.edits - b.edits);
  return best?.candidate;
}
