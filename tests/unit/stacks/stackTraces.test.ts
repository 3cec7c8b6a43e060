import * as internal from '@pulumi/pulumi/runtime/debuggable';
import { leaveUnreadStackTraces, recordNoStackTracesOfPromises } from '../../../stacks/stackTraces';

const before: unknown = Reflect.get(Error, 'prepareStackTrace');
const set = (prepare: unknown) => Reflect.set(Error, 'prepareStackTrace', prepare);

afterEach(() => {
  set(before);
});

it('maps the stack traces of errors with a message to their sources, and leaves the others unchanged', () => {
  set(() => 'led back');
  leaveUnreadStackTraces();

  expect(new Error('wrong').stack).toBe('led back');
  expect(new TypeError('wrong').stack).toBe('led back');
  expect(new Error().stack).toMatch(/^Error\n {4}at .*stackTraces\.test\.ts:\d+:\d+/);
});

it('changes nothing where no source maps are used', () => {
  set(undefined);
  leaveUnreadStackTraces();

  expect(Reflect.get(Error, 'prepareStackTrace')).toBeUndefined();
});

describe('the stack traces of promises', () => {
  const recorded = (promise: Promise<unknown>): unknown => Reflect.get(promise, '_debugStackTrace');
  // Its declarations leave the function out.
  const sdk = internal as unknown as NonNullable<Parameters<typeof recordNoStackTracesOfPromises>[0]>;

  it('are not recorded, and those of errors are', () => {
    const own = { ...sdk };
    recordNoStackTracesOfPromises(own, {});

    const promise = Promise.resolve();
    const limit = Error.stackTraceLimit;
    void own.debuggablePromise(promise, 'a promise');
    expect(recorded(promise)).not.toContain('stackTraces.test.ts');
    expect(Error.stackTraceLimit).toBe(limit);
    expect(new Error('wrong').stack).toContain('stackTraces.test.ts');
  });

  it('are recorded on request', () => {
    const own = { ...sdk };
    recordNoStackTracesOfPromises(own, { PULUMI_DEBUG_PROMISE_LEAKS: '1' });

    const promise = Promise.resolve();
    void own.debuggablePromise(promise, 'a promise');
    expect(recorded(promise)).toContain('stackTraces.test.ts');
  });

  it('are those that the SDK records', () => {
    const before = sdk.debuggablePromise;
    recordNoStackTracesOfPromises(undefined, {});
    expect(sdk.debuggablePromise).not.toBe(before);
  });
});
