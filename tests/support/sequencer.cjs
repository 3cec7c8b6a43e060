// Starts the test files that took longest in the last run first. jest's own memory of it is lost with its cache and knows no
// file of a clean clone.
const { statSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { longestFirst, readDurations } = require('./durations.cjs');

const root = path.join(__dirname, '../..');

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const files = tests.map((test) => ({
      test,
      file: path.relative(root, test.path),
      size: statSync(test.path).size,
    }));
    return longestFirst(files, readDurations()).map(({ test }) => test);
  }
};
