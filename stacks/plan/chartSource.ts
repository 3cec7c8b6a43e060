import type { ChartSource } from '../../components/platform/chart';

/** A chart as the configuration names it. */
export interface GivenChart {
  readonly chart?: string | undefined;
  readonly repository?: string | undefined;
  readonly version?: string | undefined;
}

/** The vendor's chart, in another version or from another place if the stack says so. */
export function platformChart(given: GivenChart, vendors: ChartSource): ChartSource {
  if (given.chart === undefined) return { ...vendors, ...chartSource({ ...given, chart: vendors.chart }) };
  return chartSource({ ...given, chart: given.chart });
}

/** The chart as a component takes it. */
export function chartSource({
  chart,
  repository,
  version,
}: GivenChart & { readonly chart: string }): ChartSource {
  return {
    chart,
    ...(repository !== undefined && { repository }),
    ...(version !== undefined && { version }),
  };
}
