import type * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../components/identity/federatedCredentials';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup } from './resourceGroup';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import type { IdentityPlan } from '../plan';

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

/** The identity with its trust. */
export function trustedIdentity(context: IdentityContext, plan: IdentityPlan): ReadyIdentity {
  const { settings, group, subscriptions, tags, parent } = context;
  const { key, azureName, existing, retainOnDelete, subjects } = plan;
  // An identity, and its credentials, are in its own subscription.
  const opts =
    existing === undefined
      ? { parent, ...group.opts }
      : { parent, providers: [subscriptions.provider(existing.subscriptionId)] };
  const identity = new ManagedIdentity(
    key,
    existing === undefined
      ? {
          create: {
            resourceGroupName: group.name,
            identityName: azureName,
            location: settings.location,
            tags,
            retainOnDelete,
          },
        }
      : { existing: existing.id },
    opts,
  );
  if (subjects.length === 0) return { identity, before: [] };
  const trust = new FederatedCredentials(
    key,
    {
      identity,
      issuer: context.issuer,
      subjects: [...subjects],
      importedNames: settings.imported?.federatedCredentials,
    },
    opts,
  );
  return { identity, before: [trust] };
}
