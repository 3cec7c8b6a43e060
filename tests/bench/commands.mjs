// The main commands on the example stack, as whole processes, against their time budgets.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { median } from './median.mjs';
import { root } from './benchState.mjs';

/** Commands in the order in which they run. The first ones need nothing deployed. */
const commands = [
  { title: '--help', args: ['--help'], runs: 5, budget: 0.15 },
  { title: 'validate, all stack files', args: ['validate'], runs: 5, budget: 0.3 },
  { title: 'toolchain, everything built', args: ['toolchain', 'build'], runs: 5, budget: 1 },
  { title: 'up, from nothing', args: ['up'], runs: 1, budget: 40 },
  { title: 'up, nothing to change', args: ['up'], runs: 3, budget: 5 },
  { title: 'pulumi preview', args: ['pulumi', 'preview', '--non-interactive'], runs: 3 },
  { title: 'pulumi refresh', args: ['pulumi', 'refresh', '--yes', '--non-interactive'], runs: 3 },
  { title: 'verify', args: ['verify', '--stack', 'local', '--json'], runs: 5, budget: 3 },
  { title: 'access', args: ['access', '--stack', 'local'], runs: 5, budget: 1 },
  { title: 'down', args: ['down'], runs: 1 },
  { title: 'up, after down', args: ['up'], runs: 1, budget: 60 },
  { title: 'cloud save', args: ['cloud', 'save', 'base'], runs: 1 },
  { title: 'cloud restore', args: ['cloud', 'restore', 'base', '--yes'], runs: 3, budget: 20 },
  { title: 'audit', before: deployLogs, args: ['audit', '--stack', 'local'], runs: 5, budget: 1 },
];

/**
 * Measures each command. Returns a row of medians for each.
 *
 * @param progress is called with each step
 */
export async function measureCommands(state, progress) {
  const rows = [];
  for (const { title, before, args, runs, budget } of commands) {
    await before?.(state);
    const measured = [];
    for (let run = 1; run <= runs; run += 1) {
      progress(`${title}, run ${run} of ${runs}`);
      measured.push(await state.runMeasured(args));
    }
    const wall = measured.map(({ wallSeconds }) => wallSeconds);
    rows.push({
      title,
      runs,
      wallSeconds: median(wall),
      fastest: Math.min(...wall),
      slowest: Math.max(...wall),
      // Of the processes that the command waited for, without the local cloud that it starts.
      seconds: median(measured.map(({ seconds }) => seconds)),
      ...(budget !== undefined && { budget, ofBudget: median(wall) / budget }),
    });
  }
  return rows;
}

/** Returns what the restore of a save and an update without changes cost, beside what each replaces. */
export function comparisons(rows) {
  const of = (title) => rows.find((row) => row.title === title).wallSeconds;
  const ratio = (one, other) => (of(one) / of(other)).toFixed(2);
  return [
    `a restore costs ${ratio('cloud restore', 'up, from nothing')} times an up from nothing`,
    `up without changes costs ${ratio('up, nothing to change', 'pulumi preview')} times a bare preview`,
  ];
}

/** Deploys the example stack with logs, which `audit` reads. */
async function deployLogs(state) {
  const example = await readFile(path.join(root, 'Pulumi.local.yaml'), 'utf8');
  const file = path.join(state.folder, 'Pulumi.local.yaml');
  await writeFile(file, `${example}  aks-workload-identity:logs: { workspace: { name: log-wi-bench } }\n`);
  await state.runMeasured(['up', '--stack-file', file]);
}
