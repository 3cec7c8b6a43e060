import { merged } from '../../components/resource/merged';
import type { ApplicationSettings, ClusterSettings } from '../settings/schema';

type ClusterSelection = NonNullable<ApplicationSettings['clusters']>;

/** Tells whether a selection by name or by labels includes the cluster. Without a selection, all clusters are included. */
export function selects(selection: ClusterSelection | undefined, cluster: ClusterSettings): boolean {
  if (selection === undefined) return true;
  if (Array.isArray(selection)) return selection.includes(cluster.name);
  return Object.entries(selection.labels).every(([key, value]) => cluster.labels?.[key] === value);
}

/** Returns the application with its overrides for the cluster applied in order; `env` and the chart's values are merged. */
export function onCluster(application: ApplicationSettings, cluster: ClusterSettings): ApplicationSettings {
  if ('deployedBy' in application) return application;
  const holds = ({ clusters }: { readonly clusters: ClusterSelection }) => selects(clusters, cluster);
  if ('chart' in application) {
    const { chart, overrides } = application;
    const values = overrides
      .filter(holds)
      .reduce((current, override) => merged(current, override.values ?? {}), chart.values ?? {});
    return { ...application, chart: { ...chart, values } };
  }
  return application.overrides.filter(holds).reduce(
    (current, { image, replicas, port, env }): typeof application => ({
      ...current,
      image: image ?? current.image,
      replicas: replicas ?? current.replicas,
      port: port ?? current.port,
      env: { ...current.env, ...env },
    }),
    application,
  );
}
