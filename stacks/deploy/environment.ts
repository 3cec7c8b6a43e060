import { getClientConfigOutput } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { Configuration, IdentityPlan } from '../plan';
import { everyIdentity, unkeptConnections } from '../plan';
import { environmentTags } from '../plan/tags';
import type { WideRole } from '../plan/roles';
import { wideRoles } from '../plan/roles';
import type { Subscriptions } from '../subscriptions';
import { formatPath } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import type { Cloud } from '../../components/azure/clouds';
import { cloudOf } from '../../components/azure/clouds';
import type { Central } from './central';
import { deployAccessWindows, warnOfUnattended } from './accessWindows';
import { DeployedCluster } from './cluster';
import { deployConnectionRole, deployConnectionWriter } from './connections';
import { deployEntraGroup } from './groups';
import { environmentLogs } from './logs';
import { environmentGroup, servicesGroups } from './resourceGroups';
import { deployRoleGrants } from './roleGrants';
import { deploySharedIdentities } from './sharedIdentities';
import { deployVault } from './vaults';

/** The deployed resources of an environment. */
export type DeployedEnvironment = ReturnType<typeof deployEnvironment>;

/**
 * Deploys one environment: a resource group, its vaults, and its clusters side by side. Identities are in the environment's
 * group, not in a cluster's, so that a cluster can be recreated without losing their grants.
 * @param central for a cell: the resources that the stack of its environment deployed
 */
export function deployEnvironment(
  { environment, settings, plan }: Configuration,
  subscriptions: Subscriptions,
  cloud: Cloud = cloudOf('public'),
  central?: Central,
) {
  warnOfUnnamed(plan.unnamedSecrets);
  for (const identity of plan.clusters.flatMap(everyIdentity)) warnOfPassword(identity);
  for (const role of wideRoles(settings)) warnOfWideRole(role);
  warnOfUnattended(environment, plan.clusters);
  warnOfUnkept(unkeptConnections(plan.clusters));
  warnOfClusterSecrets(settings);
  const tags = environmentTags(environment, settings);
  const group = environmentGroup(settings, subscriptions, tags, plan.retainResourceGroup, central);
  const { tenantId, subscriptionId } = getClientConfigOutput(group.opts);
  const logs = environmentLogs({ settings, group, subscriptions, tags, central });
  const context = {
    ...{ stack: environment, settings, cloud, subscriptions, tags, group, tenantId, subscriptionId, logs },
    central,
    servicesGroups: servicesGroups(settings, plan.servicesGroups, group, tags, central),
  };
  const clusters: DeployedCluster[] = [];
  for (const cluster of plan.clusters) clusters.push(new DeployedCluster(context, cluster, [...clusters]));
  const groups = plan.groups.map((group) =>
    deployEntraGroup(
      context,
      group,
      clusters.flatMap((cluster) => cluster.membersOf(group)),
    ),
  );
  const shared = deploySharedIdentities(context, plan.sharedIdentities);
  const principals = new Map([
    ...clusters.flatMap((cluster) => cluster.principals),
    ...shared.map(({ plan: { key }, principalId }) => [key, principalId] as const),
    ...groups.map(({ plan: { grantee }, group }) => [grantee, group.objectId] as const),
  ]);
  const vaults = plan.vaults.map((vault) => ({
    plan: vault,
    vault: deployVault(context, vault, clusters, principals),
  }));
  const byName = new Map(vaults.map(({ plan: { name }, vault }) => [name, vault]));
  const rolesOfGroups = new Map(
    groups.map(({ plan: { name, grantee: key, roles }, group: { objectId: principalId } }) => [
      name,
      central === undefined ? deployRoleGrants(context, { key, principalId, isGroup: true }, roles) : [],
    ]),
  );
  const connectionRole = deployConnectionRole(context, plan.clusters, byName);
  for (const cluster of clusters) {
    deployAccessWindows(cluster, clusters, byName);
    deployConnectionWriter(cluster, byName, connectionRole);
    cluster.deployWorkloads(byName, groups, rolesOfGroups, shared);
  }
  return {
    ...{
      tenantId,
      subscriptionId,
      resourceGroup: group.name,
      logs,
      vaults,
      groups,
      clusters,
      connectionRole,
    },
    /** By name. */
    resourceGroups: new Map([[settings.resourceGroup.name, group], ...context.servicesGroups]),
  };
}

/** Accepted in the stack file, so each update repeats the warning. */
function warnOfPassword({ azureName, applications, credential }: IdentityPlan): void {
  if (credential?.kind !== 'password') return;
  const who = applications[0] ?? 'The service operator';
  void pulumi.log.warn(
    `${who} signs in as ${azureName} with a stored password, which expires on ${credential.certificates.at(-1)?.expiresOn ?? ''}; an update from ${credential.renewAfter} on renews it. Anyone who reads it can sign in from anywhere. Federation needs no password.`,
  );
}

/** Accepted in the stack file, so each update repeats the warning. */
function warnOfWideRole({ holder, role, scope, kind }: WideRole): void {
  void pulumi.log.warn(
    `${holder} has the role ${role} on the ${kind} ${scope} and on every resource in it, including those that others add later.`,
  );
}

/** Not recommended, so each update repeats the warning. */
function warnOfClusterSecrets({ applications }: StackSettings): void {
  for (const [index, { name, dependencies }] of applications.entries())
    for (const [place, dependency] of dependencies.entries()) {
      if (dependency.connection !== 'secret') continue;
      const path = formatPath(['applications', index, 'dependencies', place, 'connection']);
      void pulumi.log.warn(
        `${name} connects to ${dependency.name} with a key in a Kubernetes secret, which every reader of secrets in its namespace can read. This is not recommended. Set ${path} to \`vault\`, or to \`identity\`, which needs no key.`,
      );
    }
}

/** The connection writer of a service runs only on the cluster that manages the service. */
function warnOfUnkept(connections: readonly { readonly application: string; readonly name: string }[]): void {
  if (connections.length === 0) return;
  const all = connections.map(({ application, name }) => `${application}/${name}`).join(', ');
  void pulumi.log.warn(
    `The cluster that writes the connection strings of ${all} is revoked, but the applications run on other clusters. Run an update when a key changes: nothing else writes it to the vault.`,
  );
}

/** The value may belong to an application that was removed. */
function warnOfUnnamed(secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  void pulumi.log.warn(
    `No application names ${secrets.join(', ')}: their values in secretValues are not used.`,
  );
}
