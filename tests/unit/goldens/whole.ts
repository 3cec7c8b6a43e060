import { isRecord } from '../../../components/resource/fields';
import { isSingle } from './compact';
import type { Paragraph } from './paragraphs';
import type { Sections } from './sections';
import { linesOfOthers, linesOfParagraph } from './sections';

// The golden of an example: everything, with what all resources of a type have in common only once.

/** Begins the types of the project's own components. */
const own = 'aks-workload-identity:';

type Common = Pick<Paragraph, 'options' | 'inputs'>;

/** The common part of two values; undefined if there is none. */
function shared(one: unknown, other: unknown): unknown {
  if (isSingle(one) && isSingle(other)) {
    const inner = shared(one[0], other[0]);
    return inner === undefined ? undefined : [inner];
  }
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (!isRecord(one) || !isRecord(other)) return undefined;
  const entries = Object.entries(one)
    .map(([key, value]) => [key, shared(value, other[key])])
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A value without what it shares; undefined if nothing is left. */
function rest(value: unknown, common: unknown): unknown {
  if (common === undefined) return value;
  if (isSingle(value) && isSingle(common)) {
    const inner = rest(value[0], common[0]);
    return inner === undefined ? undefined : [inner];
  }
  if (!isRecord(value) || !isRecord(common)) return undefined;
  const entries = Object.entries(value)
    .map(([key, field]) => [key, rest(field, common[key])])
    .filter(([, field]) => field !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function commonOf(all: readonly Paragraph[]): Common {
  const [{ options, inputs } = { options: [], inputs: {} }, ...others] = all;
  return {
    options: options.filter((option) => others.every((other) => other.options.includes(option))),
    inputs: others.reduce<object>(
      (so, other) => (shared(so, other.inputs) as object | undefined) ?? {},
      inputs,
    ),
  };
}

/** The whole of a golden. */
export function wholeOf(sections: Sections): string {
  const { resources } = sections;
  const types = [...new Set(resources.map(({ type }) => type))].sort();
  const common = new Map(
    types.map((type) => {
      const all = resources.filter((resource) => resource.type === type);
      return [type, all.length > 1 ? commonOf(all) : { options: [], inputs: {} }] as const;
    }),
  );
  const every = [...common].flatMap(([type, paragraph]) =>
    linesOfParagraph({ heading: `every ${type}`, after: [], isHolder: true, ...paragraph }),
  );
  const each = resources.flatMap((resource) => {
    const { options, inputs } = common.get(resource.type) ?? { options: [], inputs: {} };
    return linesOfParagraph({
      ...resource,
      options: resource.options.filter((option) => !options.includes(option)),
      inputs: (rest(resource.inputs, inputs) as object | undefined) ?? {},
    });
  });
  const components = types.filter((type) => type.startsWith(own)).map((type) => type.slice(own.length));
  return (
    [`components of ${own} ${components.join(', ')}`, ...every, ...each, ...linesOfOthers(sections)].join(
      '\n',
    ) + '\n'
  );
}
