// Which test file is started first where several run at once: those that bring up whole environments, for they take
// longest. Left for the end, one of them would run alone while the other worker has nothing to do.
const { default: Sequencer } = require('@jest/test-sequencer');

const longestFirst = ['e2e', 'localcloud', 'engine', 'unit'];
const rank = ({ context }) => longestFirst.indexOf(context.config.displayName?.name);

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
