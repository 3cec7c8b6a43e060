import { hiddenCharacters } from '../components/resource/visibleText';

const hidden = new RegExp(`[${hiddenCharacters}]`, 'gu');

/** Formats the output of `--json`: one line with hidden characters escaped. */
export function inJson(value: unknown): string {
  const escaped = (character: string) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  return `${JSON.stringify(value).replace(hidden, escaped)}\n`;
}

/** Parses JSON; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
