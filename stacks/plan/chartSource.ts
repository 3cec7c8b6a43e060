import type { ChartSource } from '../../components/platform/chart';

/** A chart as the configuration names it. */
export type ChartReference = Partial<ChartSource>;

/** Returns the source of a platform chart: the vendor's, unless the stack sets another version or place. */
export function platformChart(
  { chart, repository, version }: ChartReference,
  vendors: ChartSource,
): ChartSource {
  if (chart !== undefined) return { chart, repository, version };
  return {
    chart: vendors.chart,
    repository: repository ?? vendors.repository,
    version: version ?? vendors.version,
  };
}

/** Tells whether a chart is a folder or a packed chart in the project, not in a repository or a registry. */
export const isInProject = (chart: string): boolean =>
  !chart.startsWith('oci://') && (chart.includes('/') || chart.endsWith('.tgz'));
