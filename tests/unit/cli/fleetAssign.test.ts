import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { assignClusters, type CellEntry } from '../../../cli/fleet/assignment';
import { withCells } from '../../../cli/fleet/cellsInFile';
import { reviewed } from '../support/reviewed';
import { check } from '../stacks/stackFileText';
import { clusterNames, fleetText, runFleet, type Cells } from './fleet.fixture';

const shows = reviewed(__filename);
const named = (names: readonly string[]) => names.map((name) => ({ name }));
const assign = (names: readonly string[], before: readonly CellEntry[] = [], size = 25, canary = 1) =>
  assignClusters(named(names), before, { size, canary });
const cellOf = (cells: readonly CellEntry[], cluster: string) =>
  cells
    .filter(({ clusters }) => Array.isArray(clusters) && clusters.includes(cluster))
    .map(({ name }) => name);

const file = (text: string) => ({ 'Pulumi.fleet.yaml': text });
const written = (folder: string) => readFileSync(path.join(folder, 'Pulumi.fleet.yaml'), 'utf8');
const run = (text: string, ...args: string[]) =>
  runFleet(file(text), ['assign', '--stack', 'fleet', '--size', '2', ...args], written);
const cells: Cells = { canary: [1, 'aks-001'], c01: [2, 'aks-002', 'aks-003'], c02: [3, 'aks-004'] };

describe('fleet assign', () => {
  shows('cells for an environment without any', () => run(fleetText(clusterNames(6))));
  shows('new clusters in the last cells with room and in new cells', () =>
    run(fleetText(clusterNames(7), cells)),
  );
  shows('a cell in block style', () =>
    run(
      `${fleetText(clusterNames(5))}  # In order.\n  aks-workload-identity:cells:\n    - name: eu # the first\n      clusters:\n        - aks-001 # alone\n        # last\n      wave: 1\n`,
    ),
  );
  shows('clusters that are gone', () =>
    run(fleetText(['aks-001', 'aks-002'], { ...cells, c02: [2, 'aks-004'] })),
  );
  shows('a wave that is gone, and a name in block style', () =>
    run(
      `${fleetText(['aks-001', 'aks-004'], cells).replace('[aks-004]', '[aks-004, aks-009]')}    - name: eu\n      wave: 3\n      clusters:\n        - aks-005\n        # gone\n        - aks-006\n        - aks-007 # last\n`.replace(
        '    - name: aks-004\n',
        '    - name: aks-004\n    - name: aks-005\n    - name: aks-007\n',
      ),
    ),
  );
  shows('a first wave that is gone', () => run(fleetText(['aks-002', 'aks-003', 'aks-004'], cells)));
  shows('only the change with --dry-run', () => run(fleetText(clusterNames(5), cells), '--dry-run'));
  shows('the cells as JSON', () =>
    runFleet(file(fleetText(clusterNames(3))), [
      ...['assign', '--stack', 'fleet', '--size', '25', '--canary', '2', '--json'],
    ]),
  );
  shows('cells whose labels select no cluster', () =>
    run(
      `${fleetText(clusterNames(1))}  aks-workload-identity:cells:\n    - { name: eu, clusters: { labels: { region: eu } } }\n`,
    ),
  );
  shows('a file that is complete', () => run(fleetText(clusterNames(4), cells)));
  shows('a file that is not valid', () =>
    run(fleetText(clusterNames(2)).replace('westeurope', 'West Europe')),
  );
  shows('a file without clusters', () => run('config: {}\n'));
  shows('a cell', () => run('config: { aks-workload-identity:cellOf: other }\n'));
  it('writes into the stack file that --file names', async () => {
    const [elsewhere, own] = ['elsewhere/any.yaml', 'Pulumi.fleet.yaml'];
    const args = ['assign', '--stack', 'fleet', '--size', '2', '--json'];
    const read = (name: string) => (folder: string) => readFileSync(path.join(folder, name), 'utf8');
    const text = fleetText(clusterNames(6));
    const expected = await runFleet({ [own]: text }, args, read(own));
    expect(expected.after).not.toBe(text);
    expect(await runFleet({ [elsewhere]: text }, [...args, '--file', elsewhere], read(elsewhere))).toEqual(
      expected,
    );
  });
  shows('an unknown stack', () => runFleet({}, ['assign', '--stack', 'fleet', '--size', '2']));
});

