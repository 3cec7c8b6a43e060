import type { StackSettings, ClusterSettings, ApplicationSettings } from '../settings/schema';
import { accountOf, usesExistingNamespace } from './accounts';
import { kindsInChart } from './dependencies';
import type { ClusterPart, PartNamespace } from './parts';

/** A namespace, with the path of the first setting that names it. */
export interface NamespacePlan extends PartNamespace {
  /** Name in the stack. Neither part contains a slash, so `a` with `b-c` and `a-b` with `c` remain two resources. */
  readonly key: string;
  /** True if it already exists and the stack only uses it. */
  existing: boolean;
  /** True if it is never deleted, because parts of the cluster would be deleted too, also those that left the stack before. */
  isKept: boolean;
  /** True if the Azure services of its custom resources stay when the namespace is deleted. */
  retainOnDelete: boolean;
  /** True if charts create custom resources in it, which only the operator can release. */
  provisions: boolean;
}

const flags = ['existing', 'isKept', 'retainOnDelete', 'provisions'] as const;

/** Returns the namespaces of the applications and of the other parts of a cluster, each once, sorted by name. */
export function planNamespaces(
  settings: StackSettings,
  cluster: ClusterSettings,
  applications: readonly ApplicationSettings[],
  parts: readonly ClusterPart[],
): NamespacePlan[] {
  const uses = [
    ...applications.map((application) => ({
      name: accountOf(application).namespace,
      path: ['applications', settings.applications.indexOf(application), 'namespace'],
      existing: usesExistingNamespace(application),
      isKept: false,
      retainOnDelete: application.retainOnDelete ?? settings.retainOnDelete,
      provisions: kindsInChart(application).length > 0,
    })),
    ...parts
      .flatMap(({ namespaces }) => namespaces)
      .map((namespace) => ({ ...namespace, isKept: true, retainOnDelete: false, provisions: false })),
  ];
  const all = new Map<string, NamespacePlan>();
  for (const use of uses) {
    const plan = all.get(use.name) ?? { ...use, key: `${cluster.name}/${use.name}` };
    for (const flag of flags) plan[flag] ||= use[flag];
    all.set(use.name, plan);
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
