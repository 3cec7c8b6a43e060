import type { Entity } from './body';
import { badRequest } from './errors';

const TEXT = String.raw`'((?:[^']|'')*)'`;
const AND = /^\s+and\s+(?=\S)/;

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

/** A condition that lists know, and the members that it can be about. */
interface Form {
  /** Its first group is the member, its last one the text. */
  pattern: RegExp;
  names: readonly string[];
  /** As in a message. */
  shown: (name: string) => string;
  test: (value: unknown, wanted: string) => boolean;
}

/**
 * The directory compares texts without regard to case, which is why hashicorp/terraform-provider-azuread compares names
 * again (`internal/services/applications/applications.go`).
 */
const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(String.raw`^(\w+)\s+eq\s+${TEXT}`),
    names: ['id', 'appId', 'displayName', 'mailNickname'],
    shown: (name) => `${name} eq`,
    test: (value, wanted) => lower(value) === wanted,
  },
  {
    pattern: /^(\w+)\s+eq\s+(true|false)\b/,
    names: ['mailEnabled', 'securityEnabled'],
    shown: (name) => `${name} eq`,
    test: (value, wanted) => String(value) === wanted,
  },
  {
    pattern: new RegExp(String.raw`^startswith\(\s*(\w+)\s*,\s*${TEXT}\s*\)`, 'i'),
    names: ['displayName'],
    shown: (name) => `startswith(${name})`,
    test: (value, wanted) => lower(value).startsWith(wanted),
  },
  {
    pattern: new RegExp(String.raw`^(\w+)/any\(\s*(\w+)\s*:\s*\2\s+eq\s+${TEXT}\s*\)`),
    names: ['tags'],
    shown: (name) => `${name}/any(x:x eq)`,
    test: (value, wanted) => Array.isArray(value) && value.some((each) => lower(each) === wanted),
  },
];

/** The condition at the beginning of a text, about one of the members; undefined for any other text. */
function condition(
  text: string,
  members: readonly string[],
): { length: number; test: (entity: Entity) => boolean } | undefined {
  for (const { pattern, names, test } of FORMS) {
    const found = pattern.exec(text);
    const [whole, name = ''] = found ?? [];
    if (whole === undefined || !names.includes(name) || !members.includes(name)) continue;
    const wanted = lower(found?.at(-1)).replaceAll("''", "'");
    return { length: whole.length, test: (entity) => test(entity[name], wanted) };
  }
  return undefined;
}

/**
 * Whether an entity is wanted, by the `$filter` of a request; throws for a condition that is not known. Source of code and
 * message: microsoftgraph/microsoft-graph-docs-contrib #4133.
 *
 * @param members names of all members of the entities
 */
export function filterOf(filter: string | null, members: readonly string[]): (entity: Entity) => boolean {
  const tests: ((entity: Entity) => boolean)[] = [];
  let rest = filter?.trim() ?? '';
  while (rest !== '') {
    const next = condition(rest, members);
    const after = rest.slice(next?.length ?? 0);
    const and = AND.exec(after)?.[0] ?? '';
    if (next === undefined || (after !== '' && and === '')) {
      throw badRequest(
        `Invalid filter clause '${filter ?? ''}'. The local cloud knows, joined by 'and': ${FORMS.flatMap(({ shown, names }) => names.filter((name) => members.includes(name)).map(shown)).join(', ')}.`,
        'BadRequest',
      );
    }
    tests.push(next.test);
    rest = after.slice(and.length);
  }
  return (entity) => tests.every((test) => test(entity));
}
