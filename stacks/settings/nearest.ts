/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** The one of `known` that `given` most likely means, or undefined if none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  return nearestOnes(given, known)[0];
}

/** Those of `known` that `given` most likely means: several if they are equally near. */
export function nearestOnes(given: string, known: readonly string[]): string[] {
  const ranked = known
    .map((name) => ({ name, edits: distance(given.toLowerCase(), name.toLowerCase()) }))
    // Up to a third of the word may be wrong: more is another word.
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(Math.max(given.length, name.length) / 3)))
    .sort((a, b) => a.edits - b.edits);
  return ranked.filter(({ edits }) => edits === ranked[0]?.edits).map(({ name }) => name);
}
