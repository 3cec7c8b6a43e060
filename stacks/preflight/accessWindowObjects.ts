import { accessWindowsAccount } from '../../components/identity/subjects';
import type { ClusterPlan } from '../plan';
import type { CreatedObject } from './createdObject';

/** Returns the namespace of the reconciler of access windows, if it runs on the cluster. */
export function reconcilerNamespace({ reconciler }: ClusterPlan): CreatedObject[] {
  if (reconciler === undefined) return [];
  return [
    {
      reference: { apiVersion: 'v1', kind: 'Namespace', name: accessWindowsAccount.namespace },
      path: ['accessWindows', 'clusters'],
      hint: 'Name another cluster in `accessWindows.clusters`: a cluster can have the reconciler of only one stack.',
    },
  ];
}
