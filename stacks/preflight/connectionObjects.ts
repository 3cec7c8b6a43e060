import { connectionWriterAccount } from '../../components/identity/subjects';
import type { ClusterPlan } from '../plan';
import { dependencyPath } from '../settings/places';
import type { StackSettings } from '../settings/schema';
import type { CreatedObject } from './createdObject';

/** Returns the namespace of the connection writer, if it runs on the cluster. */
export function writerNamespace(settings: StackSettings, { connectionWriter }: ClusterPlan): CreatedObject[] {
  const [first] = connectionWriter?.connections ?? [];
  if (first === undefined) return [];
  return [
    {
      reference: { apiVersion: 'v1', kind: 'Namespace', name: connectionWriterAccount.namespace },
      path: [...dependencyPath(settings, first.application, first.dependency), 'connection'],
      hint: 'Set `connection: identity`: only one stack on a cluster can use `connection: vault`.',
    },
  ];
}
