import { visibleLine } from '../components/resource/visibleText';

/** Character references for marks of HTML, table cells and code that a backslash does not escape everywhere. */
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  '`': '&#96;',
  // GitHub finds mentions and issues in the text nodes of the HTML: a separate element splits them.
  '@': '<span>&#64;</span>',
  '#': '<span>&#35;</span>',
};

/**
 * Escapes untrusted text for one line of Markdown: it cannot become markup, HTML, a link, an image, a mention or a table cell. All
 * characters that CommonMark can escape are escaped (spec 0.31, 2.4), except harmless ones: commas, slashes, hyphens after another
 * character, and full stops at the end of a sentence.
 */
export function shownInMarkdown(text: string): string {
  return visibleLine(text)
    .trim()
    .replace(/^-|\.(?=\S)|(?<![A-Za-z])\.|[!-+:-@[-`{-~]/g, (mark) => references[mark] ?? `\\${mark}`);
}

/** Escapes untrusted text for a code block with a fence of three backticks. */
export function shownInFence(text: string): string {
  return text.split(/\r?\n/).map(visibleLine).join('\n').replaceAll('`', "'");
}

/** Formats untrusted text as inline code. */
export function shownAsCode(text: string): string {
  return `\`${visibleLine(text).replaceAll('`', "'")}\``;
}
