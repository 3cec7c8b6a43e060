import { connectionWriterAccount } from '../../components/identity/subjects';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { ConnectionPlan } from './connections';
import { programIdentity, type IdentityPlan } from './identities';
import { connectionWriterKey } from './identityKeys';
import { isRevoked } from './revoked';

/** The identity of the connection writer. */
export interface ConnectionWriterPlan extends IdentityPlan {
  /** The connection strings that it writes. */
  readonly connections: readonly ConnectionPlan[];
}

/** Returns the identity of the cluster's connection writer; undefined if there are no connection strings to keep current. */
export function planConnectionWriter(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  connections: readonly ConnectionPlan[],
): ConnectionWriterPlan | undefined {
  if (connections.length === 0 || isRevoked(settings, 'clusters', cluster.name)) return undefined;
  return {
    ...programIdentity(environment, settings, cluster, connectionWriterAccount, {
      key: connectionWriterKey(cluster),
    }),
    connections,
  };
}
