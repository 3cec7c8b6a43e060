import type { StackSettings, ClusterSettings, ApplicationSettings } from '../settings/schema';
import { accountOf, usesExistingNamespace } from './accounts';
import { kindsInChart } from './dependencies';
import type { HostedClusterPlan } from './hostedClusters';

/** The namespaces of the applications and of the hosted clusters, each once, in the order of their names. */
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
      /** Name in the stack. A slash, which neither part has: `a`+`b-c` and `a-b`+`c` must not be one resource. */
      key: `${cluster.name}/${name}`,
      /** It exists, and is only used. */
      existing: exists,
      /** It is never deleted: hosted clusters would go with it, also those that left the stack before. */
      holdsHostedCluster: hosting.has(name),
      /** What the operator made in Azure from its custom resources stays there when the namespace is deleted. */
      retainOnDelete: retained.has(name),
      /** Charts make custom resources in it, which only the operator can let go of. */
      provisions: provisioning.has(name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
