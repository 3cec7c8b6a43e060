// The hint in the output of a failed test: how to run it alone, and the commands that it ran.
const { inspect } = require('node:util');

/** Lists of errors whose last is the failure of this event. A failure of `beforeAll` belongs to each test under it. */
exports.failuresOf = ({ name, test, describeBlock, hook }, { unhandledErrors }) => {
  if (name === 'test_fn_failure' || test) return [test.errors];
  if (hook.type === 'afterAll') return [unhandledErrors];
  const within = ({ children }) =>
    children.flatMap((child) => (child.type === 'describeBlock' ? within(child) : [child.errors]));
  return within(describeBlock);
};

/** A failure with a hint. The thrown value may be a string, as for a test that takes too long. */
exports.withText = (failure, hint) => {
  const [thrown, place] = Array.isArray(failure) ? failure : [failure];
  if (typeof thrown?.stack === 'string') {
    if (!thrown.stack.endsWith(hint)) thrown.stack += `\n\n${hint}`;
    return failure;
  }
  const text = typeof thrown === 'string' ? thrown : `thrown: ${inspect(thrown)}`;
  const [, ...frames] = place?.stack?.split(/\n(?= +at )/) ?? [];
  return Object.assign(new Error(text), { stack: [text, ...frames, `\n${hint}`].join('\n') });
};

/** Number of commands that the hint shows. */
const shown = 8;
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param test jest's test; undefined if it is not known
 * @param commands all that the tests of the file have run, as a user would type them
 */
exports.howToSeeIt = (project, file, test, commands = []) => {
  const names = [];
  for (let block = test; block?.parent !== undefined; block = block.parent) names.unshift(block.name);
  // jest takes a regular expression.
  const pattern = names.join(' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const title = names.length === 0 ? '' : ` -t ${quoted(pattern)}`;
  const alone = `npx jest --selectProjects ${project} --testPathPatterns ${file}${title}`;
  const last = commands.slice(-shown);
  const asUser = last.length === 0 ? [] : ['Its last commands, as a user would type them:', ...last];
  return ['To run it alone (steps of a story need those before):', alone, ...asUser].join('\n  ');
};
