// The measurements as tables in Markdown, which are also readable in a terminal.

const cell = (value, digits) => (typeof value === 'number' ? value.toFixed(digits) : value);

function table(heads, rows) {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    `| ${cells.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(heads), rule, ...rows.map(line)].join('\n');
}

export function commandTable(rows) {
  return table(
    ['command', 'seconds', 'from – to', 'processor seconds', 'runs', 'budget', 'of budget'],
    rows.map(({ title, runs, wallSeconds, fastest, slowest, seconds, budget, ofBudget }) => [
      title,
      cell(wallSeconds, 2),
      `${cell(fastest, 2)} – ${cell(slowest, 2)}`,
      cell(seconds, 2),
      String(runs),
      budget === undefined ? '' : `${budget} s`,
      ofBudget === undefined ? '' : cell(ofBudget, 2),
    ]),
  );
}

/** Program and flat program, in total and for each resource, with their ratio. */
export function previewTable(rows) {
  return table(
    ['clusters', 'preview', 'resources', 'all s', 'program s', 'ms a resource', 'program MB', 'largest MB'],
    rows.flatMap(({ clusters, program, flat, relieved, policies, toFlat, toRelieved }) => [
      ...[
        ['this program', program],
        ['with the policy pack', policies],
        ['flat program', flat],
        ['flat, same workarounds', relieved],
      ].map(([name, of]) => [
        String(clusters),
        name,
        String(of.resources),
        cell(of.seconds, 1),
        cell(of.programSeconds, 1),
        cell((of.programSeconds * 1000) / of.resources, 1),
        cell(of.programMegabytes, 0),
        cell(of.largestMegabytes, 0),
      ]),
      ...[
        ['this : flat', toFlat],
        ['this : flat, same workarounds', toRelieved],
      ].map(([name, ratio]) => [
        String(clusters),
        name,
        '',
        cell(ratio.seconds, 2),
        cell(ratio.programSeconds, 2),
        '',
        cell(ratio.programMegabytes, 2),
        '',
      ]),
    ]),
  );
}

/** Where the processor time of a preview with the policy pack goes. */
export function processTable(rows) {
  const kinds = Object.keys(rows[0]?.policies.secondsOf ?? {});
  return table(
    ['clusters', ...kinds, 'policies, ms a resource', 'empty pack, ms a resource'],
    rows.map(({ clusters, policies, policyMillisecondsPerResource, emptyPackMillisecondsPerResource }) => [
      String(clusters),
      ...kinds.map((kind) => cell(policies.secondsOf[kind], 1)),
      cell(policyMillisecondsPerResource, 2),
      cell(emptyPackMillisecondsPerResource, 2),
    ]),
  );
}

/** Updates of a deployed stack, in processor seconds but for the first. */
export function deployedTable({
  clusters,
  resources,
  firstSeconds,
  previewSeconds,
  secondSeconds,
  secondToPreview,
}) {
  return table(
    ['clusters', 'resources', 'first up, wall s', 'preview s', 'second up s', 'second : preview'],
    [
      [
        String(clusters),
        String(resources),
        cell(firstSeconds, 0),
        cell(previewSeconds, 1),
        cell(secondSeconds, 1),
        cell(secondToPreview, 2),
      ],
    ],
  );
}

/** Memory by program, and for each cluster. */
export function memoryTable({ clusters, megabytes }) {
  const total = Object.values(megabytes).reduce((sum, value) => sum + value, 0);
  return table(
    ['program', 'all', 'a cluster'],
    [...Object.entries(megabytes), ['together', total]].map(([name, value]) => [
      name,
      String(value),
      cell(value / clusters, 0),
    ]),
  );
}
