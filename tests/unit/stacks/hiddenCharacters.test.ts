import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseSettings } from '../../../stacks/settings/parse';
import type { Path, Problem } from '../../../stacks/settings/problem';
import { encryptedOnly, formatPath, formatProblem } from '../../../stacks/settings/problem';
import { readReleases } from '../../../stacks/settings/releases/file';
import type { ReleasedList } from '../../../stacks/settings/schema/releases';
import { isPrefix, keysIn, pathsIn, renamed, root, stackFile, withValue } from './places';

// Every text of the examples, and every key, with a character in it that does not show.

fc.configureGlobal({ seed: Number(process.env.AKS_WI_PROPERTY_SEED ?? 1), numRuns: 1 });

const hidden = fc.oneof(
  fc.constantFrom('\0', '\u0007', '\u001B', '\u007F', '\u009B', '\u00AD', '\u061C', '\u2028', '\u2029'),
  fc.constantFrom('\u200B', '\u200D', '\u200E', '\u200F', '\u202A', '\u202E', '\u2060', '\u2065', '\u2069'),
  fc.constantFrom('\uFEFF', '\uD800', '\uDFFF', '\u{E0001}', '\u{E0041}'),
);

const valueAt = (value: unknown, at: Path) =>
  at.reduce<unknown>((inside, step) => (inside as Record<string | number, unknown>)[step], value);

/** The text with the character at a place in it. */
const inserted = (text: string, character: string, place: number) => {
  const at = place % (text.length + 1);
  return text.slice(0, at) + character + text.slice(at);
};

/** What is wrong in itself has its problem there, and the message shows every character. */
function expectProblem(problems: readonly Problem[], at: Path): void {
  const found = problems.filter((problem) => isPrefix(at, problem.path) || isPrefix(problem.path, at));
  if (found.length === 0) throw new Error(`no problem at ${formatPath(at)}`);
  expect(found.map(formatProblem).join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
}

/** Puts a character into each text and each key, one after the other. */
function everywhere(input: object, judge: (changed: Record<string, unknown>) => readonly Problem[]): void {
  const isOpen = ([first]: Path) => !encryptedOnly.includes(String(first));
  const texts = pathsIn(input).filter((at) => isOpen(at) && typeof valueAt(input, at) === 'string');
  const keys = keysIn(input).filter(isOpen);
  expect(texts.length + keys.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(hidden, fc.nat(), (character, place) => {
      for (const at of texts) {
        const text = inserted(String(valueAt(input, at)), character, place);
        expectProblem(judge(withValue(input, at, text) as Record<string, unknown>), at);
      }
      for (const at of keys) {
        const key = inserted(String(at.at(-1)), character, place);
        expectProblem(judge(renamed(input, at, key) as Record<string, unknown>), [...at.slice(0, -1), key]);
      }
    }),
  );
}

const examples = 'examples/configurations';

describe('an invisible character', () => {
  it.each([
    'Pulumi.local.yaml',
    ...readdirSync(path.join(root, examples)).map((name) => `${examples}/${name}/Pulumi.${name}.yaml`),
  ])('is refused at its place in %s', (file) => {
    everywhere(stackFile(file), (input) => parseSettings(input).problems);
  });

  it.each<[ReleasedList, string]>([
    ['applications', 'applications/orders.yaml'],
    ['applications', 'applications/billing.yaml'],
  ])('is refused in %s of %s', (list, file) => {
    const content = parse(readFileSync(path.join(root, file), 'utf8')) as object;
    everywhere(content, (changed) => readReleases(list, file, () => JSON.stringify(changed)).problems);
  });
});
