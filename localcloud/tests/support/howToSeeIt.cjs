// What the output of a failed test says: how to run it alone, and what it ran.
const { inspect } = require('node:util');

/** Lists of errors whose last is the failure of this event. That of `beforeAll` is one of each test under it. */
exports.failuresOf = ({ name, test, describeBlock, hook }, { unhandledErrors }) => {
  if (name === 'test_fn_failure' || test) return [test.errors];
  if (hook.type === 'afterAll') return [unhandledErrors];
  const within = ({ children }) =>
    children.flatMap((one) => (one.type === 'describeBlock' ? within(one) : [one.errors]));
  return within(describeBlock);
};

/** A failure with a further text. What was thrown may be a text itself, as for a test that takes too long. */
exports.withText = (failure, told) => {
  const [thrown, place] = Array.isArray(failure) ? failure : [failure];
  if (typeof thrown?.stack === 'string') {
    if (!thrown.stack.endsWith(told)) thrown.stack += `\n\n${told}`;
    return failure;
  }
  const text = typeof thrown === 'string' ? thrown : `thrown: ${inspect(thrown)}`;
  const [, ...frames] = place?.stack?.split(/\n(?= +at )/) ?? [];
  return Object.assign(new Error(text), { stack: [text, ...frames, `\n${told}`].join('\n') });
};

/** Commands that it shows. */
const shown = 8;
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param test as jest has it; undefined if it is not known
 * @param commands all that the tests of the file have run, as a user would type them
 */
exports.howToSeeIt = (project, file, test, commands = []) => {
  const names = [];
  for (let one = test; one?.parent !== undefined; one = one.parent) names.unshift(one.name);
  // jest takes a regular expression.
  const pattern = names.join(' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const title = names.length === 0 ? '' : ` -t ${quoted(pattern)}`;
  const alone = `npx jest --selectProjects ${project} --testPathPatterns ${file}${title}`;
  const last = commands.slice(-shown);
  const asUser = last.length === 0 ? [] : ['What it ran last, as a user would:', ...last];
  return ['To run it alone (steps of a story need those before):', alone, ...asUser].join('\n  ');
};
