import { isOlder } from '../../../stacks/isOlder';

it.each([
  ['1.34', '1.35.4', true],
  ['1.35.3', '1.35.4', true],
  ['1.35', '1.35.4', false],
  ['1.35.10', '1.35.4', false],
  ['v2.17.0', '2.18.0', true],
  ['v2.18.0', '2.18.0', false],
  ['2.18.0-beta.1', '2.18.0', true],
  ['2.18.0-beta.1', '2.17.0', false],
  ['2.18.0-beta.2', '2.18.0-beta.10', true],
  ['2.18.0', '2.18.0-beta.10', false],
  ['2.18.0+hotfix.1', '2.18.0', false],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
