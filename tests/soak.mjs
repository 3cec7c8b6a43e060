// `make soak`: repeats the first `make up` from nothing, with random start delays of controllers and webhooks.
// No run may fail because of timing. `RUNS=5 make soak` for fewer than 20.
import { OwnState } from './support/ownState.mjs';

const runs = Number(process.env.RUNS ?? 20);
if (!Number.isInteger(runs) || runs < 1) {
  console.error(`error: RUNS is "${process.env.RUNS}". Allowed: an integer from 1.`);
  process.exit(2);
}

const delays = {
  'cert-manager-controller': 15,
  'cert-manager-cainjector': 15,
  'cert-manager-webhook': 20,
  azureserviceoperator: 30,
  webhook: 15,
};
const AKS_WI_START_DELAYS = Object.entries(delays)
  .map(([program, seconds]) => `${program}=${seconds}`)
  .join(',');
console.log(`Each start of a program late by up to so many seconds: ${AKS_WI_START_DELAYS}\n`);

let failed = 0;
for (let run = 1; run <= runs; run += 1) {
  const state = await OwnState.make('soak');
  try {
    const { code, seconds, output } = await state.run(['up'], { AKS_WI_START_DELAYS });
    const verdict = /\d+ checks passed, \d+ failed/.exec(output)?.[0] ?? 'no verdict';
    const well = code === 0 && verdict.endsWith(' 0 failed');
    console.log(
      `${String(run).padStart(3)} of ${runs}  ${seconds.toFixed(0).padStart(4)} s  ${well ? verdict : `FAILED with ${code}`}`,
    );
    if (!well) {
      failed += 1;
      console.log(output);
    }
  } finally {
    await state.remove();
  }
}
console.log(`\n${runs - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
