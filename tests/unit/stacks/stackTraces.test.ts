import { leaveUnreadStackTraces } from '../../../stacks/stackTraces';

const before: unknown = Reflect.get(Error, 'prepareStackTrace');
const set = (prepare: unknown) => Reflect.set(Error, 'prepareStackTrace', prepare);

afterEach(() => {
  set(before);
});

it('leads the stacks of errors with a message back to their sources, and leaves the others as they come', () => {
  set(() => 'led back');
  leaveUnreadStackTraces();

  expect(new Error('wrong').stack).toBe('led back');
  expect(new TypeError('wrong').stack).toBe('led back');
  expect(new Error().stack).toMatch(/^Error\n {4}at .*stackTraces\.test\.ts:\d+:\d+/);
});

it('tells traces from different places apart', () => {
  set(() => 'led back');
  leaveUnreadStackTraces();

  const here = () => new Error().stack;
  expect(here()).not.toBe(here());
});

it('changes nothing where nobody leads stacks back', () => {
  set(undefined);
  leaveUnreadStackTraces();

  expect(Reflect.get(Error, 'prepareStackTrace')).toBeUndefined();
});
