import { hiddenCharacters } from '../stacks/offline';

const hidden = new RegExp(`[${hiddenCharacters}]`, 'gu');

/** What `--json` prints: a line in which every character shows. */
export function inJson(value: unknown): string {
  const escaped = (character: string) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  return `${JSON.stringify(value).replace(hidden, escaped)}\n`;
}

/** What a text in JSON says; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
