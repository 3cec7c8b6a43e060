// `make bench`: measures the main commands on this machine as whole processes, against their time budgets. It
// asserts nothing: a slow machine is no defect. It uses its own state folder.
import { availableParallelism } from 'node:os';
import { OwnState } from './support/ownState.mjs';

const state = await OwnState.make('bench');

async function seconds(args) {
  const run = await state.run(args);
  if (run.code === 0) return run.seconds;
  throw new Error(`aks-wi ${args.join(' ')} ended with ${run.code}\n${run.output}`);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(title, args, { runs, budget }) {
  const values = [];
  for (let run = 0; run < runs; run += 1) values.push(await seconds(args));
  const spread = `${Math.min(...values).toFixed(2)} – ${Math.max(...values).toFixed(2)}`;
  const ratio = budget === undefined ? '' : `${(median(values) / budget).toFixed(2)} of ${budget} s`;
  console.log(
    `${title.padEnd(44)} ${median(values).toFixed(2).padStart(7)} s  ${spread.padEnd(16)} ${String(runs).padStart(2)}×  ${ratio}`,
  );
  return median(values);
}

console.log(
  `Node ${process.version}, ${availableParallelism()} processors; median, min – max, runs, share of the budget\n`,
);
try {
  await measure('toolchain, everything built', ['toolchain', 'build'], { runs: 5, budget: 1 });
  const first = await measure('up, from nothing', ['up'], { runs: 1, budget: 60 });
  const again = await measure('up, nothing to change', ['up'], { runs: 3, budget: 60 });
  const preview = await measure('pulumi preview', ['pulumi', 'preview', '--non-interactive'], { runs: 3 });
  await measure('pulumi refresh', ['pulumi', 'refresh', '--yes', '--non-interactive'], { runs: 3 });
  await measure('verify', ['verify', '--stack', 'local', '--json'], { runs: 5 });
  await measure('down', ['down'], { runs: 1 });
  await measure('up, after down', ['up'], { runs: 1, budget: 60 });
  await measure('cloud save', ['cloud', 'save', 'base'], { runs: 1 });
  const restored = await measure('cloud restore', ['cloud', 'restore', 'base', '--yes'], {
    runs: 3,
    budget: 20,
  });
  console.log(`\na restore costs ${(restored / first).toFixed(2)} times an up from nothing`);
  console.log(`up without changes costs ${(again / preview).toFixed(2)} times a bare preview`);
} finally {
  await state.remove();
}
