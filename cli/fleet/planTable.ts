import pc from 'picocolors';
import { fittedTable } from '../fittedTable';
import { exceeded, type Rollout, type Use } from './rolloutPlan';
import { amount, inMinutes, someOf } from './words';

/** Renders a table of the waves, one of the quotas, and the time of the whole rollout. */
export function renderPlan(rollout: Rollout): string {
  const { environment, waves, seconds, bound, ratio, quotas } = rollout;
  const cells = waves.flatMap((wave) => wave.cells);
  const clusters = cells.flatMap((cell) => cell.clusters);
  const waveRows = waves.map(({ wave, cells: here, seconds: time, bounds: [binding] }) => [
    String(wave),
    someOf(
      here.map(({ name }) => name),
      5,
    ),
    String(here.reduce((sum, cell) => sum + cell.clusters.length, 0)),
    here.reduce((sum, { writes }) => sum + writes, 0).toLocaleString('en-US'),
    inMinutes(time),
    binding.what,
  ]);
  const over = new Set(exceeded(rollout));
  const quotaRows = quotas.map((use) => {
    const share = `${Math.round((100 * use.count) / use.most)} %`;
    return [
      `${use.what} per ${use.per}`,
      use.place,
      use.count.toLocaleString('en-US'),
      use.most.toLocaleString('en-US'),
      over.has(use) ? pc.red(`${share} exceeded`) : share,
    ];
  });
  return [
    `${pc.bold(environment)}: ${amount(clusters.length, 'cluster')} in ${amount(cells.length, 'cell')} and ${amount(waves.length, 'wave')}. A first rollout takes about ${inMinutes(seconds)}.`,
    ...(bound === undefined || bound.seconds < 60
      ? []
      : [
          `That is ${ratio?.toFixed(2)} times what Azure's limits alone need: ${inMinutes(bound.seconds)} (${bound.what}).`,
        ]),
    fittedTable(['wave', 'cells', 'clusters', 'writes', 'takes', 'bound by'], waveRows, [1, 5]),
    fittedTable(['limit', 'most used in', 'count', 'of', 'used'], quotaRows, [1, 0]),
    '',
  ].join('\n');
}

/** Returns an error for a plan that exceeds the limit. */
export function exceededMessage({ what, per, place, count, most, hint, limit }: Use): string {
  const of = place === '' ? '' : ` in ${place}`;
  return `error: The plan has ${count.toLocaleString('en-US')} ${what}${of}, and Azure allows ${most.toLocaleString('en-US')} per ${per} (${limit}).\n  → ${hint}\n`;
}
