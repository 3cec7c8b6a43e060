import { ArmError } from './errors';

/** One condition of a filter: `name eq 'value'`, `name eq value`, `atScope()` or `startswith(name, 'value')`. */
interface Term {
  /** The condition without its value, in lower case: `name eq`, `atscope()`, `startswith(name)`. */
  form: string;
  value: string;
}

/**
 * What a condition means. Undefined if its value, or its combination with the filter's other conditions, has no
 * meaning.
 */
type Meaning<T> = (value: string, all: readonly Term[]) => ((item: T) => boolean) | undefined;

/** The conditions that a list knows, by their form: `name eq`, `atScope()`, `startswith(name)`. */
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

/** The conditions of a filter, which are joined by `and`; undefined for any other text. */
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
 * Whether an item is wanted, by the `$filter` of a request; throws for a condition that is not known. Source of code
 * and message: Azure/azure-sdk-for-go #2480 (for groups; that other lists answer the same is assumed).
 *
 * @param needs form of a condition that the filter must have
 */
export function filterOf<T>(filter: string | null, known: Terms<T>, needs?: string): (item: T) => boolean {
  const all = filter === null || filter.trim() === '' ? [] : termsOf(filter);
  const meanings = new Map(Object.entries(known).map(([form, meaning]) => [form.toLowerCase(), meaning]));
  const wanted = all?.map(({ form, value }) => meanings.get(form)?.(value, all));
  const complete = needs === undefined || all?.some(({ form }) => form === needs.toLowerCase()) === true;
  if (wanted !== undefined && complete && wanted.every((each) => each !== undefined)) {
    return (item) => wanted.every((each) => each(item));
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
 * Whether a tag's name and value, which are two conditions of the filter, belong to one tag of an item. Names are
 * compared without regard to case, values exactly (azure-docs
 * `articles/azure-resource-manager/management/tag-resources.md`). Azure refuses other conditions next to them
 * (Azure/azure-rest-api-specs #21324).
 */
const tagged =
  (isName: (tag: string, wanted: string) => boolean): Meaning<Tagged> =>
  (name, all) => {
    if (!all.every(isTag)) return undefined;
    const value = all.find(({ form }) => form === 'tagvalue eq')?.value;
    return ({ tags = {} }) =>
      Object.entries(tags).some(
        ([tag, given]) =>
          isName(tag.toLowerCase(), name.toLowerCase()) && (value === undefined || given === value),
      );
  };

/** The conditions on tags, as the Azure CLI sends them. */
export const tagTerms: Terms<Tagged> = {
  'tagName eq': tagged((tag, wanted) => tag === wanted),
  'startswith(tagName)': tagged((tag, wanted) => tag.startsWith(wanted)),
  // Checked with the tag's name.
  'tagValue eq': (_value, all) => (all.some(({ form }) => form.includes('tagname')) ? () => true : undefined),
};
