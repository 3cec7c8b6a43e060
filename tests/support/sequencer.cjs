// jest first runs tests that failed, then new tests, then those that took longest in their last run. It orders new tests by
// file size. End-to-end tests are small files but start whole environments, so new ones come first here.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const e2e = path.join(__dirname, '../e2e') + path.sep;
const isFirst = (test) => test.duration === undefined && test.path.startsWith(e2e);

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => isFirst(other) - isFirst(one));
  }
};
