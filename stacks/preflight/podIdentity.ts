import type { V1DaemonSet } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import {
  nodeComponentContainer,
  nodeComponentLabel,
  podIdentityGroup,
} from '../../components/podIdentity/names';
import type { Cluster } from '../../components/waiting/cluster';
import { unfitForPodIdentity, unsupportedKubernetes } from '../checks/podIdentity';
import type { ClusterPlan, Configuration } from '../plan';
import type { Path, Problem } from '../settings/problem';
import type { ManagedClusters, ManagedClusterSettings } from './managedClusters';

/** Returns problems of aad-pod-identity on clusters: reasons why it does not work there, and what it lacks there. */
export async function podIdentityProblems(
  { plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.flatMap((cluster, index) => {
      const { settings } = cluster;
      const { podIdentity } = settings;
      if (podIdentity === undefined || settings.mode === 'external') return [];
      const path = ['clusters', index, 'podIdentity'];
      const expected = podIdentity.install ? [] : [cluster];
      return [
        unfit(settings, podIdentity, path, azure),
        azure.ask(settings, expected, (objects, clusterPlan) => missing(objects, clusterPlan, path)),
      ];
    }),
  );
  return found.flat();
}

/** Returns reasons why aad-pod-identity does not work on a cluster, also on one that the stack created without it. */
async function unfit(
  cluster: ManagedClusterSettings,
  podIdentity: NonNullable<ManagedClusterSettings['podIdentity']>,
  path: Path,
  azure: ManagedClusters,
): Promise<Problem[]> {
  // A cluster that cannot be read is reported elsewhere, or does not exist yet.
  const found = await azure.find(cluster);
  if (found === undefined) return [];
  const unsupported =
    cluster.mode === 'existing' && podIdentity.install && podIdentity.unsupportedKubernetes !== true
      ? unsupportedKubernetes(found.currentKubernetesVersion)
      : undefined;
  return [...(unsupported ? [unsupported] : []), ...unfitForPodIdentity(found, podIdentity)].map(
    (problem) => ({ path, ...problem }),
  );
}

/**
 * Returns problems of a cluster without the installation that `podIdentity: { install: false }` expects there. The update would
 * create everything and then wait for the reader of the node component's log.
 */
async function missing(
  objects: Cluster,
  { settings: { name }, tokenEvents }: ClusterPlan,
  path: Path,
): Promise<Problem[]> {
  const definition = await objects.get({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: `azureidentitybindings.${podIdentityGroup}`,
  });
  if (definition === undefined)
    return [
      {
        path: [...path, 'install'],
        value: 'false',
        what: `requires aad-pod-identity on the cluster ${name}, which does not have it: AzureIdentityBindings are not defined there`,
        hint: 'Remove `install: false` to let the stack install it.',
      },
    ];
  // Only the reader of token events depends on where the node component is.
  if (tokenEvents === undefined) return [];
  const { namespace } = tokenEvents;
  const sets = await objects.list<V1DaemonSet>({ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace });
  if (sets.some(isNodeComponent)) return [];
  return [
    {
      path: [...path, 'namespace'],
      value: JSON.stringify(namespace),
      what: `is a namespace of the cluster ${name} without the node component of aad-pod-identity, whose log records its tokens`,
      hint: 'Set `namespace` to its namespace (`kubectl get daemonset --all-namespaces`), or `tokenEvents: false`.',
    },
  ];
}

/** Tells whether its pods are those whose logs give the token events. */
function isNodeComponent({ spec }: V1DaemonSet): boolean {
  const { metadata, spec: pods } = spec?.template ?? {};
  return (
    metadata?.labels?.[nodeComponentLabel.key] === nodeComponentLabel.value &&
    pods?.containers.some((container) => container.name === nodeComponentContainer) === true
  );
}
