// `make bench`: how long the main commands take on this machine, as whole processes, each against its budget.
// Nothing here asserts: a slow machine is not a defect. The state is made in a folder of its own.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const parent = path.join(root, '.state', 'tests');
await mkdir(parent, { recursive: true });
const state = await mkdtemp(path.join(parent, 'bench-'));

function seconds(args) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, [path.join(root, 'cli', 'bin.mjs'), ...args], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, AKS_WI_STATE: state, CI: 'true' },
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) reject(new Error(`aks-wi ${args.join(' ')} ended with ${code}\n${errors}`));
      else resolve(Number(process.hrtime.bigint() - started) / 1e9);
    });
  });
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
  await measure('toolchain, everything built', ['toolchain'], { runs: 5, budget: 1 });
  await measure('up, from nothing', ['up'], { runs: 1, budget: 60 });
  const again = await measure('up, nothing to change', ['up'], { runs: 3, budget: 60 });
  const preview = await measure('pulumi preview', ['pulumi', 'preview', '--non-interactive'], { runs: 3 });
  await measure('pulumi refresh', ['pulumi', 'refresh', '--yes', '--non-interactive'], { runs: 3 });
  await measure('verify', ['verify', '--stack', 'local', '--json'], { runs: 5 });
  await measure('down', ['down'], { runs: 1 });
  await measure('up, after down', ['up'], { runs: 1, budget: 60 });
  console.log(`\nup without changes costs ${(again / preview).toFixed(2)} times a bare preview`);
} finally {
  await seconds(['clean']).catch((error) => console.error(String(error)));
  await rm(state, { recursive: true, force: true });
}
