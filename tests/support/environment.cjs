// jest runs the tests of a file inside an AsyncLocalStorage, and Node carries every one that was ever used along with each
// promise: after fifty files a promise is half a hundred steps, and keeps what those files held. So what a file used is
// switched off at its end.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  used.add(this);
  return run.apply(this, given);
};

module.exports = class extends TestEnvironment {
  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
