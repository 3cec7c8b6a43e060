import { getClientConfig } from '@pulumi/azure-native/authorization';
import { getVault } from '@pulumi/azure-native/keyvault';
import { getUserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import { getWorkspace } from '@pulumi/azure-native/operationalinsights';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import type * as pulumi from '@pulumi/pulumi';
import {
  enableCommand,
  hasSecretsStore,
  secretsStoreCommand,
  disabledFeatures,
} from '../../components/cluster/existingCluster';
import { apiVersions } from '../../components/azure/resourceManager';
import { messageOf } from '../../components/resource/errors';
import type { VaultAccess } from '../../components/vault/access';
import { accessHint, actualAccess } from '../../components/vault/access';
import { overreachProblems } from '../checks/overreach';
import type { ClusterPlan, Configuration, VaultPlan } from '../plan';
import { existingIdentities, isBound } from '../plan';
import type { Cloud } from '../../components/azure/clouds';
import { cloudNames } from '../../components/azure/clouds';
import { applicationPath, vaultPath } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import type { ExistingId, StackSettings } from '../settings/schema';
import type { ListInAzure } from './azureList';
import type { ManagedClusters } from './managedClusters';
import { missingSecrets } from './missingSecrets';
import { isNotFound } from '../../components/azure/notFound';
import { isSame } from './same';
import type { Subscriptions } from '../subscriptions';

/**
 * Returns problems of the resources that the stack file names as existing, in the order of the stack file. Each is read from
 * Azure.
 */
export async function existingProblems(
  { settings, plan }: Configuration,
  subscriptions: Subscriptions,
  clusters: ManagedClusters,
  cloud: Cloud,
): Promise<Problem[]> {
  /** Returns problems of the existing resource at `path`, if there is one. */
  const check = <Existing extends { readonly id: string; readonly subscriptionId: string }>(
    path: Path,
    existing: Existing | undefined,
    read: (existing: Existing, opts: pulumi.InvokeOptions) => Promise<unknown>,
  ): Promise<Problem[]> => {
    if (existing === undefined) return Promise.resolve([]);
    const provider = subscriptions.provider(existing.subscriptionId);
    return judged(path, existing.id, read(existing, { provider }));
  };
  const readGroup = ({ name }: { readonly name: string }, opts: pulumi.InvokeOptions) =>
    getResourceGroup({ resourceGroupName: name }, opts);
  const found = await Promise.all([
    check(['resourceGroup', 'existing'], settings.resourceGroup.existing, readGroup),
    ...plan.servicesGroups.map(({ existing }) =>
      check(['services', 'resourceGroup', 'existing'], existing, readGroup),
    ),
    check(
      ['logs', 'workspace', 'existing'],
      settings.logs?.workspace.existing,
      ({ resourceGroupName, name: workspaceName }, opts) =>
        getWorkspace({ resourceGroupName, workspaceName }, opts),
    ),
    ...plan.vaults.map((vault) => problemsOfVault(settings, vault, subscriptions)),
    ...plan.clusters.map((cluster, index) => clusterProblems(settings, cluster, index, clusters, cloud)),
    ...existingIdentities(settings, plan.clusters).map(({ path, existing }) =>
      check(path, existing, ({ resourceGroupName, name: resourceName }, opts) =>
        getUserAssignedIdentity({ resourceGroupName, resourceName }, opts),
      ),
    ),
  ]);
  return found.flat();
}

/**
 * Returns problems of an existing vault: of another tenant, to which no identity could sign in, and those that `judge` finds.
 * @param judge gets the place and the value of a problem, and the access mode of the vault
 */
export async function vaultProblems(
  path: Path,
  { id, subscriptionId, resourceGroupName, name }: ExistingId,
  subscriptions: Subscriptions,
  judge: (at: Pick<Problem, 'path' | 'value'>, access: VaultAccess) => Iterable<Problem>,
): Promise<Problem[]> {
  const { tenantId } = await getClientConfig();
  const opts = { provider: subscriptions.provider(subscriptionId) };
  const answer = getVault({ resourceGroupName, vaultName: name }, opts);
  return judged(path, id, answer, function* ({ properties }) {
    const at = { path, value: JSON.stringify(id) };
    if (!isSame(properties.tenantId, tenantId))
      yield {
        ...at,
        what: `is a vault of the tenant ${properties.tenantId}, but the identities are created in ${tenantId}`,
        allowed: 'a vault in the tenant of the deployment',
        hint: 'Name another.',
      };
    yield* judge(at, actualAccess(properties.enableRbacAuthorization));
  });
}

async function problemsOfVault(
  settings: StackSettings,
  { name: vaultName, existing, access, application }: VaultPlan,
  subscriptions: Subscriptions,
): Promise<Problem[]> {
  if (existing === undefined) {
    // The stack creates its vaults in the subscription of its group.
    const opts = subscriptions.optsOf(settings.resourceGroup.existing?.subscriptionId);
    return missingSecrets(settings, { name: vaultName, existing: false }, opts);
  }
  const { subscriptionId, resourceGroupName, name } = existing;
  const opts = { provider: subscriptions.provider(subscriptionId) };
  const path = vaultPath(settings, application);
  const problems = await Promise.all([
    vaultProblems([...path, 'existing'], existing, subscriptions, function* (_, actual) {
      if (actual !== access)
        yield {
          path: [...path, 'access'],
          value: JSON.stringify(access),
          what: `does not match the existing vault ${name}, which uses ${actual}`,
          allowed: actual,
          hint: accessHint,
        };
    }),
    missingSecrets(settings, { resourceGroupName, name, existing: true }, opts),
  ]);
  return problems.flat();
}

/**
 * Returns problems of existing vaults with access policies that contain secrets that nobody names: readers of the other secrets
 * could read these as well.
 */
export async function overreachInExisting(
  { settings, plan }: Configuration,
  subscriptions: Subscriptions,
  list: ListInAzure,
): Promise<Problem[]> {
  if (settings.vault.overreach === 'accepted') return [];
  const found = await Promise.all(
    plan.vaults.map(async ({ existing, access, application, grants }) => {
      if (existing === undefined || access !== 'accessPolicy') return [];
      const secrets = await list(
        { path: `${existing.id}/secrets`, apiVersion: apiVersions.vaults },
        { provider: subscriptions.provider(existing.subscriptionId) },
      );
      const names = (secrets ?? []).map(({ name }) => String(name));
      const path = [...vaultPath(settings, application), 'existing'];
      const hint =
        'Use a vault with only these secrets, or, if this is intended, set `overreach: accepted` on the central `vault`.';
      return [...overreachProblems({ name: existing.name, grants }, names, path, hint)];
    }),
  );
  return found.flat();
}

async function clusterProblems(
  settings: StackSettings,
  { settings: cluster, workloads, enable }: ClusterPlan,
  index: number,
  clusters: ManagedClusters,
  cloud: Cloud,
): Promise<Problem[]> {
  if (cluster.mode !== 'existing') return [];
  const { id } = cluster;
  const path = ['clusters', index, 'id'];
  const mounting = workloads.find(({ application }) => application.delivery !== 'application');
  const bound = workloads.find(({ application }) => isBound(application));
  const problems = await judged(path, id.id, clusters.read(cluster), function* (found) {
    const off = enable ? [] : disabledFeatures(found);
    if (off.length > 0)
      yield {
        path,
        value: JSON.stringify(id.id),
        what: `is a cluster with ${off.join(' and ')} disabled, so no identity can trust its service accounts`,
        hint: `Run \`${enableCommand(id)}\`, or ${cluster.enable === false ? 'remove `enable: false`, and set' : 'set'} \`enableWorkloadIdentity: true\`: the next update does it, and changes nothing else.`,
      };
    if (mounting !== undefined && !hasSecretsStore(found))
      yield {
        path: [...applicationPath(settings, mounting.application.name), 'delivery'],
        what: `needs the Secrets Store CSI driver with Azure's provider, which the existing cluster ${id.name} does not have`,
        hint: `Run \`${secretsStoreCommand(id)}\`, or set \`delivery: application\`.`,
      };
    // azure-aks-docs articles/aks/identity-bindings-concepts.md
    if (bound !== undefined && found.apiServerAccessProfile?.enableVnetIntegration === true)
      yield {
        path: [...applicationPath(settings, bound.application.name), 'trust'],
        value: '"identityBinding"',
        what: `is not possible on the existing cluster ${id.name}, whose API server is integrated into a virtual network`,
        allowed: 'federatedCredential',
        hint: 'Remove the cluster from `clusters`, or set `trust: federatedCredential`.',
      };
  });
  // The issuer and workload identity are enabled through the resource manager itself.
  if (enable && cloud.resourceManager === undefined)
    problems.push({
      path: cluster.enable === true ? ['clusters', index, 'enable'] : ['enableWorkloadIdentity'],
      value: 'true',
      what: `is not possible in the cloud "${cloud.name}" (azure-native:environment, ARM_ENVIRONMENT), whose Resource Manager endpoint is unknown`,
      allowed: `the clouds ${cloudNames.join(', ')}`,
      hint: 'Remove it, and enable both on the cluster yourself: `az aks update --enable-oidc-issuer --enable-workload-identity`.',
    });
  return problems;
}

/** Returns a problem if Azure cannot return the resource, otherwise what `judge` finds. */
export async function judged<Found>(
  path: Path,
  id: string,
  answer: Promise<Found>,
  judge: (found: Found) => Iterable<Problem> = () => [],
): Promise<Problem[]> {
  try {
    return [...judge(await answer)];
  } catch (error) {
    return [{ path, value: JSON.stringify(id), ...unreadableExisting(error) }];
  }
}

function unreadableExisting(error: unknown): Pick<Problem, 'what' | 'hint'> {
  if (isNotFound(error)) {
    return {
      what: 'does not exist, or the deploying identity cannot read it',
      hint: 'Correct the id, as `az resource show --query id` prints it, or give that identity the role Reader on it.',
    };
  }
  return {
    what: `cannot be read: ${messageOf(error).split('\n', 1)[0] ?? ''}`,
    hint: 'The deploying identity needs at least the role Reader on it.',
  };
}
