/** GitHub refuses a comment of more than 65,536 characters, Azure DevOps one of 150,000; some are left for what is around. */
const longest = 60_000;

/** As many of the lines, from the first, as a comment on a pull request has room for. */
export function fittingComment(lines: readonly string[]): readonly string[] {
  let room = longest;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return end === -1 ? lines : lines.slice(0, end);
}
