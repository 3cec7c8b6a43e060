// Starts the slowest test files first, so that none of them runs alone at the end. jest would learn their
// durations itself, but a clean clone has none, and files that share a cluster are short: their tests are in
// the suites that they import.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const longestFirst = [
  ...[
    'documentation',
    'dependencies',
    'retention',
    'environment',
    'neighbours',
    'stacks',
    'hostedClusters',
    'brownfield',
    'applications',
  ].map((name) => `tests/e2e/${name}.test.ts`),
  'localcloud/tests/services/plugins/kubernetes/plugin.test.ts',
  'localcloud/tests/services/kubernetes/addons.test.ts',
  'localcloud/tests/services/kubernetes/cluster.test.ts',
  'tests/engine/recordedStates.test.ts',
  'localcloud/tests/services/plugins/azure-native/brownfield.test.ts',
  'localcloud/tests/services/plugins/azure-native/engine.test.ts',
].map((file) => path.join(__dirname, '../..', file));
const rank = ({ path: file }) =>
  longestFirst.includes(file) ? longestFirst.indexOf(file) : longestFirst.length;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
