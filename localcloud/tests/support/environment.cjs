// jest runs the tests of a file in an AsyncLocalStorage, and Node attaches every storage that was ever used to
// each promise. After fifty files, promises are slow and keep the memory of all these files. So the storages of
// a file are disabled at its end.
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
require('./compiledOnce.cjs');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  used.add(this);
  return run.apply(this, given);
};

/** Commands that the output of a failed test shows. */
const shown = 8;
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.project = config.projectConfig.displayName?.name ?? '';
    this.file = path.relative(config.projectConfig.rootDir, context.testPath);
  }

  // Texts are compared without colors, which continuous integration would turn on.
  async setup() {
    await super.setup();
    const { env } = this.global.process;
    env.NO_COLOR = '1';
    delete env.FORCE_COLOR;
    /** The commands that the tests of this file have run, as a user would type them. */
    this.global.commandsRun = [];
  }

  // A failed test says in its own output how to see the same.
  handleTestEvent(event) {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const { error } = event;
    if (typeof error?.stack !== 'string') return;
    error.stack = `${error.stack}\n\n${this.howToSeeIt(event.test)}`;
  }

  howToSeeIt(test) {
    const names = [];
    for (let one = test; one?.parent !== undefined; one = one.parent) names.unshift(one.name);
    // jest takes a regular expression.
    const pattern = names.join(' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const title = names.length === 0 ? '' : ` -t ${quoted(pattern)}`;
    const alone = `npx jest --selectProjects ${this.project} --testPathPatterns ${this.file}${title}`;
    const commands = this.global.commandsRun.slice(-shown);
    const asUser = commands.length === 0 ? [] : ['What it ran last, as a user would:', ...commands];
    return ['To run it alone (steps of a story need those before):', alone, ...asUser].join('\n  ');
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
