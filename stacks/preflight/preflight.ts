import { getClientConfig } from '@pulumi/azure-native/authorization';
import { getVault } from '@pulumi/azure-native/keyvault';
import { getUserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import { getWorkspace } from '@pulumi/azure-native/operationalinsights';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import { tryParseSubnetId } from '../../components/azure/resourceId';
import {
  enableCommand,
  hasSecretsStore,
  secretsStoreCommand,
  whatIsOff,
} from '../../components/cluster/existingCluster';
import { actualAccess } from '../../components/vault/access';
import { messageOf } from '../../components/resource/errors';
import type { Configuration } from '../plan';
import { InvalidConfigurationError } from '../checks/configuration';
import { vaultFieldPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Subscriptions } from './subscriptions';
import type { ListInAzure } from './azureList';
import { listIn } from './azureList';
import type { Cloud } from '../settings/clouds';
import { cloudNames, cloudOf } from '../settings/clouds';
import { ManagedClusters } from './managedClusters';
import { isNotFound } from './notFound';
import { missingSecrets } from './missingSecrets';
import type { ExistingResource } from '../plan/existingResources';
import { existingThings } from '../plan/existingResources';
import { dependencyObjectProblems } from './dependencyObjects';
import { inClusterProblems } from './inClusters';
import { movedProblems } from './moved';
import { trustProblems } from './trust';

/** How the preflight looks around. */
export interface PreflightOptions {
  /**
   * For `aks-wi import`, which asks what would be made and takes in what of that is there: it is then no problem.
   * @default false
   */
  readonly importing?: boolean;
  /** @default the public one */
  readonly cloud?: Cloud;
  /** @default by the resource manager */
  readonly list?: ListInAzure;
}

/**
 * Looks at everything that the configuration says is there already, before anything but providers is registered, and throws
 * one error that tells everything that is not as the configuration says. It changes nothing.
 */
export async function preflight(
  configuration: Configuration,
  subscriptions: Subscriptions,
  { importing = false, cloud = cloudOf('public'), list = listIn(cloud) }: PreflightOptions = {},
): Promise<void> {
  const clusters = new ManagedClusters(configuration.settings, subscriptions);
  const found = await Promise.all([
    ...existingThings(configuration).map((thing) =>
      problemsOf(thing, configuration, subscriptions, clusters),
    ),
    inClusterProblems(configuration, clusters),
    dependencyObjectProblems(configuration, clusters),
    trustProblems(configuration, subscriptions, clusters, list, importing),
    movedProblems(configuration, subscriptions, list),
    subnetProblems(configuration),
    servicesProblems(configuration),
  ]);
  const problems = [...found.flat(), ...enableProblems(configuration, cloud)];
  if (problems.length > 0) throw new InvalidConfigurationError(configuration.environment, problems);
}

async function problemsOf(
  thing: ExistingResource,
  configuration: Configuration,
  subscriptions: Subscriptions,
  clusters: ManagedClusters,
): Promise<Problem[]> {
  const opts = { provider: subscriptions.provider(thing.existing.subscriptionId) };
  if (thing.kind === 'resourceGroup')
    return read(thing, () => getResourceGroup({ resourceGroupName: thing.existing.name }, opts));
  const { resourceGroupName, name } = thing.existing;
  switch (thing.kind) {
    case 'identity':
      return read(thing, () => getUserAssignedIdentity({ resourceGroupName, resourceName: name }, opts));
    case 'workspace':
      return read(thing, () => getWorkspace({ resourceGroupName, workspaceName: name }, opts));
    case 'vault':
      return (
        await Promise.all([
          vaultProblems(thing, opts),
          missingSecrets(configuration.settings, thing.existing, opts),
        ])
      ).flat();
    case 'cluster':
      return clusterProblems(thing, clusters);
  }
}

function vaultProblems(
  thing: ExistingResource & { kind: 'vault' },
  opts: pulumi.InvokeOptions,
): Promise<Problem[]> {
  const { resourceGroupName, name } = thing.existing;
  return read(
    thing,
    () => getVault({ resourceGroupName, vaultName: name }, opts),
    ({ properties }) => {
      const actual = actualAccess(properties.enableRbacAuthorization);
      if (actual === thing.access) return [];
      return [
        {
          path: thing.accessPath,
          value: JSON.stringify(thing.access),
          what: `does not fit the existing vault ${name}, which uses ${actual}`,
          allowed: actual,
          remedy:
            'Set it. The mode of an existing vault is never changed: that would void the access of all its readers.',
        },
      ];
    },
  );
}

function clusterProblems(
  thing: ExistingResource & { kind: 'cluster' },
  clusters: ManagedClusters,
): Promise<Problem[]> {
  return read(
    thing,
    () => clusters.read(thing.cluster),
    (cluster) => {
      const off = thing.cluster.enable === true ? [] : whatIsOff(cluster);
      return [
        ...(off.length === 0
          ? []
          : [
              {
                path: thing.path,
                value: JSON.stringify(thing.existing.id),
                what: `is a cluster of which ${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off, so that nothing can trust its service accounts`,
                remedy: `Run \`${enableCommand(thing.existing)}\`, or set \`enable: true\` on the cluster: the next update does it, and changes nothing else.`,
              },
            ]),
        ...(thing.secretsStore === undefined || hasSecretsStore(cluster)
          ? []
          : [
              {
                path: thing.secretsStore,
                what: `needs the Secrets Store CSI driver with Azure's provider, which the existing cluster ${thing.existing.name} does not have`,
                remedy: `Run \`${secretsStoreCommand(thing.existing)}\`, or set \`delivery: application\`.`,
              },
            ]),
      ];
    },
  );
}

/** An answer is judged; none is a problem itself. */
async function read<Found>(
  { path, existing }: ExistingResource,
  ask: () => Promise<Found>,
  judge: (found: Found) => Problem[] = () => [],
): Promise<Problem[]> {
  try {
    return judge(await ask());
  } catch (error) {
    return [{ path, value: JSON.stringify(existing.id), ...unreadable(error) }];
  }
}

function unreadable(error: unknown): Pick<Problem, 'what' | 'remedy'> {
  if (isNotFound(error)) {
    return {
      what: 'does not exist, or is not visible for who deploys',
      remedy:
        'Correct the id, as `az resource show --query id` prints it, or give who deploys the role Reader on it.',
    };
  }
  return {
    what: `cannot be read: ${messageOf(error).split('\n', 1)[0] ?? ''}`,
    remedy: 'Who deploys needs at least the role Reader on it.',
  };
}

/** Issuer and workload identity are switched on through the resource manager itself. */
function enableProblems({ settings }: Configuration, { name, resourceManager }: Cloud): Problem[] {
  if (resourceManager !== undefined) return [];
  return settings.clusters.flatMap((cluster, index) =>
    cluster.mode === 'existing' && cluster.enable === true
      ? [
          {
            path: ['clusters', index, 'enable'],
            value: 'true',
            what: `is not possible in the cloud "${name}" (azure-native:environment, ARM_ENVIRONMENT), whose resource manager is not known here`,
            allowed: `the clouds ${cloudNames.join(', ')}`,
            remedy:
              'Remove it, and switch the cluster on yourself: `az aks update --enable-oidc-issuer --enable-workload-identity`.',
          },
        ]
      : [],
  );
}

/** An endpoint is in the subscription of its network (azure-docs articles/private-link/private-endpoint-overview). */
async function subnetProblems({ settings, plan }: Configuration): Promise<Problem[]> {
  const endpoints = plan.vaults.flatMap(({ application, privateEndpoints = [] }) =>
    privateEndpoints.map(({ subnet }) => ({
      subnet,
      path: vaultFieldPath(settings, application, 'privateEndpoints'),
    })),
  );
  if (endpoints.length === 0) return [];
  const { subscriptionId } = settings.resourceGroup.existing ?? (await getClientConfig());
  const wrong = endpoints.filter(
    ({ subnet }) => tryParseSubnetId(subnet)?.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase(),
  );
  // Vaults that take their endpoints from the central one have them from one place.
  const each = new Map(wrong.map((one) => [`${formatPath(one.path)} ${one.subnet}`, one]));
  return [...each.values()].map(({ path, subnet }) => ({
    path,
    value: JSON.stringify(subnet),
    what: `is a subnet of another subscription than the resource group, which is in ${subscriptionId}`,
    allowed: 'subnets of the region and the subscription of the environment',
    remedy: 'Name a subnet there, or use an existing resource group of the subscription of the subnet.',
  }));
}

/** The operator has one subscription: of a group of another, it would refuse whatever is to be in it. */
async function servicesProblems({ settings, plan }: Configuration): Promise<Problem[]> {
  const { existing } = plan.servicesGroups.find((group) => group.existing !== undefined) ?? {};
  // Of two existing groups, that is known without asking.
  if (existing === undefined || settings.resourceGroup.existing !== undefined) return [];
  const { subscriptionId } = await getClientConfig();
  if (existing.subscriptionId.toLowerCase() === subscriptionId.toLowerCase()) return [];
  return [
    {
      path: ['services', 'resourceGroup', 'existing'],
      value: JSON.stringify(existing.id),
      what: `is in another subscription than the one that is deployed to, ${subscriptionId}`,
      allowed: 'a group of the subscription of the environment',
      remedy: 'Name another, or remove it for one that is made.',
    },
  ];
}
