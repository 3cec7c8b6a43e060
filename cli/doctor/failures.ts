import failures from './failures.json';
import { nearest } from '../../stacks/settings/nearest';
import { UserError } from '../userError';

// The data is also that of docs/troubleshooting.md, which `npm run reference` generates from it.

/** A known failure, in Markdown with links relative to docs/. */
export interface KnownFailure {
  /** Codes or symptoms. */
  readonly failure: string;
  readonly cause: string;
  readonly hint: string;
}

const all: readonly KnownFailure[] = Object.values(failures).flatMap((section) => section.failures);

const withoutPrefix = (word: string) => word.replace(/^aadsts(?=\d)/, '');

/** Codes in a text, in lower case and without the prefix of Entra's: `700212`, `forbiddenbyrbac`. */
const codesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\w…]+/)
    .map(withoutPrefix);

/** Tells whether a code is the known one, which may stand for all that begin (`Quota…`) or end (`…AlreadyTaken`) like it. */
function isCode(known: string, code: string): boolean {
  if (known.endsWith('…') && known.length > 1) return code.startsWith(known.slice(0, -1));
  return known.startsWith('…') && known.length > 1 ? code.endsWith(known.slice(1)) : known === code;
}

/** Returns the failures with a code, that of the code alone before those of symptoms with it. */
function withCode(code: string): KnownFailure[] {
  return all
    .filter(({ failure }) => codesIn(failure).some((known) => isCode(known, code)))
    .sort((one, other) => one.failure.length - other.failure.length);
}

/**
 * Returns the known failures with a code of Entra, Azure or Key Vault, or whose symptom or cause contains a text.
 *
 * @throws UserError if there are none
 */
export function explain(asked: string): readonly KnownFailure[] {
  const text = asked.trim().toLowerCase();
  // A code alone, or a whole message with one.
  const code = withoutPrefix(/^\w+$/.test(text) ? text : (anyCode.exec(asked)?.[0].toLowerCase() ?? text));
  const byCode = withCode(code);
  const isNumber = /^(aadsts)?\d*$/.test(code);
  const found =
    byCode.length > 0 || isNumber
      ? byCode
      : all.filter(({ failure, cause }) => plain(`${failure} ${cause}`).toLowerCase().includes(text));
  if (found.length > 0 && text !== '') return found;
  const near = isNumber ? undefined : nearest(asked, namedCodes());
  throw new UserError(
    `${JSON.stringify(asked)} is not among the known failures.`,
    near !== undefined
      ? `Did you mean ${near}?`
      : /^\d+$/.test(code)
        ? `Look it up at https://login.microsoftonline.com/error?code=${code}.`
        : 'Name a code, such as AADSTS700212 or ForbiddenByRbac, or a word of a symptom in docs/troubleshooting.md. `--stack NAME` checks a stack.',
  );
}

/** A code of Entra, an inner code of Key Vault, or one of the resource manager. */
const anyCode =
  /AADSTS\d+|Forbidden[A-Z]\w+|AccessDenied|\b[A-Z]\w*(NotFound|NotPermitted|Exceeded|Registration)\b/;

/** Returns the hint for a message that contains a code; undefined without a known one. */
export function hintFor(message: string): string | undefined {
  const code = codesIn(anyCode.exec(message)?.[0] ?? '')[0] ?? '';
  const [known] = code === '' ? [] : withCode(code);
  return known === undefined ? undefined : plain(known.hint);
}

/** Codes as they are written, for suggestions. */
function namedCodes(): string[] {
  return all.flatMap(({ failure }) => failure.match(/AADSTS\d+|\b[A-Z][a-z]+[A-Z]\w+\b/g) ?? []);
}

/** Returns Markdown as text for a terminal, with the pages of its links. */
export function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, text: string, page: string) =>
      page.startsWith(text) ? `docs/${page}` : `${text} (docs/${page})`,
    )
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/\b_([^_]+)_\b|(?<!\w)_([^_]+)_(?!\w)/g, '$1$2');
}
