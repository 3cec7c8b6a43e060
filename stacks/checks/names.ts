import type { Path, Problem } from '../settings/problem';
import { formatPath, valueAt } from '../settings/problem';
import { fieldsOf } from '../../components/resource/fields';
import type { Check, Placed } from './context';
import { inCase, placed, repeated } from './context';

/** Names and strings that a list contains twice. */
export const nameChecks: readonly Check[] = [
  function* ({ clusters, groups, applications }) {
    yield* sameNames(clusters, 'Give each cluster its own name.');
    yield* sameNames(groups, 'Give each group its own name.');
    yield* sameNames(applications, 'Give each application its own name.');
    for (const { path, dependencies } of applications)
      yield* sameNames(
        placed(dependencies, [...path, 'dependencies']),
        'Give each dependency of an application its own name.',
      );
  },

  ({ raw }) => repeatedTexts(raw),
];

/** Free-form settings for a chart or for the operator, where a list may contain a string twice. */
const others = ['values', 'spec'];

/** Yields strings that a list contains twice, regardless of case, and subnets that have two private endpoints. */
function* repeatedTexts(value: unknown, path: Path = []): Generator<Problem> {
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(fieldsOf(value));
  const places = steps.filter((step) => !others.includes(String(step))).map((step) => [...path, step]);
  for (const at of places) yield* repeatedTexts(valueAt(value, at.slice(-1)), at);
  if (!Array.isArray(value)) return;
  const texts = places.flatMap((at) => {
    const entry: unknown = value[Number(at.at(-1))];
    if (typeof entry === 'string') return [{ at, text: entry }];
    const { subnet } = path.at(-1) === 'privateEndpoints' ? fieldsOf(entry) : {};
    return typeof subnet === 'string' ? [{ at: [...at, 'subnet'], text: subnet }] : [];
  });
  for (const { item, first } of repeated(texts, ({ text }) => text.toLowerCase()))
    yield {
      path: item.at,
      what: `is already in the list${inCase(item.text, first.text)}`,
      hint: 'Remove one of them.',
    };
}

export function* sameNames(all: readonly Placed<{ readonly name: string }>[], hint: string) {
  for (const { item, first } of repeated(all, ({ name }) => name))
    yield {
      path: [...item.path, 'name'],
      what: `is already the name of ${formatPath(first.path)}`,
      hint,
    };
}
