// jest runs the tests of a file in an AsyncLocalStorage, and Node attaches every storage that was ever used to
// each promise. After fifty files, promises are slow and keep the memory of all these files. So the storages of
// a file are disabled at its end.
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { failuresOf, howToSeeIt, withText } = require('./howToSeeIt.cjs');
require('./compiledOnce.cjs');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

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
  }

  // A failed test says in its own output how to see the same.
  handleTestEvent(event, state) {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const hint = howToSeeIt(this.project, this.file, event.test, this.global.commandsRun);
    for (const errors of failuresOf(event, state)) errors.push(withText(errors.pop(), hint));
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
