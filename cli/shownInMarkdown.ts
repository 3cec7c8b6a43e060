import { visibleLine } from '../stacks/offline';

/** They have to do with HTML, with cells of tables and with code, where a backslash does not help everywhere. */
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  '`': '&#96;',
  // Mentions and issues are looked for in the texts of the finished HTML: an element of its own parts such a text.
  '@': '<span>&#64;</span>',
  '#': '<span>&#35;</span>',
};

/**
 * A text of others in Markdown, on one line, of which nothing but the text is left: no markup, HTML, link, image, mention or
 * cell. Every character that CommonMark lets one escape is (spec 0.31, 2.4), but for those that mean nothing where they are:
 * commas, slashes, hyphens after another character, and the full stop of a sentence.
 */
export function shownInMarkdown(text: string): string {
  return visibleLine(text)
    .trim()
    .replace(/^-|\.(?=\S)|(?<![A-Za-z])\.|[!-+:-@[-`{-~]/g, (mark) => references[mark] ?? `\\${mark}`);
}

/** A text of others in a block of code, which has a fence of three backticks. */
export function shownInFence(text: string): string {
  return text.split(/\r?\n/).map(visibleLine).join('\n').replaceAll('`', "'");
}

/** A text of others as code in a line. */
export function shownAsCode(text: string): string {
  return `\`${visibleLine(text).replaceAll('`', "'")}\``;
}
