import type { V1Pod, V1ServiceAccount } from '@kubernetes/client-node';
import pLimit from 'p-limit';
import * as z from 'zod';
import { clusterType, identityType, isInScope, vaultType } from '../../components/azure/resourceId';
import { apiVersions, resourceUrl } from '../../components/azure/resourceManager';
import { disabledFeatures } from '../../components/cluster/existingCluster';
import { clientIdAnnotation, tenantIdAnnotation } from '../../components/identity/signIn';
import { messageOf } from '../../components/resource/errors';
import { actualAccess } from '../../components/vault/access';
import { clusters as connections } from '../../components/waiting/cluster';
import type { AzureReader, AzureResource, ReadService } from '../azureReader';
import { UserError } from '../userError';
import { azureLists, policiesOf } from '../azureLists';
import type { Found, FoundAccount, FoundCluster, FoundIdentity, FoundVault } from './fromAzureFound';
import { isSameId, nameIn } from './fromAzureFound';

/** A subscription, or some of its resource groups. */
export interface Place {
  readonly subscription: string;
  /** Names of resource groups. None: the whole subscription. */
  readonly resourceGroups: readonly string[];
}

/** Reads Azure, and nothing else. */
export interface Sources {
  readonly azure: AzureReader;
  readonly manager: Pick<ReadService, 'endpoint' | 'read'>;
}

/** Concurrent requests to Azure, which limits reads per second. */
const readsAtOnce = 8;

/** Lists all clusters of the subscription. */
export const listClusters = ({ azure }: Sources, { subscription }: Place): Promise<AzureResource[]> =>
  azure.list(`/subscriptions/${subscription}/providers/${clusterType}`, apiVersions.clusters);

/** Tells whether a resource is in one of the resource groups; with none, all are. */
const isIn = ({ subscription, resourceGroups }: Place, id: string): boolean =>
  resourceGroups.length === 0 ||
  resourceGroups.some((group) => isInScope(id, `/subscriptions/${subscription}/resourceGroups/${group}`));

/**
 * Reads what exists: clusters with their service accounts, identities with their federated credentials, vaults, and role
 * assignments.
 * @param all all clusters of the subscription
 * @param chosen those of them whose service accounts are read
 */
export async function readFound(
  sources: Sources,
  place: Place,
  all: readonly AzureResource[],
  chosen: readonly AzureResource[],
): Promise<Found> {
  const { azure } = sources;
  const scope = `/subscriptions/${place.subscription}`;
  const limited = pLimit(readsAtOnce);
  const lists = azureLists(() => Promise.resolve(azure));
  const here = async (type: string, apiVersion: string) =>
    (await azure.list(`${scope}/providers/${type}`, apiVersion))
      .filter(({ id }) => isIn(place, id))
      .sort(byId);
  const [identities, vaults] = await Promise.all([
    here(identityType, apiVersions.identities),
    here(vaultType, apiVersions.vaults),
  ]);
  const accounts = await accountsOf(sources, chosen);
  const isOfCluster = identitiesOfClusters(place, all);
  return {
    clusters: all.toSorted(byId).map((cluster) => foundCluster(cluster, accounts.get(cluster))),
    identities: await Promise.all(
      identities.map((identity) =>
        limited(async (): Promise<FoundIdentity> => ({
          id: identity.id,
          ...identityProperties.parse(identity.properties),
          credentials: await lists.listCredentials(identity.id),
          isOfCluster: isOfCluster(identity.id),
        })),
      ),
    ),
    vaults: await Promise.all(
      vaults.map(({ id, location = '', properties }) =>
        limited(async (): Promise<FoundVault> => ({
          ...{ id, location },
          access: actualAccess(properties.enableRbacAuthorization === true),
          policies: policiesOf(properties),
          secrets: (await azure.list(`${id}/secrets`, apiVersions.vaults)).map(({ name }) => name),
        })),
      ),
    ),
    assignments: await lists.listAssignments(scope),
  };
}

const byId = (one: AzureResource, other: AzureResource) =>
  one.id.toLowerCase() < other.id.toLowerCase() ? -1 : 1;

const identityProperties = z.object({ clientId: z.string(), principalId: z.string(), tenantId: z.string() });

const clusterProperties = z.object({
  oidcIssuerProfile: z
    .object({ enabled: z.boolean().optional(), issuerURL: z.string().optional() })
    .optional(),
  securityProfile: z
    .object({ workloadIdentity: z.object({ enabled: z.boolean().optional() }).optional() })
    .optional(),
});

const identityOf = z.object({ resourceId: z.string().optional() }).nullish();
const nodeProperties = z.object({
  nodeResourceGroup: z.string().optional(),
  identityProfile: z.record(z.string(), identityOf).nullish(),
  addonProfiles: z.record(z.string(), z.object({ identity: identityOf })).nullish(),
});

