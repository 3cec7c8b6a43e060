import { validate } from '../../../stacks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';
import { bases } from './bases';
import type { Kind, Settings } from './change';
import { loudKinds } from './change';
import { refused } from './refused';
import { changes } from './table';

/** A change that the program refuses proves nothing of the comparison: these are the program's own checks. */

function problemsOf(environment: string, settings: Settings): readonly string[] {
  const now = new Date('2026-12-15T00:00:00Z');
  const validation = validate(environment, settings, projectFiles(projectRoot), [], now);
  return validation.ok ? [] : validation.problems.map(formatProblem);
}

it.each(Object.entries(bases))('%s, with which changes begin, is valid', (_name, settings) => {
  expect(problemsOf('test', settings)).toEqual([]);
});

it.each(changes.map((change) => [change.title, change] as const))(
  'before and after, the settings are valid: %s',
  (_title, { environment, before, change }) => {
    expect({
      before: problemsOf(environment, before),
      after: problemsOf(environment, change(before)),
    }).toEqual({ before: [], after: [] });
  },
);

it.each(refused.map((change) => [change.title, change] as const))(
  'the program refuses %s',
  (_title, { environment, before, change, problem }) => {
    expect(problemsOf(environment, before)).toEqual([]);
    expect(problemsOf(environment, change(before)).join('\n')).toContain(problem);
  },
);

it('no two changes have the same title', () => {
  const titles = [...changes, ...refused].map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
});

it('every change changes something', () => {
  const same = changes.filter(
    ({ before, change }) => JSON.stringify(before) === JSON.stringify(change(before)),
  );
  expect(same.map(({ title }) => title)).toEqual([]);
});

it('has enough changes, also of the silent ones', () => {
  const isLoud = (kind: Kind | readonly Kind[]) => [kind].flat().some((each) => loudKinds.includes(each));
  const silent = changes.filter(({ expected }) => !expected.some(({ kind }) => isLoud(kind)));
  expect(changes.length + refused.length).toBeGreaterThanOrEqual(150);
  expect(silent.length).toBeGreaterThanOrEqual(40);
});
