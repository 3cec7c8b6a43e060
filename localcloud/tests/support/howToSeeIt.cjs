// What the output of a failed test says: how to run it alone, and what it ran.

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
