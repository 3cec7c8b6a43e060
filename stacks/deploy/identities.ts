import type * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../components/identity/federatedCredentials';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup } from './resourceGroup';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import type { IdentityPlan, NamedIdentityPlan } from '../plan';

/** Where the identities of a cluster are made. */
export interface IdentityPlace {
  readonly settings: StackSettings;
  readonly group: EnvironmentGroup;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
  /** Issuer of the cluster. */
  readonly issuer: pulumi.Output<string>;
  readonly parent: pulumi.Resource;
}

/** An identity, and what must exist before anything can act as it. */
export interface ReadyIdentity {
  readonly identity: ManagedIdentity;
  readonly before: readonly pulumi.Resource[];
}

/** The identity alone: nothing can act as it yet. */
export function managedIdentity(place: IdentityPlace, plan: NamedIdentityPlan): ManagedIdentity {
  const { settings, group } = place;
  const { key, azureName, existing, retainOnDelete } = plan;
  if (existing !== undefined)
    return new ManagedIdentity(key, { existing: existing.id }, identityOptions(place, plan));
  return new ManagedIdentity(
    key,
    {
      create: {
        resourceGroupName: group.name,
        identityName: azureName,
        location: settings.location,
        tags: place.tags,
        retainOnDelete,
      },
    },
    identityOptions(place, plan),
  );
}

/** An identity, and its credentials, are in its own subscription. */
function identityOptions(
  { group, subscriptions, parent }: IdentityPlace,
  { existing }: NamedIdentityPlan,
): pulumi.ComponentResourceOptions {
  if (existing === undefined) return { parent, ...group.opts };
  return { parent, providers: [subscriptions.provider(existing.subscriptionId)] };
}

/** The trust of an identity in service accounts of the cluster. */
export function trust(
  place: IdentityPlace,
  plan: NamedIdentityPlan,
  identity: ManagedIdentity,
  subjects: IdentityPlan['subjects'],
): FederatedCredentials {
  const { imported } = place.settings;
  return new FederatedCredentials(
    plan.key,
    {
      identity,
      issuer: place.issuer,
      subjects: [...subjects],
      ...(imported !== undefined && { importedNames: imported.federatedCredentials }),
    },
    identityOptions(place, plan),
  );
}

/** The identity with its trust. */
export function trustedIdentity(place: IdentityPlace, plan: IdentityPlan): ReadyIdentity {
  const identity = managedIdentity(place, plan);
  return {
    identity,
    before: plan.subjects.length > 0 ? [trust(place, plan, identity, plan.subjects)] : [],
  };
}
