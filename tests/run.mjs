// `make check` (format, lint, types, unused exports, duplicates, unit tests) and `make test` (these, beside all other tests). It runs
// everything, even if one part fails, and prints durations and one line of counts. Format, lint, types,
// unused exports, duplicates and what is left behind count as one test each; jest's tests count one by one.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcessesLeft, foldersLeft } from './support/leftBehind.mjs';
import { run, stopAll } from './support/programs.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
// oxlint's and the compiler's Go programs end before collecting garbage pays off. The compiler is the native one; Pulumi
// asks for TypeScript 5, which the program keeps.
const briefGoProgram = { GOGC: 'off', GOMEMLIMIT: '3GiB' };
const cores = availableParallelism();

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const files = [];

function count(title, ok) {
  total[ok ? 'passed' : 'failed'] += 1;
  if (!ok) failures.push(title);
}

/** Output is printed at the end in one piece, because other checks run in parallel. */
async function check(title, command, args, env = {}) {
  const result = await run(command, args, { cwd: root, env, captured: true });
  printWhole(title, result);
  count(title, result.ok);
}

function printWhole(title, { ok, seconds, output }) {
  console.log(`\n── ${title}: ${ok ? 'passed' : 'FAILED'} in ${seconds.toFixed(0)} s`);
  if (output.trim() !== '') console.log(output.trimEnd());
}

/** @param env variables that identify everything that the tests start and write */
async function jest(projects, { scratch, env, maxWorkers, captured = false }) {
  const title = `${projects.join(', ')} tests`;
  const output = path.join(scratch, `${projects.join('-')}.json`);
  if (!captured) console.log(`\n── ${title}`);
  const args = [
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${output}`,
    `--maxWorkers=${maxWorkers}`,
    `--testSequencer=${path.join(root, 'tests', 'support', 'sequencer.cjs')}`,
  ];
  // Tests make many short-lived objects. A larger young generation needs far fewer garbage collections.
  const {
    ok,
    seconds,
    output: reported,
  } = await run(process.execPath, ['--max-semi-space-size=64', bin('jest'), ...args], {
    cwd: root,
    env,
    captured,
  });
  if (captured) printWhole(title, { ok, seconds, output: reported });
  let result;
  try {
    result = JSON.parse(await readFile(output, 'utf8'));
  } catch {
    count(`${title} (no result)`, false);
    return;
  }
  total.passed += result.numPassedTests;
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests + result.numTodoTests;
  for (const suite of result.testResults) {
    const file = path.relative(root, suite.name);
    files.push({ file, seconds: (suite.endTime - suite.startTime) / 1000 });
    if (suite.status === 'passed') continue;
    for (const test of suite.assertionResults)
      if (test.status === 'failed') failures.push(`${file}: ${test.fullName}`);
    if (suite.assertionResults.length === 0) failures.push(file);
  }
  // A run that fails without a failed test (no test, a crash) must not count as passed.
  if ((!ok && result.numFailedTests + result.numRuntimeErrorTestSuites === 0) || result.numTotalTests === 0) {
    count(`${title} ended abnormally`, false);
  }
}

const isCheck = process.argv[2] === 'check';

const checks = (place) =>
  Promise.all([
    check('lint', 'npm', ['run', '--silent', 'lint'], briefGoProgram),
    check('format', bin('prettier'), [
      ...['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'],
    ]),
    check('types', 'npm', ['run', '--silent', 'types'], briefGoProgram),
    check('unused exports', 'npm', ['run', '--silent', 'unused']),
    check('duplicates', 'npm', ['run', '--silent', 'duplicates']),
    jest(['unit', 'localcloud-unit'], { ...place, maxWorkers: isCheck ? cores : 1, captured: !isCheck }),
  ]);

// Each of these starts its own processes, half a dozen per cluster, and sometimes waits for them. One more in
// parallel than there are cores keeps all busy, if each has 4 GiB of memory.
const GiB = 2 ** 30;
const processTests = (place) =>
  jest(['e2e', 'localcloud', 'engine', 'browser'], {
    ...place,
    maxWorkers: Math.max(2, Math.min(cores + 1, 4, Math.floor(totalmem() / (4 * GiB)))),
  });

const scratch = await mkdtemp(path.join(tmpdir(), 'aks-wi-tests-'));
const name = path.basename(scratch);
const states = path.join(root, '.state', 'tests', name);
const place = {
  scratch,
  env: {
    TMPDIR: scratch,
    AKS_WI_TEST_STATES: states,
    // Next to the other caches, so that what the engine runs from sources (bootstrap/) is transpiled only once.
    TS_NODE_CACHE_DIRECTORY: path.join(root, 'node_modules', '.cache', 'ts-node'),
  },
};

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    stopAll();
  });
}

const started = performance.now();
try {
  // Beside the tests that start processes, which sometimes wait for them.
  await Promise.all([checks(place), ...(isCheck ? [] : [processTests(place)])]);
  const left = [...(await endProcessesLeft(name)), ...(await foldersLeft(states))];
  if (!interrupted) count(['nothing is left behind', ...left].join('\n    '), left.length === 0);
} finally {
  await endProcessesLeft(name);
  for (const folder of [scratch, states]) await rm(folder, { recursive: true, force: true });
}

const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, 12);
console.log('\nSlowest files:');
for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`\n${interrupted ? 'Interrupted. ' : ''}${minutes} minutes on ${cores} cores.`);
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (interrupted) process.exitCode = 130;
else process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
