// Which test file is started first where several run at once: those that take longest. Left for the end, one of them would
// run alone while the other workers have nothing to do. jest would learn their times by itself, but a clean clone has none,
// and the files that share a cluster are short: their tests are in the suites that they import.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const longestFirst = [
  ...['dependencies', 'retention', 'environment', 'neighbours', 'stacks', 'brownfield', 'applications'].map(
    (name) => `e2e/${name}.test.ts`,
  ),
  'localcloud/plugins/kubernetes/plugin.test.ts',
  'localcloud/kubernetes/addons.test.ts',
  'localcloud/kubernetes/cluster.test.ts',
  'engine/recordedStates.test.ts',
  'localcloud/plugins/azure-native/brownfield.test.ts',
  'localcloud/plugins/azure-native/engine.test.ts',
].map((file) => path.join(__dirname, '..', file));
const rank = ({ path: file }) =>
  longestFirst.includes(file) ? longestFirst.indexOf(file) : longestFirst.length;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
