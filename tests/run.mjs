// `make test`: each check in turn, all of them even if one fails, then one line that counts them:
// format, lint and types count as one test each, jest's tests one by one.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function run(title, command, args, env = {}) {
  console.log(`\n── ${title}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(false);
    });
    child.on('exit', (code) => resolve(code === 0));
  });
}

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

async function check(title, command, args) {
  const ok = await run(title, command, args);
  total[ok ? 'passed' : 'failed'] += 1;
  if (!ok) failures.push(title);
}

async function jest(projects, scratch, maxWorkers) {
  const title = `${projects.join(', ')} tests`;
  const output = path.join(scratch, `${projects.join('-')}.json`);
  const ok = await run(title, bin('jest'), [
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${output}`,
    `--maxWorkers=${maxWorkers}`,
    `--testSequencer=${path.join(root, 'tests', 'support', 'sequencer.cjs')}`,
  ]);
  let result;
  try {
    result = JSON.parse(await readFile(output, 'utf8'));
  } catch {
    total.failed += 1;
    failures.push(`${title} (no result)`);
    return;
  }
  total.passed += result.numPassedTests;
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests + result.numTodoTests;
  for (const suite of result.testResults) {
    if (suite.status === 'passed') continue;
    const file = path.relative(root, suite.name);
    for (const test of suite.assertionResults)
      if (test.status === 'failed') failures.push(`${file}: ${test.fullName}`);
    if (suite.assertionResults.length === 0) failures.push(file);
  }
  // A run that fails without a failed test (nothing executed, a crash) must not count as passed.
  if ((!ok && result.numFailedTests + result.numRuntimeErrorTestSuites === 0) || result.numTotalTests === 0) {
    total.failed += 1;
    failures.push(`${title} ended abnormally`);
  }
}

const scratch = await mkdtemp(path.join(tmpdir(), 'aks-wi-tests-'));
try {
  await check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']);
  await check('lint', bin('eslint'), ['.', '--max-warnings', '0']);
  await check('types', bin('tsc'), ['--noEmit']);
  const cores = availableParallelism();
  await jest(['unit'], scratch, cores);
  // Each of these brings up processes of its own, half a dozen to a cluster, and waits for them: as many at a time as
  // there are cores leaves little idle, and four are what 16 GiB of memory hold.
  await jest(['e2e', 'localcloud', 'engine'], scratch, Math.min(Math.max(cores, 2), 4));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
