/**
 * A text in lines of at most this width: broken after blanks, in longer words after slashes, in what is still longer after
 * hyphens, and else anywhere.
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

/** A text in lines of at most this width where the words allow it: a name stays whole, so that it can be copied and searched for. */
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
