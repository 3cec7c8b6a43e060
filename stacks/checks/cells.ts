import { selects } from '../plan';
import { vaultPath } from '../settings/places';
import { formatPath } from '../settings/problem';
import type { Check, CheckInput, PlacedApplication } from './context';
import { sameNames } from './names';
import { selectionProblems } from './selections';

/** Every cluster belongs to exactly one cell, and every wave has a cell. */
export const cellChecks: readonly Check[] = [
  function* ({ cells }) {
    yield* sameNames(cells, 'Give each cell its own name.');
  },

  function* (input) {
    for (const { path, clusters } of input.cells)
      yield* selectionProblems([...path, 'clusters'], clusters, input);
  },

  function* ({ environment, cells, clusters }) {
    if (cells.length === 0) return;
    const names = cells.map(({ name }) => name).join(', ');
    for (const cluster of clusters) {
      const [first, second] = cells.filter((cell) => selects(cell.clusters, cluster));
      if (first === undefined)
        yield {
          path: [...cluster.path, 'name'],
          what: 'is in no cell',
          allowed: 'exactly one cell for each cluster',
          hint: `Add it to a cell (${names}), or run \`npx aks-wi fleet assign --stack ${environment} --size <n>\`; other clusters stay in their cells.`,
        };
      else if (second !== undefined)
        yield {
          path: [...second.path, 'clusters'],
          value: JSON.stringify(cluster.name),
          what: `is also in ${formatPath(first.path)}: two stacks would deploy the cluster`,
          allowed: 'exactly one cell for each cluster',
          hint: 'Name it in one of them only.',
        };
    }
  },

  function* ({ cells }) {
    const byWave = cells.toSorted((one, other) => one.wave - other.wave);
    for (const [index, { wave, path }] of byWave.entries()) {
      const missing = (byWave[index - 1]?.wave ?? 0) + 1;
      if (wave > missing)
        yield {
          path: [...path, 'wave'],
          what: `comes after wave ${missing}, which has no cell`,
          allowed: 'waves numbered from 1 without gaps',
          hint: `Give a cell the wave ${missing}, or lower the later waves.`,
        };
    }
  },

  /** Cells write to the vault at the same time, and Azure refuses concurrent changes of access policies (ConflictError). */
  function* ({ plan, ...settings }) {
    const { cells } = settings;
    if (cells.length === 0) return;
    for (const { name, access, application } of plan.vaults)
      if (access === 'accessPolicy')
        yield {
          path: [...vaultPath(settings, application), 'access'],
          value: '"accessPolicy"',
          what: `is not possible for ${name} with cells: Azure refuses changes of access policies by several stacks at the same time`,
          allowed: 'rbac',
        };
  },

  /** The first cluster of an application manages its dependencies, and only the stack of that cluster knows them. */
  function* (input) {
    for (const application of input.applications) {
      const cells = cellsOf(input, application);
      if (application.dependencies.length > 0 && cells.length > 1)
        yield {
          path: [...application.path, 'name'],
          what: `runs in the cells ${cells.join(' and ')}, but its dependencies are managed by a single stack`,
          allowed: 'clusters of one cell for an application with `dependencies`',
          hint: 'Select clusters of one cell in `clusters`, or write one application for each cell.',
        };
    }
  },

  /** The role of the connection writers belongs to a single stack. */
  function* (input) {
    const [first, ...others] = input.applications.filter(({ dependencies }) =>
      dependencies.some(({ connection }) => connection === 'vault'),
    );
    if (first === undefined) return;
    const [cell] = cellsOf(input, first);
    for (const other of others)
      if (cellsOf(input, other).some((name) => name !== cell))
        yield {
          path: [...other.path, 'name'],
          what: `has a dependency with \`connection: vault\`, but runs in another cell than ${first.name}, which has one as well`,
          allowed: '`connection: vault` in one cell',
          hint: 'Set `connection: identity`, which needs no key.',
        };
  },
];

/** Returns the names of the cells that the application runs in. */
function cellsOf({ cells, clusters }: CheckInput, application: PlacedApplication): string[] {
  const here = clusters.filter((cluster) => selects(application.clusters, cluster));
  return cells
    .filter((cell) => here.some((cluster) => selects(cell.clusters, cluster)))
    .map(({ name }) => name);
}
