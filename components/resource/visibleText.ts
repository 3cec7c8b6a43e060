/**
 * What a class of a pattern contains (with the flag `u`) for the characters that do not show, or that change how others
 * show, but for tabs and line breaks: control and format characters, among them those of zero width and for the direction of
 * text, separators of lines and paragraphs, and halves of characters (Unicode, General_Category; Unicode TR 36,
 * "Bidirectional Text Spoofing").
 */
export const hiddenInLines =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u2060-\\u2069';

/** The same with tabs and line breaks. */
export const hiddenCharacters = `\\t\\n\\r${hiddenInLines}`;

const hidden = new RegExp(`[${hiddenCharacters}]`, 'gu');

const hiddenExceptLines = new RegExp(`[${hiddenInLines}]`, 'u');

/** The text with every character that does not show written out: `a\u{202e}b`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${codeOf(character).padStart(4, '0')}}`);
}

/** The same on one line: with a blank for line breaks and tabs. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\t-\r\u0085\u2028\u2029]+/g, ' '));
}

/** The first character that does not show, by its code, `U+202E`; line breaks and tabs are looked over. */
export function hiddenIn(text: string): string | undefined {
  const [found] = text.match(hiddenExceptLines) ?? [];
  return found === undefined ? undefined : `U+${codeOf(found).toUpperCase().padStart(4, '0')}`;
}

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
