import { getClientConfig } from '@pulumi/azure-native/authorization';
import { tryParseSubnetId } from '../../components/azure/resourceId';
import { InvalidConfigurationError } from '../invalidConfiguration';
import type { Configuration } from '../plan';
import type { Cloud } from '../../components/azure/clouds';
import { cloudOf } from '../../components/azure/clouds';
import { vaultPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { projectFiles, type ReadFile } from '../settings/projectFiles';
import { distinct } from '../settings/problem';
import type { ListInAzure } from './azureList';
import { listIn } from './azureList';
import { deletedVaultProblems } from './deletedVaults';
import { dependencyObjectProblems } from './dependencyObjects';
import { directoryProblems } from './directory';
import { existingProblems, overreachInExisting } from './existing';
import { groupProblems } from './groups';
import { hostedClusterProblems } from './hostedClusters';
import { inClusterProblems } from './inClusters';
import { inClustersAlreadyProblems } from './inClustersAlready';
import { newInteractiveSignInProblems } from './interactiveSignIns';
import { issuerProblems } from './issuers';
import { ManagedClusters } from './managedClusters';
import { movedProblems } from './moved';
import { movedClusterProblems } from './movedClusters';
import { movedGrantProblems } from './movedGrants';
import { movedHostedClusterProblems } from './movedHostedClusters';
import { movedServiceProblems } from './movedServices';
import { localTenant, placeholderProblems } from './placeholders';
import { podIdentityProblems } from './podIdentity';
import { roleProblems } from './roles';
import { isSame } from './same';
import { sharedIdentityProblems } from './sharedIdentities';
import { stoppedProblems } from './stopped';
import type { Subscriptions } from '../subscriptions';
import { trustProblems } from './trust';
import { unchangeableProblems } from './unchangeable';

/** Options of the preflight. */
export interface PreflightOptions {
  /** True if `aks-wi import` takes existing resources into the stack, so that their existence is not a problem. */
  readonly importing?: boolean;
  /**
   * Cloud to check against.
   * @default the public cloud
   */
  readonly cloud?: Cloud;
  /**
   * Lists resources.
   * @default a list through the resource manager
   */
  readonly list?: ListInAzure;
  /**
   * Reads files of the project.
   * @default files under the working directory
   */
  readonly readFile?: ReadFile;
}

/**
 * Reads everything that the configuration names as existing, before anything but providers is registered. It changes nothing.
 * @throws InvalidConfigurationError with everything that differs from the configuration
 */
export async function preflight(
  configuration: Configuration,
  subscriptions: Subscriptions,
  {
    importing = false,
    cloud = cloudOf('public'),
    list = listIn(cloud),
    readFile = projectFiles(process.cwd()),
  }: PreflightOptions = {},
): Promise<void> {
  const { environment, settings } = configuration;
  const clusters = new ManagedClusters(settings, subscriptions);
  const { subscriptionId } = settings.resourceGroup.existing ?? (await getClientConfig());
  const found = await Promise.all([
    existingProblems(configuration, subscriptions, clusters, cloud),
    overreachInExisting(configuration, subscriptions, list),
    stoppedProblems(configuration, clusters),
    unchangeableProblems(configuration, clusters),
    issuerProblems(configuration, clusters),
    inClusterProblems(configuration, clusters),
    podIdentityProblems(configuration, clusters),
    inClustersAlreadyProblems(configuration, clusters),
    dependencyObjectProblems(configuration, clusters),
    movedClusterProblems(configuration),
    movedGrantProblems(configuration),
    sharedIdentityProblems(configuration),
    movedServiceProblems(configuration, clusters),
    movedHostedClusterProblems(configuration, clusters),
    trustProblems(configuration, subscriptions, clusters, list, importing),
    movedProblems(configuration, subscriptionId, subscriptions, list),
    hostedClusterProblems(configuration, subscriptions, clusters),
    directoryProblems(configuration),
    groupProblems(configuration),
    roleProblems(configuration, list),
    deletedVaultProblems(configuration, subscriptionId, list),
  ]);
  // The tenant is read only if there are some.
  const inAzureOnly = [...placeholderProblems(settings, readFile), ...newInteractiveSignInProblems(settings)];
  const isLocal = inAzureOnly.length > 0 && (await getClientConfig()).tenantId === localTenant;
  const problems = distinct([
    ...(isLocal ? [] : inAzureOnly),
    ...found.flat(),
    ...endpointProblems(configuration, subscriptionId, cloud),
    ...servicesProblems(configuration, subscriptionId),
  ]);
  if (problems.length > 0) throw new InvalidConfigurationError(environment, problems);
}

/**
 * Yields problems of private endpoints. An endpoint is in the subscription of its network (azure-docs
 * articles/private-link/private-endpoint-overview), and only the DNS zone of its own cloud resolves a vault's name.
 */
function* endpointProblems(
  { settings, plan }: Configuration,
  subscriptionId: string,
  { name, vaultZone }: Cloud,
): Generator<Problem> {
  for (const { application, privateEndpoints = [] } of plan.vaults) {
    const owner = settings.applications.find(({ name }) => name === application);
    const isOwn = owner?.vault?.privateEndpoints !== undefined;
    const path = [...vaultPath(settings, isOwn ? application : undefined), 'privateEndpoints'];
    for (const [place, { subnet, privateDnsZone: zone }] of privateEndpoints.entries()) {
      if (!isSame(tryParseSubnetId(subnet)?.subscriptionId, subscriptionId))
        yield {
          path,
          value: JSON.stringify(subnet),
          what: `is a subnet in a different subscription from the resource group, which is in ${subscriptionId}`,
          allowed: 'subnets of the region and the subscription of the environment',
          hint: 'Name a subnet there, or use an existing resource group of the subscription of the subnet.',
        };
      if (vaultZone !== undefined && typeof zone === 'string' && !isSame(zone.split('/').at(-1), vaultZone))
        yield {
          path: [...path, place, 'privateDnsZone'],
          value: JSON.stringify(zone),
          what: `is not the private DNS zone of vaults in the cloud "${name}"`,
          allowed: `a zone ${vaultZone}`,
          hint: 'Name that one, or remove it.',
        };
    }
  }
}

/**
 * Returns a problem if the services are in another subscription: the operator has one subscription and creates nothing in a
 * resource group of another.
 */
function servicesProblems({ plan }: Configuration, subscriptionId: string): Problem[] {
  const { existing } = plan.servicesGroups.find((group) => group.existing !== undefined) ?? {};
  if (existing === undefined || isSame(existing.subscriptionId, subscriptionId)) return [];
  return [
    {
      path: ['services', 'resourceGroup', 'existing'],
      value: JSON.stringify(existing.id),
      what: `is not in the subscription of the deployment, ${subscriptionId}`,
      allowed: 'a group in the subscription of the environment',
      hint: 'Name another, or remove it to let the stack create one.',
    },
  ];
}
