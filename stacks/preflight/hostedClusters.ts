import { getVault } from '@pulumi/azure-native/keyvault';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import { getClientConfig } from '@pulumi/azuread';
import { hasSecretsStore, secretsStoreCommand } from '../../components/cluster/existingCluster';
import type { Cluster } from '../../components/waiting/cluster';
import { ClusterAnswerError } from '../../components/waiting/cluster';
import type { ClusterPlan, Configuration, HostedClusterPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';
import { judged } from './existing';
import type { ManagedClusters } from './managedClusters';
import { isSame } from './same';
import type { Subscriptions } from './subscriptions';

/** What hosted clusters need that is not there, in Azure or on their management clusters. */
export async function hostedClusterProblems(
  { settings, plan }: Configuration,
  subscriptions: Subscriptions,
  azure: ManagedClusters,
): Promise<Problem[]> {
  if (settings.hostedClusters.length === 0) return [];
  // This also makes the default provider of Entra before any resource is registered: the engine makes such providers one after
  // the other, on a worker each, and they wait for ever if all workers are in hooks that ask another default provider.
  const { tenantId } = await getClientConfig();
  const all = plan.clusters.flatMap((cluster) =>
    cluster.hostedClusters.map((hosted) => ({
      cluster,
      hosted,
      path: ['hostedClusters', settings.hostedClusters.indexOf(hosted.settings)] satisfies Path,
    })),
  );
  const found = await Promise.all(
    all.flatMap(({ cluster, hosted, path }) => [
      namedProblems(hosted, path, subscriptions, tenantId),
      driverProblems(cluster, hosted, path, azure),
      definitionProblems(cluster, hosted, path, azure),
    ]),
  );
  const vaultIsRead = all.some(({ hosted }) => hosted.certificates !== undefined);
  const { existing } = settings.vault;
  return [
    ...found.flat(),
    ...(vaultIsRead && existing !== undefined
      ? await vaultProblems(['vault', 'existing'], existing, subscriptions, tenantId)
      : []),
  ];
}

/** What a hosted cluster names as existing. */
async function namedProblems(
  { settings: { resourceGroup, kms } }: HostedClusterPlan,
  path: Path,
  subscriptions: Subscriptions,
  tenantId: string,
): Promise<Problem[]> {
  const provider = subscriptions.provider(resourceGroup.subscriptionId);
  const problems = await Promise.all([
    judged(
      [...path, 'resourceGroup'],
      resourceGroup.id,
      getResourceGroup({ resourceGroupName: resourceGroup.name }, { provider }),
    ),
    kms === undefined ? [] : vaultProblems([...path, 'kms', 'vault'], kms.vault, subscriptions, tenantId),
  ]);
  return problems.flat();
}

/** An identity signs in to a vault of its own tenant only. */
function vaultProblems(
  path: Path,
  { id, subscriptionId, resourceGroupName, name }: HostedVault,
  subscriptions: Subscriptions,
  tenantId: string,
): Promise<Problem[]> {
  const answer = getVault(
    { resourceGroupName, vaultName: name },
    { provider: subscriptions.provider(subscriptionId) },
  );
  return judged(path, id, answer, function* ({ properties }) {
    if (!isSame(properties.tenantId, tenantId))
      yield {
        path,
        value: JSON.stringify(id),
        what: `is a vault of the tenant ${properties.tenantId}, while the identities are made in ${tenantId}`,
        allowed: 'a vault of the tenant that is deployed to',
        remedy: 'Name another, or let one be made.',
      };
  });
}

type HostedVault = NonNullable<HostedClusterPlan['settings']['kms']>['vault'];

/** Pods of a control plane mount their credentials by the Secrets Store CSI driver, which reads the vault as an identity of the node. */
function driverProblems(
  { settings: cluster }: ClusterPlan,
  { settings: hosted, certificates }: HostedClusterPlan,
  path: Path,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const hasReader = hosted.authentication === 'ManagedIdentities' && hosted.reader !== undefined;
  if (certificates === undefined || hasReader || cluster.mode !== 'existing') return Promise.resolve([]);
  const { id } = cluster;
  const at = [...path, 'managementCluster'];
  return judged(at, id.id, azure.read(cluster), function* (found) {
    if (!hasSecretsStore(found))
      yield {
        path: at,
        value: JSON.stringify(cluster.name),
        what: `is a cluster without the Secrets Store CSI driver with Azure's provider, by which control planes mount their credentials`,
        remedy: `Run \`${secretsStoreCommand(id)}\`, or, if it has a driver of its own, name the identity on its nodes that reads the vault as \`reader\`.`,
      };
  });
}

/** The kinds that are made on the management cluster must be served there. */
async function definitionProblems(
  { settings: cluster }: ClusterPlan,
  { settings: hosted, makesClasses }: HostedClusterPlan,
  path: Path,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const wanted = [
    ...(hosted.spec === undefined
      ? []
      : [
          {
            ...{ apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', field: 'spec' },
            remedy: 'Install HyperShift there (`hypershift install`), or remove `spec`.',
          },
        ]),
    ...(makesClasses && cluster.mode !== 'create'
      ? [
          {
            ...{ apiVersion: 'secrets-store.csi.x-k8s.io/v1', kind: 'SecretProviderClass' },
            field: 'secretProviderClasses',
            remedy: 'Install the Secrets Store CSI driver there.',
          },
        ]
      : []),
  ];
  const problem = ({ kind, field, remedy }: (typeof wanted)[number], why: string): Problem => ({
    path: [...path, field],
    what: `needs the kind ${kind}, which the cluster ${cluster.name} does not have${why}`,
    remedy,
  });
  if (cluster.mode === 'create' && (await azure.isMissing(cluster)))
    return wanted.map((one) => problem(one, ' yet: this update would make it'));
  return azure.ask(cluster, wanted, async (objects, one) =>
    (await serves(objects, one)) ? [] : [problem(one, '')],
  );
}

async function serves(
  objects: Cluster,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<boolean> {
  try {
    await objects.list({ apiVersion, kind });
    return true;
  } catch (error) {
    if (error instanceof ClusterAnswerError && error.reason === 'notFound') return false;
    throw error;
  }
}
