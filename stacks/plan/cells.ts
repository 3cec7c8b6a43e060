import type { ClusterSettings, StackSettings } from '../settings/schema';
import { selects } from './selection';
import type { CellPlan } from './types';

/** Returns the cells of the environment; none if it has one stack for everything. */
export function planCells(environment: string, { cells, clusters }: StackSettings): CellPlan[] {
  return cells.map(({ name, wave, clusters: selection }) => ({
    ...{ name, wave, stack: `${environment}-${name}` },
    clusters: clusters.filter((cluster) => selects(selection, cluster)).map((cluster) => cluster.name),
  }));
}

/**
 * Returns the settings that a cell deploys: the environment's, with the cell's clusters only. The values of secrets are
 * written by the environment's stack.
 * @param kubeconfigs kubeconfigs of the cell's clusters of mode external
 */
export function settingsOfCell(
  settings: StackSettings,
  { clusters }: CellPlan,
  kubeconfigs: StackSettings['kubeconfigs'],
): StackSettings {
  const isHere = ({ name }: Pick<ClusterSettings, 'name'>) => clusters.includes(name);
  return {
    ...settings,
    clusters: settings.clusters.filter(isHere),
    hostedClusters: settings.hostedClusters.filter(({ managementCluster: name }) => isHere({ name })),
    secretValues: {},
    kubeconfigs,
  };
}
