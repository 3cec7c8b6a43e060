// `make bench`: measures the main commands on this machine against their time budgets, and previews against those of a flat
// program of the same custom resources (docs/performance.md). It asserts nothing: a slow machine is no defect. It uses its own
// state folder.
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { BenchState, root } from './benchState.mjs';
import { comparisons, measureCommands } from './commands.mjs';
import { stopMeasured } from './measured.mjs';
import { measureDeployed } from './deployed.mjs';
import { benchOptions } from './options.mjs';
import { drawPreviews } from './picture.mjs';
import { measurePreviews } from './previews.mjs';
import { commandTable, deployedTable, memoryTable, previewTable, processTable } from './tables.mjs';

const options = benchOptions(process.argv.slice(2));
const started = performance.now();
const progress = (step) => {
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.error(`${minutes.padStart(5)} min  ${step}`);
};

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    stopMeasured();
  });
}

const state = await BenchState.make('bench');
const result = { node: process.version, processors: availableParallelism(), rounds: options.rounds };
const show = (title, table) => console.log(`\n${title}\n\n${table}`);
try {
  // Bundles what has changed, so that no measured run does.
  await state.runMeasured(['--help']);
  if (options.commands) {
    result.commands = await measureCommands(state, progress);
    show('Commands on the example stack', commandTable(result.commands));
    console.log(`\n${comparisons(result.commands).join('\n')}`);
  }
  if (options.previews) {
    await state.runMeasured(['cloud', 'start']);
    result.previews = await measurePreviews(state, options.clusters, { rounds: options.rounds, progress });
    show('Previews with nothing deployed', previewTable(result.previews));
    show('Processor seconds of a preview with the policy pack', processTable(result.previews));
    if (options.picture !== undefined) await writeFile(options.picture, drawPreviews(result.previews));
  }
  if (options.deployed > 0) {
    await state.runMeasured(['cloud', 'start']);
    result.deployed = await measureDeployed(state, options.deployed, { rounds: options.rounds, progress });
    show('A deployed stack with real control planes', deployedTable(result.deployed));
    show('Memory of the local cloud, in MB', memoryTable(result.deployed));
  }
  const file = options.json ?? path.join(root, '.state', 'bench.json');
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(
    `\nNode ${result.node}, ${result.processors} processors; medians. As JSON: ${path.relative('.', file)}`,
  );
} catch (error) {
  if (!interrupted) throw error;
  console.error('Interrupted.');
  process.exitCode = 130;
} finally {
  await state.remove();
}
