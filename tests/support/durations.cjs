// How long each test file took in the last run, in seconds, by its path in the project.
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** Next to the other caches, which a clean clone does not have. */
const cacheFile = path.join(__dirname, '../../node_modules/.cache/test-durations.json');

/** The durations in a file; none if it is missing or damaged. */
function readDurations(file = cacheFile) {
  try {
    const known = JSON.parse(readFileSync(file, 'utf8'));
    const entries = Object.entries(known).filter(([, seconds]) => typeof seconds === 'number');
    return new Map(entries);
  } catch {
    return new Map();
  }
}

/** Adds the durations of a run to those of earlier ones. */
function writeDurations(durations, file = cacheFile) {
  const all = Object.fromEntries([...readDurations(file), ...durations]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(all));
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * The files in the order in which they start: the longest first, so that none of them runs alone at the end. A file that has
 * not run yet comes first: whole environments before the others, the longer text before the shorter.
 *
 * @param files each with its path in the project and the length of its text
 */
function longestFirst(files, durations) {
  const rank = ({ file, size }) => {
    const seconds = durations.get(file);
    return seconds === undefined ? [1, file.startsWith('tests/e2e/') ? 1 : 0, size] : [0, seconds, 0];
  };
  return [...files].sort((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    const place = a.findIndex((value, index) => value !== b[index]);
    return place === -1 ? 0 : b[place] - a[place];
  });
}

module.exports = { readDurations, writeDurations, longestFirst };
