import { visibleLine, visibleText } from '../components/resource/visibleText';

// Names come from settings, Azure and clusters, so they are untrusted. A terminal interprets escape sequences and bidirectional
// control characters: https://cwe.mitre.org/data/definitions/150.html.

/** The codes of picocolors that this command uses: bold, dim, red to cyan, and their ends. */
const colour = '\u001b\\[(?:1|2|22|3[1-6]|39)m';
const kept = new RegExp(`(${colour}|\\r?\\n|\\t)`, 'g');
const coloured = new RegExp(`^(${colour})(.*)(${colour})$`, 's');

/** Makes control characters visible, except colours, line breaks and tabs. */
export function shownOnTerminal(text: string): string {
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('');
}

/** Makes a text safe for a table cell or a line: one line, in at most one colour. */
export function shownInLine(text: string): string {
  const [, begin = '', inner = text, end = ''] = coloured.exec(text) ?? [];
  return `${begin}${visibleLine(inner)}${end}`;
}
