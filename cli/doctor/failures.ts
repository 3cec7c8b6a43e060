import failures from './failures.json';
import { nearest } from '../../stacks/settings/nearest';
import { UserError } from '../userError';

// The data is also that of docs/troubleshooting.md, which `npm run reference` generates from it.

/** A known failure, in Markdown with links relative to docs/. */
export interface KnownFailure {
  /** Codes or symptoms. */
  readonly failure: string;
  /** Parts of messages that have no code. */
  readonly messages?: readonly string[];
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
  const code = withoutPrefix(text);
  const isNumber = /^(aadsts)?\d*$/.test(text);
  const alone = withCode(code);
  const byCode = alone.length > 0 ? alone : withCodeIn(asked);
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

/** Returns the failures of the first known code in a message, or of a message without a code. */
function withCodeIn(message: string): KnownFailure[] {
  const codes = message.match(codePattern) ?? [];
  const byCode = codes.map((code) => withCode(withoutPrefix(code.toLowerCase())));
  return (
    byCode.find((failures) => failures.length > 0) ??
    all.filter(({ messages = [] }) =>
      messages.some((part) => message.toLowerCase().includes(part.toLowerCase())),
    )
  );
}

/** Returns the hint for a message that contains a code; undefined without a known one. */
export function hintFor(message: string): string | undefined {
  const [known] = withCodeIn(message);
  return known === undefined ? undefined : plain(known.hint);
}

/** Codes of Entra, and of Azure and Key Vault, such as `ScopeLocked`. */
const codePattern = /AADSTS\d+|\b[A-Z][a-z]+[A-Z]\w+\b/g;

/** Codes as they are written, for suggestions. */
function namedCodes(): string[] {
  return all.flatMap(({ failure }) => failure.match(codePattern) ?? []);
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
