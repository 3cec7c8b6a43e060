// jest runs the tests of a file in an AsyncLocalStorage, and Node attaches every storage that was ever used to
// each promise. After fifty files, promises are slow and keep the memory of all these files. So the storages of
// a file are disabled at its end.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  used.add(this);
  return run.apply(this, given);
};

module.exports = class extends TestEnvironment {
  // Texts are compared without colors, which continuous integration would turn on.
  async setup() {
    await super.setup();
    const { env } = this.global.process;
    env.NO_COLOR = '1';
    delete env.FORCE_COLOR;
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
