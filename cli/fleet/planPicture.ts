import { brokenLines } from '../brokenLines';
import type { Box, Colour, Layout, Line } from '../picture/columns';
import { fontSize, widthOf } from '../picture/columns';
import { originOf, type Origin } from '../picture/origin';
import { drawPicture } from '../picture/svg';
import type { Rollout, Use, WaveOfRollout } from './rolloutPlan';
import { amount, inMinutes, someOf } from './words';

/** In pixels. */
const sizes = { label: 250, bar: 480, note: 210, gap: 16, row: 8, line: 16, padding: 8, leastBar: 4 };
const barsAt = sizes.label + sizes.gap;
const notesAt = barsAt + sizes.bar + sizes.gap;
const charactersOf = (width: number) => Math.floor((width - 2 * sizes.padding) / widthOf('m'));

/** Cell names that a label lists. */
const shownCells = 6;

/**
 * Draws the waves of a rollout over time, and the use of each quota: an SVG document. Bars of waves begin where those of the
 * previous wave end.
 */
export function planPicture(rollout: Rollout, origin: Origin): string {
  const { environment, waves, seconds, quotas } = rollout;
  const cells = waves.flatMap((wave) => wave.cells);
  const clusters = cells.reduce((sum, cell) => sum + cell.clusters.length, 0);
  return drawPicture({
    title: `Rollout of ${environment}: ${amount(clusters, 'cluster')} in ${amount(cells.length, 'cell')} and ${amount(waves.length, 'wave')}`,
    notes: [originOf(environment, origin)],
    panels: [
      {
        title: 'Waves',
        sections: [
          {
            title: `A first rollout takes about ${inMinutes(seconds)}`,
            layout: layoutBars(['wave', 'time', 'duration, bound by'], waveBars(rollout)),
            description: waves.map(
              (wave) =>
                `Wave ${wave.wave}: ${labelsOf(wave).join(', ')}; ${inMinutes(wave.seconds)}, bound by ${wave.bounds[0].what}`,
            ),
          },
        ],
      },
      {
        title: "Azure's limits",
        sections: [
          {
            title: 'Objects where the limit is used most',
            layout: layoutBars(['limit', 'used', 'count'], quotas.map(quotaBar)),
            description: quotas.map((use) => `${use.what} per ${use.per}: ${countOf(use)}`),
          },
        ],
      },
    ],
  });
}

/** A row of texts with a bar between them. */
interface Row {
  /** All labels but the first are drawn in grey. */
  readonly labels: readonly string[];
  readonly colour: Colour;
  /** Beginning and end of the bar, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly notes: readonly string[];
}

function labelsOf({ cells }: WaveOfRollout): string[] {
  const clusters = cells.reduce((sum, cell) => sum + cell.clusters.length, 0);
  return [
    `${amount(cells.length, 'cell')}, ${amount(clusters, 'cluster')}`,
    someOf(
      cells.map(({ name }) => name),
      shownCells,
    ),
  ];
}

function waveBars({ waves, seconds }: Rollout): Row[] {
  let from = 0;
  return waves.map((wave) => {
    const to = from + wave.seconds / seconds;
    const [binding] = wave.bounds;
    const row = {
      ...{ labels: [`Wave ${wave.wave}`, ...labelsOf(wave)], from, to },
      colour: binding.limit === 'parallel' ? ('green' as const) : ('yellow' as const),
      notes: [inMinutes(wave.seconds), binding.what],
    };
    from = to;
    return row;
  });
}

function countOf({ count, most, place }: Use): string {
  return `${count.toLocaleString('en-US')} of ${most.toLocaleString('en-US')}${place === '' ? '' : `, ${place}`}`;
}

function quotaBar(use: Use): Row {
  const share = use.count / use.most;
  return {
    labels: [use.what, `per ${use.per}`],
    colour: share > 0.8 ? 'yellow' : 'green',
    ...{ from: 0, to: Math.min(1, share) },
    notes: [
      `${use.count.toLocaleString('en-US')} of ${use.most.toLocaleString('en-US')}`,
      share > 1 ? 'exceeded' : use.place,
    ],
  };
}

/** Lays out rows one below the other: a box with labels, a track with a bar, and notes beside it. */
function layoutBars(titles: readonly [string, string, string], rows: readonly Row[]): Layout {
  let y = fontSize + sizes.row;
  const boxes: Box[] = [];
  const frames: Box[] = [];
  const beside: Line[] = [];
  for (const { labels, colour, from, to, notes } of rows) {
    const left = linesOf(labels, sizes.label, y, sizes.padding);
    const right = linesOf(notes, sizes.note + 2 * sizes.padding, y, notesAt);
    const height = Math.max(left.length, right.length) * sizes.line + sizes.padding;
    boxes.push({ x: 0, y, width: sizes.label, height, colour: 'blue', lines: left });
    frames.push({ x: barsAt, y, width: sizes.bar, height, colour: 'grey', lines: [] });
    if (to > from)
      boxes.push({
        x: barsAt + Math.min(from * sizes.bar, sizes.bar - sizes.leastBar),
        width: Math.max((to - from) * sizes.bar, sizes.leastBar),
        ...{ y, height, colour, lines: [] },
      });
    beside.push(...right);
    y += height + sizes.row;
  }
  const title = (text: string, x: number) => ({ text, x, y: fontSize, quiet: true });
  return {
    ...{ width: notesAt + sizes.note, height: y, boxes, frames, arrows: [] },
    titles: [title(titles[0], 0), title(titles[1], barsAt), title(titles[2], notesAt), ...beside],
  };
}

function linesOf(texts: readonly string[], width: number, top: number, x: number): Line[] {
  const lines = texts.flatMap((text, index) =>
    brokenLines(text, charactersOf(width)).map((line) => ({ text: line, quiet: index > 0 })),
  );
  return lines.map((line, index) => ({ ...line, x, y: top + sizes.line * (index + 1) + 1 }));
}
