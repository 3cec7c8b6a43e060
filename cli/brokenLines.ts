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
  const broken: string[] = [];
  for (const part of parts) {
    const line = broken.at(-1);
    if (line !== undefined && (line + part).trimEnd().length <= width) broken.splice(-1, 1, line + part);
    else broken.push(part);
  }
  return broken.map((line) => line.trimEnd());
}
