import type { ClusterSettings } from '../../stacks/settings/schema';
import { selects } from '../../stacks/plan';

// Which cluster is in which cell. Pure.

/** A cell in the stack file. */
export interface CellEntry {
  readonly name: string;
  readonly wave: number;
  /** Names of its clusters, or labels that all of them have. */
  readonly clusters: readonly string[] | { readonly labels: Readonly<Record<string, string>> };
}

/** A cluster in the stack file. */
export type ClusterEntry = Pick<ClusterSettings, 'name' | 'labels'>;

export interface CellSizes {
  /** Most clusters of a cell. */
  readonly size: number;
  /** Most clusters of the canary. */
  readonly canary: number;
}

/** Name of the first cell that is created. */
const canaryName = 'canary';

/**
 * Returns the cells with every cluster in one of them. A cluster that is in a cell stays there, as long as it exists. Others go,
 * in their order, to the last cell with room, then to new cells. A cell whose list has no cluster any more is left out.
 */
export function assignClusters(
  clusters: readonly ClusterEntry[],
  before: readonly CellEntry[],
  sizes: CellSizes,
): CellEntry[] {
  const names = new Set(clusters.map(({ name }) => name));
  const lists = before.flatMap(({ name, clusters: selection }) =>
    isList(selection) ? [{ name, list: selection.filter((cluster) => names.has(cluster)) }] : [],
  );
  const cells = before.map((cell) => ({
    ...cell,
    clusters: lists.find(({ name }) => name === cell.name)?.list ?? cell.clusters,
  }));
  const selected = ({ clusters: selection }: CellEntry, cluster: ClusterEntry) =>
    isList(selection)
      ? selection.includes(cluster.name)
      : selects({ labels: { ...selection.labels } }, cluster as ClusterSettings);
  const added: { name: string; list: string[] }[] = [];
  for (const cluster of clusters.filter((other) => !cells.some((cell) => selected(cell, other)))) {
    const room = [...lists, ...added].findLast(
      ({ name, list }) => list.length < (name === canaryName ? sizes.canary : sizes.size),
    );
    if (room === undefined)
      added.push({ name: nextName([...cells, ...added].map(({ name }) => name)), list: [cluster.name] });
    else room.list.push(cluster.name);
  }
  const kept = cells.filter(
    (cell) => !isList(cell.clusters) || clusters.some((cluster) => selected(cell, cluster)),
  );
  return withoutGaps(
    added.reduce<CellEntry[]>(
      (all, { name, list }) => [
        ...all,
        { name, wave: nextWave(all, kept.length + added.length), clusters: list },
      ],
      kept,
    ),
  );
}

function isList(selection: CellEntry['clusters']): selection is readonly string[] {
  return Array.isArray(selection);
}

/** Returns `canary`, `c01`, `c02` and so on. */
function nextName(names: readonly string[]): string {
  if (names.length === 0) return canaryName;
  const numbers = names.map((name) => Number(/^c(\d+)$/.exec(name)?.[1] ?? 0));
  return `c${String(Math.max(...numbers) + 1).padStart(2, '0')}`;
}

/** Waves grow: the first cell, one cell, a tenth of all cells, the others. */
function nextWave(cells: readonly CellEntry[], total: number): number {
  if (cells.length === 0) return 1;
  const sizeOf = (wave: number) => cells.filter((cell) => cell.wave === wave).length;
  if (sizeOf(2) < 1) return 2;
  if (sizeOf(3) < Math.max(1, Math.floor(total / 10))) return 3;
  return Math.max(4, ...cells.map(({ wave }) => wave));
}

/** Lowers the waves after one that has no cell any more. */
function withoutGaps(cells: readonly CellEntry[]): CellEntry[] {
  const waves = [...new Set(cells.map(({ wave }) => wave))].sort((one, other) => one - other);
  return cells.map((cell) => ({ ...cell, wave: waves.indexOf(cell.wave) + 1 }));
}
