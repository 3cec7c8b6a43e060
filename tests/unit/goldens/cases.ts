// A text of cases, each a title with lines below it, indented by two.

/** The text of cases, by their titles. */
export const textOfCases = (cases: Iterable<readonly [title: string, lines: readonly string[]]>): string =>
  [...cases].map(([title, lines]) => `${[title, ...lines.map(indented)].join('\n')}\n`).join('');

/** The lines of each case in a text, by its title. */
export function casesIn(text: string): Map<string, string[]> {
  const cases = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of text.replace(/\n$/, '').split('\n'))
    if (line !== '' && !line.startsWith(' ')) cases.set(line, (last = []));
    else last.push(line.replace(/^ {2}/, ''));
  return cases;
}

/** A line below another. */
export const indented = (line: string): string => `  ${line}`.trimEnd();
