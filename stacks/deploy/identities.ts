import type * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../components/identity/federatedCredentials';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup } from './resourceGroup';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import type { IdentityPlan, NamedIdentityPlan } from '../plan';

/** Where the identities of a cluster are made. */
export interface IdentityContext {
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
export function managedIdentity(context: IdentityContext, plan: NamedIdentityPlan): ManagedIdentity {
  const { settings, group } = context;
  const { key, azureName, existing, retainOnDelete } = plan;
  if (existing !== undefined)
    return new ManagedIdentity(key, { existing: existing.id }, identityOptions(context, plan));
  return new ManagedIdentity(
    key,
    {
      create: {
        resourceGroupName: group.name,
        identityName: azureName,
        location: settings.location,
        tags: context.tags,
        retainOnDelete,
      },
    },
    identityOptions(context, plan),
  );
}

/** An identity, and its credentials, are in its own subscription. */
function identityOptions(
  { group, subscriptions, parent }: IdentityContext,
  { existing }: NamedIdentityPlan,
): pulumi.ComponentResourceOptions {
  if (existing === undefined) return { parent, ...group.opts };
  return { parent, providers: [subscriptions.provider(existing.subscriptionId)] };
}

/** The trust of an identity in service accounts of the cluster. */
export function trust(
  context: IdentityContext,
  plan: NamedIdentityPlan,
  identity: ManagedIdentity,
  subjects: IdentityPlan['subjects'],
): FederatedCredentials {
  const { imported } = context.settings;
  return new FederatedCredentials(
    plan.key,
    {
      identity,
      issuer: context.issuer,
      subjects: [...subjects],
      ...(imported !== undefined && { importedNames: imported.federatedCredentials }),
    },
    identityOptions(context, plan),
  );
}

/** The identity with its trust. */
export function trustedIdentity(context: IdentityContext, plan: IdentityPlan): ReadyIdentity {
  const identity = managedIdentity(context, plan);
  return {
    identity,
    before: plan.subjects.length > 0 ? [trust(context, plan, identity, plan.subjects)] : [],
  };
}
