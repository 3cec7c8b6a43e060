/**
 * Breaks a text into lines of at most this width, after spaces. Longer words are broken after slashes, else after hyphens,
 * else anywhere. `word-wrap` would break the id of a resource anywhere.
 */
export function brokenLines(text: string, width: number): string[] {
  const separators = [/(?<= )/, /(?<=\/)/, /(?<=-)/, new RegExp(`(?<=^(?:.{${width}})+)`, 'u')];
  const parts = separators.reduce(
    (longer, separator) =>
      longer.flatMap((part) => (part.trimEnd().length > width ? part.split(separator) : [part])),
    [text],
  );
  return packed(parts, width);
}

/** Breaks a text into lines of about this width after spaces only: names can then be copied and searched for. */
export function linesOfWords(text: string, width: number): string[] {
  return packed(text.split(/(?<= )/), width);
}

function packed(parts: readonly string[], width: number): string[] {
  const broken: string[] = [];
  for (const part of parts) {
    const line = broken.at(-1);
    if (line !== undefined && (line + part).trimEnd().length <= width) broken.splice(-1, 1, line + part);
    else broken.push(part);
  }
  return broken.map((line) => line.trimEnd());
}
