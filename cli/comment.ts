/** GitHub allows comments of 65,536 characters, Azure DevOps of 150,000. The rest is left for the surrounding text. */
const longest = 60_000;

/** Returns the first lines that fit into a comment on a pull request. */
export function fittingComment(lines: readonly string[]): readonly string[] {
  let remaining = longest;
  const end = lines.findIndex((line) => (remaining -= line.length + 1) < 0);
  return end === -1 ? lines : lines.slice(0, end);
}
