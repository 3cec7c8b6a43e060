import { visibleLine, visibleText } from '../stacks/offline';

// Names come from settings, from Azure and from clusters, where others may write them. A terminal obeys escape sequences,
// and shows text backwards if a character says so: https://cwe.mitre.org/data/definitions/150.html.

/** The colours of picocolors that this command uses: bold, dim, red to cyan, and the ends of these. */
const colour = '\u001b\\[(?:1|2|22|3[1-6]|39)m';
const kept = new RegExp(`(${colour}|\\r?\\n|\\t)`, 'g');
const coloured = new RegExp(`^(${colour})(.*)(${colour})$`, 's');

/** What a command prints, in which only colours, line breaks and tabs have an effect. */
export function shownOnTerminal(text: string): string {
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('');
}

/** A cell of a table, or a text in a line: on one line, and of one colour or none. */
export function shownInLine(text: string): string {
  const [, begin = '', inner = text, end = ''] = coloured.exec(text) ?? [];
  return `${begin}${visibleLine(inner)}${end}`;
}