/** Returns a test for identities that clusters run as: the kubelet's, the add-ons', and all in the groups of their nodes. */
function identitiesOfClusters({ subscription }: Place, clusters: readonly AzureResource[]) {
  const scopes = clusters.flatMap(({ properties }) => {
    const { nodeResourceGroup, identityProfile, addonProfiles } = nodeProperties.parse(properties);
    return [
      nodeResourceGroup && `/subscriptions/${subscription}/resourceGroups/${nodeResourceGroup}`,
      ...Object.values(identityProfile ?? {}).map((identity) => identity?.resourceId),
      ...Object.values(addonProfiles ?? {}).map(({ identity }) => identity?.resourceId),
    ];
  });
  return (id: string): boolean => scopes.some((scope) => scope !== undefined && isInScope(id, scope));
}

function foundCluster(
  { id, location = '', properties }: AzureResource,
  accounts: readonly FoundAccount[] | undefined,
): FoundCluster {
  const { oidcIssuerProfile, securityProfile } = clusterProperties.parse(properties);
  return {
    ...{ id, location, accounts, issuer: oidcIssuerProfile?.issuerURL },
    disabled: disabledFeatures({ oidcIssuerProfile, securityProfile }),
  };
}

/**
 * Reads the service accounts of the clusters with workload identity.
 * @throws UserError with every cluster that cannot be read
 */
async function accountsOf(
  sources: Sources,
  clusters: readonly AzureResource[],
): Promise<ReadonlyMap<AzureResource, readonly FoundAccount[]>> {
  const unread: string[] = [];
  const found = new Map<AzureResource, readonly FoundAccount[]>();
  await Promise.all(
    clusters
      .filter((cluster) => foundCluster(cluster, undefined).disabled.length === 0)
      .map(async (cluster) => {
        try {
          found.set(cluster, await accountsIn(await kubeconfigOf(sources, cluster.id)));
        } catch (error) {
          unread.push(`${nameIn(cluster.id)}: ${messageOf(error).split('\n', 1)[0] ?? ''}`);
        }
      }),
  );
  if (unread.length === 0) return found;
  throw new UserError(
    `The service accounts of these clusters cannot be read:\n${unread.sort().join('\n')}`,
    'Start a stopped cluster. Sign in with an account that may get the kubeconfig (Azure Kubernetes Service Cluster User Role) and list service accounts and pods; for clusters with Entra sign-in, set AAD_LOGIN_METHOD=azurecli. Or leave the cluster out: name the others with --cluster.',
  );
}

const credentials = z.object({ kubeconfigs: z.array(z.object({ value: z.string() })).min(1) });

/** Returns the kubeconfig of the signed-in account, which need not be an administrator. */
async function kubeconfigOf({ manager: { endpoint, read } }: Sources, cluster: string): Promise<string> {
  const url = resourceUrl(endpoint, `${cluster}/listClusterUserCredential`, apiVersions.clusters);
  const { kubeconfigs } = credentials.parse(await read(`${url}&format=exec`, 'POST'));
  return Buffer.from(kubeconfigs[0]?.value ?? '', 'base64').toString('utf8');
}

async function accountsIn(kubeconfig: string): Promise<FoundAccount[]> {
  const cluster = await connections.connect(kubeconfig);
  const [accounts, pods] = await Promise.all([
    cluster.list<V1ServiceAccount>({ apiVersion: 'v1', kind: 'ServiceAccount' }),
    cluster.list<V1Pod>({ apiVersion: 'v1', kind: 'Pod' }),
  ]);
  return accounts.map(({ metadata = {} }) => {
    const { namespace = '', name = '', annotations = {} } = metadata;
    const isHere = ({ metadata: pod, spec, status }: V1Pod) =>
      pod?.namespace === namespace &&
      (spec?.serviceAccountName ?? 'default') === name &&
      !['Succeeded', 'Failed'].includes(status?.phase ?? '');
    return {
      ...{ namespace, name },
      clientId: annotations[clientIdAnnotation],
      tenantId: annotations[tenantIdAnnotation],
      pods: pods.filter(isHere).length,
    };
  });
}

/**
 * Returns the clusters with these names; without names, all in the resource groups.
 * @throws UserError for names that no cluster has
 */
export function chooseClusters(
  all: readonly AzureResource[],
  names: readonly string[],
  place: Place,
): readonly AzureResource[] {
  const here = all.filter(({ id }) => isIn(place, id));
  const unknown = names.filter((name) => here.every(({ id }) => !isSameId(nameIn(id), name)));
  if (unknown.length > 0)
    throw new UserError(
      `There is no cluster ${unknown.join(', ')}. The clusters there: ${
        here
          .map(({ id }) => nameIn(id))
          .sort()
          .join(', ') || 'none'
      }.`,
      'Name one of these with --cluster.',
    );
  return names.length === 0
    ? here
    : here.filter(({ id }) => names.some((name) => isSameId(nameIn(id), name)));
}
