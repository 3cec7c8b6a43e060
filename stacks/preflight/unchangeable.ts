import type { GetManagedClusterResult } from '@pulumi/azure-native/containerservice';
import { defaultNodes } from '../../components/cluster/defaultNodes';
import { dnsPrefixOf, systemPool } from '../../components/cluster/managedCluster';
import { isOlder } from '../isOlder';
import type { Configuration } from '../plan';
import type { Path, Problem } from '../settings/problem';
import type { ClusterSettings } from '../settings/schema';
import type { ManagedClusters } from './managedClusters';
import { isSame } from './same';

type Created = Extract<ClusterSettings, { mode: 'create' }>;

/** A property that AKS does not change, or not in every direction, with the problem if an update would change it. */
interface Row {
  /** The value that the update would set, and the value that the cluster has; undefined if it is unspecified. */
  readonly values: (
    cluster: Created,
    found: GetManagedClusterResult,
  ) => readonly [asked: string | undefined, held: string | undefined];
  /** Tells whether AKS refuses the change from `held` to `asked`. Default: it refuses every change. */
  readonly refused?: (asked: string, held: string) => boolean;
  readonly problem: (asked: string, held: string, cluster: Created) => Omit<Problem, 'path'> & { path: Path };
}

/**
 * Returns the row of a property that this program sets on every cluster: a cluster that it did not create may have another
 * value.
 */
const ofEveryCluster = (
  property: string,
  asked: (cluster: Created) => string,
  held: (found: GetManagedClusterResult) => string | undefined,
): Row => ({
  values: (cluster, found) => [asked(cluster), held(found)],
  problem: (is, was, { name }) => ({
    path: ['name'],
    value: JSON.stringify(name),
    what: `is a cluster with ${property} ${JSON.stringify(was)}, but this program sets ${JSON.stringify(is)}, which AKS cannot change: the cluster would be replaced`,
    hint: 'Use the cluster as it is, with `mode: existing` and its id, or create one with another name.',
  }),
});

/**
 * Sources: vmSize: MicrosoftDocs/azure-aks-docs `articles/aks/manage-node-pools.md` (limitations; a change in place is a preview,
 * `resize-node-pool.md`). kubernetesVersion: Azure/AKS #2997 and `supported-kubernetes-versions.md` ("Downgrades are not
 * supported"). aadProfile: `enable-authentication-microsoft-entra-id.md` (limitations). The others are create-only, and Pulumi's
 * provider replaces the cluster for them (pulumi/pulumi-azure-native `provider/pkg/gen/replacement.go`); enableRBAC: ForceNew in
 * hashicorp/terraform-provider-azurerm `kubernetes_cluster_resource.go`.
 */
const rows: readonly Row[] = [
  {
    values: ({ nodes }, { agentPoolProfiles = [] }) => [
      nodes?.vmSize ?? defaultNodes.vmSize,
      poolOf({ agentPoolProfiles })?.vmSize,
    ],
    problem: (asked, held, { name, nodes }) => ({
      path: ['nodes', 'vmSize'],
      value: JSON.stringify(asked),
      what: `${nodes?.vmSize === undefined ? '(the default) ' : ''}is not the node size of ${name}, ${JSON.stringify(held)}, and AKS cannot change the node size of a pool`,
      hint: `Set it to ${JSON.stringify(held)}. For other nodes, add another pool, which the stack leaves alone (\`az aks nodepool add\`), or create a cluster with another name.`,
    }),
  },
  {
    values: ({ kubernetesVersion }, found) => [kubernetesVersion, found.currentKubernetesVersion],
    refused: isOlder,
    problem: (asked, held, { name }) => ({
      path: ['kubernetesVersion'],
      value: JSON.stringify(asked),
      what: `is older than the version of ${name}, ${JSON.stringify(held)}, and AKS cannot downgrade`,
      hint: `Set it to ${JSON.stringify(held.split('.').slice(0, 2).join('.'))}, or remove it.`,
    }),
  },
  {
    values: ({ administratorGroups }, { aadProfile }) => [
      administratorGroups === undefined ? '' : undefined,
      aadProfile?.managed === true ? (aadProfile.adminGroupObjectIDs ?? []).join(', ') : undefined,
    ],
    refused: () => true,
    problem: (_, held, { name }) => ({
      path: ['administratorGroups'],
      what: `is not set, but ${name} signs its users in with Entra, which AKS cannot disable`,
      hint: `Set it back to [${held}], or to other groups. For a cluster without Entra, create one with another name.`,
    }),
  },
  ofEveryCluster(
    'agentPoolProfiles',
    () => systemPool,
    // An update of a cluster adds no pool (pulumi/pulumi-azure-nextgen #168).
    (found) => (poolOf(found) ?? found.agentPoolProfiles?.[0])?.name,
  ),
  ofEveryCluster(
    'agentPoolProfiles.type',
    () => 'VirtualMachineScaleSets',
    (found) => poolOf(found)?.type,
  ),
  ofEveryCluster(
    'agentPoolProfiles.osType',
    () => 'Linux',
    (found) => poolOf(found)?.osType,
  ),
  ofEveryCluster(
    'dnsPrefix',
    ({ name }) => dnsPrefixOf(name),
    (found) => found.dnsPrefix,
  ),
  ofEveryCluster(
    'enableRBAC',
    () => 'true',
    ({ enableRBAC }) => (enableRBAC === undefined ? undefined : String(enableRBAC)),
  ),
  ofEveryCluster(
    'networkProfile.networkPlugin',
    () => 'azure',
    (found) => found.networkProfile?.networkPlugin,
  ),
  ofEveryCluster(
    'networkProfile.networkPluginMode',
    () => 'overlay',
    // A cluster without this property has no overlay.
    ({ networkProfile: { networkPlugin, networkPluginMode } = {} }) =>
      networkPlugin === 'azure' ? (networkPluginMode ?? '') : undefined,
  ),
];

/** Returns the pool that the program creates with a cluster. */
function poolOf({ agentPoolProfiles = [] }: Pick<GetManagedClusterResult, 'agentPoolProfiles'>) {
  return agentPoolProfiles.find(({ name }) => name === systemPool);
}

/** Returns problems of settings of existing clusters that AKS would refuse or that would replace the cluster. */
export async function unchangeableProblems(
  { plan }: Configuration,
  clusters: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async ({ settings: cluster }, index) => {
      if (cluster.mode !== 'create') return [];
      // A cluster that cannot be read does not exist yet.
      const held = await clusters.find(cluster);
      return held === undefined ? [] : problemsOf(cluster, held, ['clusters', index]);
    }),
  );
  return found.flat();
}

function problemsOf(cluster: Created, found: GetManagedClusterResult, at: Path): Problem[] {
  return rows.flatMap(({ values, problem, refused = (asked, held) => !isSame(asked, held) }) => {
    const [asked, held] = values(cluster, found);
    if (asked === undefined || held === undefined || !refused(asked, held)) return [];
    const { path, ...rest } = problem(asked, held, cluster);
    return [{ path: [...at, ...path], ...rest }];
  });
}
