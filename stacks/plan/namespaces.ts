import type { StackSettings, ClusterSettings, ApplicationSettings } from '../settings/schema';
import { accountOf, usesExistingNamespace } from './accounts';
import { kindsInChart } from './dependencies';
import type { HostedClusterPlan } from './hostedClusters';

/** Returns the namespaces of the applications and of the hosted clusters, each once, sorted by name. */
export function planNamespaces(
  settings: StackSettings,
  cluster: ClusterSettings,
  applications: readonly ApplicationSettings[],
  hostedClusters: readonly HostedClusterPlan[],
) {
  const existing = new Map<string, boolean>();
  const retained = new Set<string>();
  const provisioning = new Set<string>();
  for (const application of applications) {
    const { namespace } = accountOf(application);
    if (kindsInChart(application).length > 0) provisioning.add(namespace);
    existing.set(namespace, (existing.get(namespace) ?? false) || usesExistingNamespace(application));
    if (application.retainOnDelete ?? settings.retainOnDelete) retained.add(namespace);
  }
  const hosted = hostedClusters.flatMap(({ namespaces }) => namespaces);
  for (const one of hosted) existing.set(one.name, (existing.get(one.name) ?? false) || one.existing);
  const hosting = new Set(hosted.map((one) => one.name));
  return [...existing]
    .map(([name, exists]) => ({
      name,
      /** Name in the stack. Neither part contains a slash, so `a` with `b-c` and `a-b` with `c` remain two resources. */
      key: `${cluster.name}/${name}`,
      /** Whether it already exists and the stack only uses it. */
      existing: exists,
      /**
       * Whether it is never deleted, because hosted clusters in it would be deleted too, also those that left the stack before.
       */
      holdsHostedCluster: hosting.has(name),
      /** Whether the Azure services of its custom resources stay when the namespace is deleted. */
      retainOnDelete: retained.has(name),
      /** Whether charts create custom resources in it, which only the operator can release. */
      provisions: provisioning.has(name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
