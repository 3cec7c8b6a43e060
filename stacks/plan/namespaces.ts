import type { StackSettings, ClusterSettings, ApplicationSettings } from '../settings/schema';
import { accountOf, usesExistingNamespace } from './accounts';
import { kindsInChart } from './dependencies';
import type { ClusterPart, PartNamespace } from './parts';

/** Returns the namespaces of the applications and of the other parts of a cluster, each once, sorted by name. */
export function planNamespaces(
  settings: StackSettings,
  cluster: ClusterSettings,
  applications: readonly ApplicationSettings[],
  parts: readonly ClusterPart[],
) {
  const ofParts = parts.flatMap(({ namespaces }) => namespaces);
  const ofApplications = applications.map((application) => ({
    name: accountOf(application).namespace,
    existing: usesExistingNamespace(application),
    path: ['applications', settings.applications.indexOf(application), 'namespace'],
    provisions: kindsInChart(application).length > 0,
    retains: application.retainOnDelete ?? settings.retainOnDelete,
    hint: undefined,
  }));
  const all = new Map<string, PartNamespace>();
  for (const { name, existing, path, hint } of [...ofApplications, ...ofParts]) {
    const first = all.get(name) ?? { name, existing, path, hint };
    all.set(name, { ...first, existing: first.existing || existing });
  }
  const names = (list: readonly { readonly name: string }[]) => new Set(list.map(({ name }) => name));
  const kept = names(ofParts);
  const retained = names(ofApplications.filter(({ retains }) => retains));
  const provisioning = names(ofApplications.filter(({ provisions }) => provisions));
  return [...all.values()]
    .map((one) => ({
      ...one,
      /** Name in the stack. Neither part contains a slash, so `a` with `b-c` and `a-b` with `c` remain two resources. */
      key: `${cluster.name}/${one.name}`,
      /**
       * Whether it is never deleted, because parts of the cluster in it would be deleted too, also those that left the stack
       * before.
       */
      isKept: kept.has(one.name),
      /** Whether the Azure services of its custom resources stay when the namespace is deleted. */
      retainOnDelete: retained.has(one.name),
      /** Whether charts create custom resources in it, which only the operator can release. */
      provisions: provisioning.has(one.name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
