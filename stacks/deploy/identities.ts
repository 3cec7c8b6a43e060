import type * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../components/identity/federatedCredentials';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { IdentityPlan } from '../plan';
import type { ClusterContext } from './context';
import { providerOf } from './context';

/** An identity, and what must exist before anything can act as it. */
export interface ReadyIdentity {
  readonly identity: ManagedIdentity;
  readonly before: readonly pulumi.Resource[];
}

/** The identities of a cluster, by key. */
export type ReadyIdentities = ReadonlyMap<string, ReadyIdentity>;

/** The identity, and its trust in service accounts of the cluster. */
export function trustedIdentity(context: ClusterContext, plan: IdentityPlan): ReadyIdentity {
  const { settings, group, tags, parent, cluster } = context;
  const { key, azureName, existing, retainOnDelete, subjects } = plan;
  const create = {
    resourceGroupName: group.name,
    identityName: azureName,
    location: settings.location,
    tags,
    retainOnDelete,
  };
  // An identity, and its credentials, are in its own subscription.
  const opts = { parent, ...providerOf(context, existing) };
  const identity = new ManagedIdentity(
    key,
    existing === undefined ? { create } : { existing: existing.id },
    opts,
  );
  if (subjects.length === 0) return { identity, before: [] };
  const trust = new FederatedCredentials(
    key,
    {
      identity,
      issuer: cluster.issuerUrl,
      subjects: [...subjects],
      importedNames: settings.imported?.federatedCredentials,
    },
    opts,
  );
  return { identity, before: [trust] };
}
