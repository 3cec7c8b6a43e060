import { ArmError } from './errors';

/** One condition of a filter: `name eq 'value'`, `name eq value`, `atScope()` or `startswith(name, 'value')`. */
interface Term {
  /** The condition without its value, in lower case: `name eq`, `atscope()`, `startswith(name)`. */
  form: string;
  value: string;
}

/**
 * Turns the value of a condition into a test of items. Returns undefined if the value, or its combination with the filter's
 * other conditions, is invalid.
 */
type Meaning<T> = (value: string, terms: readonly Term[]) => ((item: T) => boolean) | undefined;

/** The conditions that a list supports, by their form: `name eq`, `atScope()`, `startswith(name)`. */
export type Terms<T> = Readonly<Record<string, Meaning<T>>>;

const TEXT = String.raw`'((?:[^']|'')*)'`;
const COMPARISON = new RegExp(
  String.raw`^([\w/]+)\s+(eq|ne|ge|le|gt|lt)\s+(?:${TEXT}|([^'()]+?))(?=\s+and\s|\s*$)`,
  'i',
);
/** The value is the first argument of `substringof` and the second of `startswith`. */
const CALL = new RegExp(
  String.raw`^(\w+)\(\s*(?:(?:${TEXT})?(?:\s*,\s*)?([\w/]+)?(?:\s*,\s*${TEXT})?)\s*\)`,
  'i',
);
const AND = /^\s+and\s+/i;

const unquoted = (text: string): string => text.replaceAll("''", "'");

function nextTerm(text: string): { term: Term; length: number } | undefined {
  const comparison = COMPARISON.exec(text);
  if (comparison !== null) {
    const [whole, name = '', operator = '', quoted, bare = ''] = comparison;
    const value = quoted === undefined ? bare.trim() : unquoted(quoted);
    return { term: { form: `${name} ${operator}`.toLowerCase(), value }, length: whole.length };
  }
  const call = CALL.exec(text);
  if (call === null) return undefined;
  const [whole, name = '', first, argument = '', second] = call;
  const form = `${name}(${argument})`.toLowerCase();
  return { term: { form, value: unquoted(first ?? second ?? '') }, length: whole.length };
}

/**
 * Parses a filter into its conditions, which are joined by `and`; undefined for any other string. A parser of all of OData
 * (`@odata/parser`) would accept what Azure's lists refuse.
 */
function termsOf(filter: string): Term[] | undefined {
  const terms: Term[] = [];
  let rest = filter.trim();
  for (;;) {
    const next = nextTerm(rest);
    if (next === undefined) return undefined;
    terms.push(next.term);
    rest = rest.slice(next.length);
    if (rest.trim() === '') return terms;
    const and = AND.exec(rest);
    if (and === null) return undefined;
    rest = rest.slice(and[0].length);
  }
}

/**
 * Returns the test of items that the `$filter` of a request describes; throws for an unknown condition. Source of code and
 * message: Azure/azure-sdk-for-go #2480 (for groups; other lists are assumed to answer the same).
 *
 * @param needs form of a condition that the filter must have
 */
export function filterOf<T>(filter: string | null, known: Terms<T>, needs?: string): (item: T) => boolean {
  const terms = filter === null || filter.trim() === '' ? [] : termsOf(filter);
  const meanings = new Map(Object.entries(known).map(([form, meaning]) => [form.toLowerCase(), meaning]));
  const tests = terms?.map(({ form, value }) => meanings.get(form)?.(value, terms));
  const complete = needs === undefined || terms?.some(({ form }) => form === needs.toLowerCase()) === true;
  if (tests !== undefined && complete && tests.every((each) => each !== undefined)) {
    return (item) => tests.every((each) => each(item));
  }
  throw new ArmError(
    400,
    'InvalidFilterInQueryString',
    `Invalid $filter '${filter ?? ''}' specified in the query string. The local cloud knows, joined by 'and': ${Object.keys(known).join(', ')}.${needs === undefined ? '' : ` '${needs}' is needed.`}`,
  );
}

interface Tagged {
  tags?: Readonly<Record<string, string>>;
}

const isTag = ({ form }: Term): boolean => /tag(?:name|value)/.test(form);

/**
 * Tests whether one tag of an item has both the name and the value that two conditions of the filter ask for. Names are
 * compared case-insensitively, values exactly (azure-docs `articles/azure-resource-manager/management/tag-resources.md`). Azure
 * refuses other conditions next to them (Azure/azure-rest-api-specs #21324).
 */
const tagged =
  (isName: (tag: string, name: string) => boolean): Meaning<Tagged> =>
  (name, terms) => {
    if (!terms.every(isTag)) return undefined;
    const value = terms.find(({ form }) => form === 'tagvalue eq')?.value;
    return ({ tags = {} }) =>
      Object.entries(tags).some(
        ([tag, tagValue]) =>
          isName(tag.toLowerCase(), name.toLowerCase()) && (value === undefined || tagValue === value),
      );
  };

/** The conditions on tags, as the Azure CLI sends them. */
export const tagTerms: Terms<Tagged> = {
  'tagName eq': tagged((tag, name) => tag === name),
  'startswith(tagName)': tagged((tag, name) => tag.startsWith(name)),
  // Checked together with the tag's name.
  'tagValue eq': (_value, terms) =>
    terms.some(({ form }) => form.includes('tagname')) ? () => true : undefined,
};
