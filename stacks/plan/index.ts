import type { HyperShiftManifests } from '../settings/hyperShiftManifests';
import type { Versions } from '../settings/releases/apply';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import {
  customResourcesFor,
  hasOwnProvisioner,
  planProvisioning,
  planServicesGroups,
  provisionerRoles,
  sharedServicesGroup,
} from './dependencies';
import { planReconciler } from './accessWindows';
import { everyIdentity } from './clusterIdentities';
import { planConnections } from './connections';
import { planConnectionWriter } from './connectionWriter';
import { planIdentities } from './identities';
import { planGroups } from './groups';
import { planHostedClusters } from './hostedClusters';
import { operatorKey } from './identityKeys';
import { planNamespaces } from './namespaces';
import { planTokenEvents } from './podIdentity';
import { planOperators } from './provisioners';
import { isRevoked } from './revoked';
import { selects } from './selection';
import { planSharedIdentities } from './sharedIdentities';
import type { ClusterPlan, EnvironmentPlan } from './types';
import { planVaults, unnamedSecrets } from './vaults';
import { planWorkload } from './workloads';

export type * from './types';
export { grantedAtTimes, type WindowPlan } from './accessWindows';
export {
  accountOf,
  audienceOf,
  serviceAccountNames,
  usesExistingNamespace,
  usesExistingServiceAccount,
} from './accounts';
export { planCells, settingsOfCell } from './cells';
export { rolesByGroup, secretsAlwaysReadBy, secretsByGroup } from './byGroup';
export { everyIdentity, existingIdentities } from './clusterIdentities';
export { unkeptConnections } from './connections';
export { nodeComponentNamespace, planTokenEvents, usesPodIdentity } from './podIdentity';
export type { DependencyPlan, ProvisioningPlan, ServicesGroupPlan } from './dependencies';
export type { HostedCertificatesPlan, HostedClusterPlan } from './hostedClusters';
export { componentsOff, hostedComponents } from './hostedClusters';
export { customResourcesFor, hasOwnProvisioner, kindsInChart, servicesGroupOf } from './dependencies';
export type { Granted, GrantedRole } from './granted';
export { grantedKey, grantedName, isRole, roleOf, secretsIn } from './granted';
export type { GroupPlan } from './groups';
export type { IdentityPlan } from './identities';
export { createdIdentities } from './createdIdentities';
export { isBound } from './identityBinding';
export { generationSuffix, operatorKey } from './identityKeys';
export { planRoles } from './roles';
export { secretsElsewhere } from './secrets';
export { needsSecretsStore } from './secretsStore';
export { selects } from './selection';
export { namedService, serviceKey } from './services';
export { shards } from './shards';
export type { SharedIdentityPlan } from './sharedIdentities';
export { isServicePrincipal, storedCredentialOf, type IdentitySettings } from './storedCredentials';
export { hasOwnVault, vaultOf } from './placement';
export { isOfEnvironment, type VaultPlan } from './vaults';
export { namedBy, type WorkloadPlan } from './workloads';

/**
 * Returns the plan of the environment (the stack) with this name.
 * @param versions versions of the entries with releases
 * @param now determines which certificates and passwords exist
 * @param manifests HyperShift's manifests by cluster
 */
export function planEnvironment(
  environment: string,
  settings: StackSettings,
  versions: Versions = new Map(),
  now = new Date(),
  manifests: HyperShiftManifests = new Map(),
): EnvironmentPlan {
  const clusters = settings.clusters.map((cluster) => {
    const installed = manifests.get(cluster.name);
    return {
      ...planCluster(environment, settings, cluster, versions, now),
      ...(installed && { hyperShift: installed.objects }),
    };
  });
  const parts = clusters.flatMap((cluster) => cluster.parts);
  const groups = planGroups(environment, settings, clusters);
  const sharedIdentities = planSharedIdentities(settings, clusters);
  const vaults = planVaults(settings, clusters, groups, sharedIdentities);
  const identities = clusters.flatMap(everyIdentity).filter(({ kind }) => kind === 'managedIdentity');
  const inGroup = [...vaults, ...clusters, ...identities, ...parts];
  return {
    retainResourceGroup: settings.retainOnDelete || inGroup.some((resource) => resource.retainOnDelete),
    vaults,
    unnamedSecrets: unnamedSecrets(settings),
    groups,
    sharedIdentities,
    servicesGroups: planServicesGroups(settings),
    clusters,
  };
}

function planCluster(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  versions: Versions,
  now: Date,
): ClusterPlan {
  const here = settings.applications.filter(({ clusters }) => selects(clusters, cluster));
  const identities = planIdentities(environment, settings, cluster, here, now);
  const revoked = new Set(identities.flatMap((identity) => identity.revoked ?? []));
  const workloads = here.map((application) => {
    const { name } = application;
    const version = versions.get(`applications/${name}`);
    return planWorkload(settings, cluster, application, version, revoked.has(name));
  });
  const shared = workloads
    .filter(
      ({ application }) => !hasOwnProvisioner(application) && !isRevoked(settings, 'clusters', cluster.name),
    )
    .flatMap(({ application }) => provisionerRoles(application));
  const { name } = cluster;
  const operator = operatorKey(cluster);
  const reconciler = planReconciler(environment, settings, cluster);
  const connections = planConnections(workloads);
  const connectionWriter = planConnectionWriter(environment, settings, cluster, connections);
  const tokenEvents = planTokenEvents(cluster);
  const hostedClusters = planHostedClusters(environment, settings, cluster, versions, now);
  return {
    settings: cluster,
    keys: {
      webhook: `${name}-workload-identity-webhook`,
      certManager: `${name}-cert-manager`,
      serviceOperator: `${name}-service-operator`,
      selfReader: `${operator}/itself`,
      podIdentity: `${name}-pod-identity`,
      hyperShift: `${name}-hypershift`,
    },
    retainOnDelete: cluster.retainOnDelete ?? settings.retainOnDelete,
    enable: cluster.mode === 'existing' && (cluster.enable ?? settings.enableWorkloadIdentity),
    identities,
    ...planOperators(environment, settings, cluster, here, now),
    ...(reconciler && { reconciler }),
    ...(connectionWriter && { connectionWriter }),
    ...(tokenEvents && { tokenEvents }),
    namespaces: planNamespaces(settings, cluster, here, hostedClusters),
    workloads,
    hostedClusters,
    parts: hostedClusters,
    ...(shared.length > 0 && {
      provisioning: planProvisioning(operator, sharedServicesGroup(settings).name, shared),
    }),
    crdPatterns: [...new Set(here.flatMap(customResourcesFor))].sort(),
  };
}
