import * as pulumi from '@pulumi/pulumi';
import { KeyVault } from '../../components/vault/keyVault';
import { isOfEnvironment, type VaultPlan } from '../plan';
import { secretTags } from '../plan/tags';
import type { StackSettings } from '../settings/schema';
import type { DeployedCluster } from './cluster';
import type { EnvironmentContext } from './context';
import { providerOf } from './context';
import { known } from './known';

/**
 * Deploys a vault of the environment, created or existing, with its secrets and all grants on it.
 * @param principals object ids by the names of their grants
 */
export function deployVault(
  context: EnvironmentContext,
  plan: VaultPlan,
  clusters: readonly DeployedCluster[],
  principals: ReadonlyMap<string, pulumi.Output<string>>,
): KeyVault {
  const { settings, group, tenantId, logs, tags, central } = context;
  const { name, access, existing, lock, privateEndpoints } = plan;
  const { publicAccess, softDeleteRetentionInDays, purgeProtection } = settings.vault;
  const create = {
    resourceGroupName: group.name,
    vaultName: name,
    tenantId,
    location: settings.location,
    publicAccess,
    softDeleteRetentionInDays,
    purgeProtection,
    firewall: plan.firewall,
    privateEndpoints: privateEndpoints && [...privateEndpoints],
    logs,
    tags: { ...tags, ...plan.tags },
    protect: settings.protect && plan.application === undefined,
    retainOnDelete: plan.retainOnDelete,
  };
  const id = existing?.id ?? central?.vaults.get(name);
  const args = {
    ...(id === undefined ? { create } : { existing: id }),
    access,
    // The clusters' secrets come last, so that no other secret waits for them.
    secrets: {
      ...givenSecrets(settings, plan),
      ...Object.fromEntries(clusters.flatMap((cluster) => cluster.secretsFor(plan))),
    },
    keptSecrets: Object.fromEntries(clusters.flatMap((cluster) => cluster.connectionsFor(plan))),
    grants: plan.grants
      .filter((grant) => central === undefined || !isOfEnvironment(grant))
      .map(({ grantee, isGroup, secrets, byCondition }) => ({
        ...{ grantee, isGroup, secrets: [...secrets], byCondition },
        principalId: known(principals, grantee),
      })),
    lock: central === undefined && lock,
    secretTags: secretTags(tags),
    importedAssignments: settings.imported?.roleAssignments,
  };
  return new KeyVault(name, args, providerOf(context, existing));
}

/** Returns the secrets with a value. A secret without one is in the vault already: it is granted, but not written. */
function givenSecrets(
  { secretValues }: StackSettings,
  { secrets }: VaultPlan,
): Record<string, pulumi.Output<string>> {
  return Object.fromEntries(
    secrets.flatMap((secret) => {
      const value = Object.hasOwn(secretValues, secret) ? secretValues[secret] : undefined;
      return value === undefined ? [] : [[secret, pulumi.secret(value)]];
    }),
  );
}