describe('the waves', () => {
  it.each([
    [1, [1]],
    [2, [1, 1]],
    [4, [1, 1, 1, 1]],
    [41, [1, 1, 4, 35]],
  ])('of %p cells grow', (count, sizes) => {
    const waves = assign(clusterNames(count), [], 1).map(({ wave }) => wave);
    expect([...new Set(waves)].map((wave) => waves.filter((other) => other === wave).length)).toEqual(sizes);
  });
});

describe('every assignment', () => {
  const clusters = fc.uniqueArray(
    fc.integer({ min: 1, max: 120 }).map((n) => `aks-${n}`),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  const sizes = [fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 })] as const;

  it('has each cluster in exactly one cell, no larger than asked, and waves without gaps', () => {
    fc.assert(
      fc.property(clusters, ...sizes, (names, size, canary) => {
        const found = assign(names, [], size, canary);
        for (const name of names) expect(cellOf(found, name)).toHaveLength(1);
        for (const { name, clusters: list } of found)
          expect((list as string[]).length).toBeLessThanOrEqual(name === 'canary' ? canary : size);
        const waves = new Set(found.map(({ wave }) => wave));
        expect([...waves].sort()).toEqual([...waves].map((_, index) => index + 1));
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(clusters, ...sizes, (names, size, canary) => {
        const once = assign(names, [], size, canary);
        expect(assign(names, once, size, canary)).toEqual(once);
      }),
    );
  });

  it('moves no cluster that stays, whatever is added, removed and resized', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(clusters, ...sizes), { minLength: 2, maxLength: 5 }), (steps) => {
        let before: CellEntry[] = [];
        let there: readonly string[] = [];
        for (const [names, size, canary] of steps) {
          const after = assign(names, before, size, canary);
          for (const name of names.filter((cluster) => there.includes(cluster)))
            expect(cellOf(after, name)).toEqual(cellOf(before, name));
          expect(after.flatMap(({ clusters: list }) => list as string[]).sort()).toEqual([...names].sort());
          const waves = [...new Set(after.map(({ wave }) => wave))];
          expect(Math.max(...waves)).toBe(waves.length);
          [before, there] = [after, names];
        }
      }),
    );
  });

  it('is written so that the file is valid, says the same, and keeps its comments', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(clusters, ...sizes), { minLength: 2, maxLength: 3 }), (steps) => {
        let cellsText = '';
        let before: CellEntry[] = [];
        for (const [names, size, canary] of steps) {
          const after = assign(names, before, size, canary);
          const text = withCells(
            `${fleetText(names)}${cellsText}`,
            ['config', 'aks-workload-identity:cells'],
            after,
          );
          expect(check(text, {}, 'fleet').lines).toEqual([]);
          const { config } = parse(text) as { config: Record<string, unknown> };
          expect(config['aks-workload-identity:cells']).toEqual(after);
          expect(text).toContain('# with role assignments');
          // It was not rewritten as a whole.
          expect(text).toContain('applications: [{ name: orders');
          cellsText = text.slice(text.indexOf('  aks-workload-identity:cells:'));
          before = after;
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the line breaks of Windows', () => {
    const text = fleetText(clusterNames(5), cells);
    const after = assign(clusterNames(5), assign(clusterNames(3), [], 1), 2);
    const written = (before: string) => withCells(before, ['config', 'aks-workload-identity:cells'], after);
    expect(written(text.replaceAll('\n', '\r\n'))).toBe(written(text).replaceAll('\n', '\r\n'));
  });

  it('counts clusters that labels select, and adds none to such a cell', () => {
    const before: CellEntry[] = [{ name: 'eu', wave: 1, clusters: { labels: { region: 'eu' } } }];
    const found = assignClusters([{ name: 'a', labels: { region: 'eu' } }, { name: 'b' }], before, {
      size: 5,
      canary: 1,
    });
    expect(found).toEqual([...before, { name: 'c01', wave: 2, clusters: ['b'] }]);
  });
});
