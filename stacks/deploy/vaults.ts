import * as pulumi from '@pulumi/pulumi';
import { KeyVault } from '../../components/vault/keyVault';
import type { StackSettings } from '../settings/schema';
import type { VaultPlan } from '../plan';
import type { DeployedCluster } from './cluster';
import type { EnvironmentLogs } from './logs';
import type { EnvironmentGroup } from './resourceGroup';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';
import { stackTag } from '../plan/tags';

/** What the vaults of an environment are made with. */
export interface VaultContext {
  readonly settings: StackSettings;
  readonly group: EnvironmentGroup;
  readonly tenantId: pulumi.Output<string>;
  readonly logs: EnvironmentLogs;
  readonly subscriptions: Subscriptions;
  readonly tags: Tags;
}

/** A vault of the environment, made or existing, with its secrets and all grants on it. */
export function deployVault(
  context: VaultContext,
  plan: VaultPlan,
  clusters: readonly DeployedCluster[],
): KeyVault {
  const { settings, group } = context;
  const { name, access, existing, lock = false } = plan;
  const common = {
    access,
    // Those that dependencies bring come last: no other waits for them.
    secrets: Object.assign(
      {},
      secretsOf(settings, plan),
      ...clusters.map((one) => one.secretsFor(name)),
    ) as Record<string, pulumi.Output<string>>,
    grants: clusters.flatMap((one) => one.grantsOn(name)),
    lock,
    // Only what says whose they are: other tags would mean a new version of each.
    secretTags: { [stackTag]: context.tags[stackTag] ?? '' },
    ...(settings.imported !== undefined && { importedAssignments: settings.imported.roleAssignments }),
  };
  if (existing !== undefined) {
    return new KeyVault(
      name,
      { ...common, existing: existing.id },
      { providers: [context.subscriptions.provider(existing.subscriptionId)] },
    );
  }
  const { vault, location } = settings;
  const { firewall, privateEndpoints, retainOnDelete, application } = plan;
  return new KeyVault(
    name,
    {
      ...common,
      create: {
        resourceGroupName: group.name,
        vaultName: name,
        tenantId: context.tenantId,
        location,
        publicAccess: vault.publicAccess,
        softDeleteRetentionInDays: vault.softDeleteRetentionInDays,
        purgeProtection: vault.purgeProtection,
        ...(firewall !== undefined && { firewall }),
        ...(privateEndpoints !== undefined && { privateEndpoints: [...privateEndpoints] }),
        ...context.logs,
        tags: { ...context.tags, ...plan.tags },
        protect: settings.protect && application === undefined,
        retainOnDelete,
      },
    },
    group.opts,
  );
}

/** A secret without a value is in the vault already: it is granted, and not written. */
function secretsOf(
  { secretValues }: StackSettings,
  { secrets }: VaultPlan,
): Record<string, pulumi.Output<string>> {
  return Object.fromEntries(
    secrets.flatMap((secret) => {
      const value = secretValues[secret];
      return value === undefined ? [] : [[secret, pulumi.secret(value)]];
    }),
  );
}
