// The program of a cell in tests: it records its run as a line of JSON, and ends as the cell's name says.
import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { cells: { type: 'string' }, index: { type: 'string' } },
  allowPositionals: true,
});
const cell = values.cells.split(',')[Number(values.index)];
const { RECORD, JOB_COMPLETION_INDEX, AKS_WI_COMMIT, AKS_WI_ENVIRONMENT } = process.env;
const record = (event) =>
  appendFileSync(
    RECORD,
    `${JSON.stringify({ event, cell, index: JOB_COMPLETION_INDEX, commit: AKS_WI_COMMIT, environment: AKS_WI_ENVIRONMENT })}\n`,
  );
const end = (code) => {
  record(`ended with ${code}`);
  process.exit(code);
};

record('started');
const runs = readFileSync(RECORD, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  .filter((entry) => entry.cell === cell && entry.event === 'started').length;
const [kind] = cell.split('-');
if (kind === 'endless' && runs <= 2) {
  process.on('SIGTERM', () => end(1));
  setInterval(() => undefined, 1000);
} else if (kind === 'final') end(3);
else if (kind === 'flaky' && runs === 1) end(1);
else setTimeout(() => end(0), 500);
