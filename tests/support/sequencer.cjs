// jest starts first what failed, then what is new to it, then what took longest in its last run. Where it knows nothing it goes
// by size; files that start whole environments are small, so they come first.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const e2e = path.join(__dirname, '../e2e') + path.sep;
const isFirst = (test) => test.duration === undefined && test.path.startsWith(e2e);

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => isFirst(other) - isFirst(one));
  }
};
