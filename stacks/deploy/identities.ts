import * as pulumi from '@pulumi/pulumi';
import { ServicePrincipalIdentity } from '../../components/entra/servicePrincipalIdentity';
import { FederatedCredentials } from '../../components/identity/federatedCredentials';
import { IdentityBinding } from '../../components/identity/identityBinding';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StoredCredential } from '../../components/identity/storedCredential';
import type { IdentityPlan } from '../plan';
import { stackTagValue } from '../plan/tags';
import { certificateProvider } from './certificateProvider';
import type { ClusterContext } from './context';
import { inClusterAndAzure, providerOf } from './context';

/** An identity in Azure or Entra. */
export type DeployedIdentity = ManagedIdentity | ServicePrincipalIdentity;

/** An identity, and the resources that must exist before anything can sign in as it. */
export interface ReadyIdentity {
  readonly identity: DeployedIdentity;
  readonly before: readonly pulumi.Resource[];
  /** Its identity binding on the cluster, if it has one. */
  readonly binding?: IdentityBinding;
}

/** The identities of a cluster, by key. */
export type ReadyIdentities = ReadonlyMap<string, ReadyIdentity>;

/**
 * Deploys the identity and its trust in service accounts of the cluster.
 * @param bound the first identity binding of the same identity, on an earlier cluster
 */
export function trustedIdentity(
  context: ClusterContext,
  plan: IdentityPlan,
  bound: readonly pulumi.Resource[] = [],
): ReadyIdentity {
  const { stack, settings, group, tags, parent, cluster } = context;
  const { key, azureName, kind, existing, retainOnDelete, subjects, credential } = plan;
  if (kind === 'servicePrincipal') {
    const identity = new ServicePrincipalIdentity(
      key,
      {
        displayName: azureName,
        issuer: cluster.issuerUrl,
        subjects: [...subjects],
        ...(credential && { [`${credential.kind}s`]: [...credential.certificates] }),
        tags: [stackTagValue(stack)],
        retainOnDelete,
      },
      {
        parent,
        ...(credential?.kind === 'certificate' && {
          providers: [certificateProvider(`${key}/certificates`, parent)],
        }),
      },
    );
    return { identity, before: [identity] };
  }
  const create = {
    resourceGroupName: group.name,
    identityName: azureName,
    location: settings.location,
    tags,
    retainOnDelete,
  };
  // An identity and its credentials are in their own subscription.
  const opts = { parent, ...providerOf(context, existing) };
  const identity = new ManagedIdentity(
    key,
    existing === undefined ? { create } : { existing: existing.id },
    opts,
  );
  const trust =
    subjects.length === 0
      ? []
      : [
          new FederatedCredentials(
            key,
            {
              identity,
              issuer: cluster.issuerUrl,
              subjects: [...subjects],
              importedNames: settings.imported?.federatedCredentials,
            },
            opts,
          ),
        ];
  const binding = boundIdentity(context, plan, identity, [...trust, ...bound]);
  return {
    identity,
    ...(binding && { binding }),
    before: [...trust, binding].filter((resource) => resource !== undefined),
  };
}

/**
 * Deploys the identity binding of an identity, if it has one. AKS writes a federated credential of the identity with its first
 * binding, and Azure refuses concurrent writes to one identity.
 * @param writers what else writes federated credentials of the identity
 */
function boundIdentity(
  context: ClusterContext,
  { key, binding }: IdentityPlan,
  identity: ManagedIdentity,
  writers: pulumi.Resource[],
): IdentityBinding | undefined {
  const { cluster } = context;
  if (binding === undefined || cluster.id === undefined) return undefined;
  return new IdentityBinding(
    key,
    {
      clusterId: cluster.id,
      bindingName: binding.name,
      roleName: binding.role,
      identity,
      serviceAccounts: [...binding.accounts],
    },
    pulumi.mergeOptions(inClusterAndAzure(context), { dependsOn: writers }),
  );
}

/** Returns the stored credential of the identity; undefined if it signs in with federation. */
export function storedCredential(
  { cloud }: Pick<ClusterContext, 'cloud'>,
  { credential: plan }: IdentityPlan,
  { identity }: ReadyIdentity,
): StoredCredential | undefined {
  if (plan === undefined || !('credential' in identity) || identity.credential === undefined)
    return undefined;
  return {
    [plan.kind]: identity.credential,
    name: plan.certificates.at(-1)?.name ?? '',
    keyId: identity.keyIds.apply((all) => all.at(-1) ?? ''),
    authority: cloud.operator?.authorityHost,
  };
}
