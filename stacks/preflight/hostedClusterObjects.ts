import { hostedClusterKind } from '../../components/hypershift/components';
import type { ClusterPlan, HostedClusterPlan } from '../plan';
import type { CreatedObject } from './createdObject';

/** Returns the objects of hosted clusters and of HyperShift that only one owner on a management cluster can have. */
export function hostedClusterObjects(
  { hostedClusters, hyperShift = [] }: ClusterPlan,
  index: number,
): CreatedObject[] {
  const ofInstallation = hyperShift
    .filter(({ kind }) => kind === 'Namespace' || kind === 'CustomResourceDefinition')
    .map(({ apiVersion, kind, metadata }) => ({
      reference: { apiVersion, kind, name: metadata.name },
      path: ['clusters', index, 'hyperShift', 'install', 'manifests'],
      hint: 'Remove it from the manifests to leave it as it is, or remove `hyperShift` if somebody else installs HyperShift there.',
    }));
  return [...hostedClusters.flatMap(inExistingNamespace), ...ofInstallation];
}

/** Returns the HostedCluster that the stack creates in an existing namespace. */
function inExistingNamespace({
  path,
  settings: { name, namespace, spec },
}: HostedClusterPlan): CreatedObject[] {
  if (spec === undefined || !namespace.existing) return [];
  return [
    {
      reference: { ...hostedClusterKind, namespace: namespace.name, name },
      path: [...path, 'spec'],
      hint: 'Remove `spec`: the stack then does not own the HostedCluster, and the output `hostedClusters` has a patch for it.',
    },
  ];
}
