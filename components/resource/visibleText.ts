/**
 * Content of a character class (with the flag `u`) for characters that are invisible or change how others are shown, except
 * tabs and line breaks: control and format characters, including zero-width ones and those for the text direction, line and
 * paragraph separators, and surrogates (Unicode, General_Category; Unicode TR 36, "Bidirectional Text Spoofing").
 */
export const hiddenInLines =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u2060-\\u2069';

/** The same, with tabs and line breaks. */
export const hiddenCharacters = `\\t\\n\\r${hiddenInLines}`;

const hidden = new RegExp(`[${hiddenCharacters}]`, 'gu');

const hiddenExceptLines = new RegExp(`[${hiddenInLines}]`, 'u');

/** Returns the string with every invisible character written out: `a\u{202e}b`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${codeOf(character).padStart(4, '0')}}`);
}

/** Returns the same on one line, with a space for line breaks and tabs. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\t-\r\u0085\u2028\u2029]+/g, ' '));
}

/** Returns the code of the first invisible character, such as `U+202E`, ignoring line breaks and tabs. */
export function hiddenIn(text: string): string | undefined {
  const [found] = text.match(hiddenExceptLines) ?? [];
  return found === undefined ? undefined : `U+${codeOf(found).toUpperCase().padStart(4, '0')}`;
}

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
