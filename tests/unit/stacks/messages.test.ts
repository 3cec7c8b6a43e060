import { nearest } from '../../../stacks/settings/nearest';
import { formatPath, formatProblem } from '../../../stacks/settings/problem';
import { readYaml } from '../../../stacks/settings/yamlPlaces';

describe('messages', () => {
  it.each([
    ['vualt', 'vault'],
    ['Identity', 'identity'],
    ['clutser', 'clusters'],
    ['nmae', 'name'],
    ['neam', 'name'],
    ['kind', undefined],
    ['x', undefined],
    ['somethingElse', undefined],
    ['clu', 'clusters'],
    ['cl', undefined],
    ['nats', undefined],
  ])('take %p for %p', (key, expected) => {
    expect(nearest(key, ['vault', 'vaults', 'identity', 'clusters', 'name', 'id'])).toBe(expected);
  });

  it('name the place as the file has it', () => {
    expect(formatPath(['applications', 1, 'env', 'A.B'])).toBe(
      'aks-workload-identity:applications[1].env["A.B"]',
    );
  });

  it('have the beginning of a long text', () => {
    expect(formatProblem({ path: ['a'], what: `is ${'x'.repeat(5000)}` })).toBe(
      `aks-workload-identity:a: is ${'x'.repeat(200)}….`,
    );
  });
});

describe('a key of YAML that is twice in one object', () => {
  it.each([
    ['a: 1\nb:\n  x: 1\n  "x": 2\n', [4, 3, 'The key "x" is in line 3, column 3 already']],
    ['a: 1\nb: {y: 1, x: 1, x: 2}\n', [2, 17, 'The key "x" is in line 2, column 11 already']],
    ['1: a\n1: b\n', [2, 1, 'The key 1 is in line 1, column 1 already']],
  ])('is named with both places: %j', (text, [line, column, message]) => {
    expect(readYaml(text).errors).toEqual([{ line, column, message }]);
  });
});
