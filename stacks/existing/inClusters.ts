import { listManagedClusterAdminCredentials } from '@pulumi/azure-native/containerservice';
import { tryParseResourceId } from '../../components/azure/resourceId';
import type { ClusterObjects } from '../../components/cluster/clusterObjects';
import { decodeKubeconfig } from '../../components/cluster/kubeconfig';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { Configuration } from '../configuration/configuration';
import { applicationIndex } from '../configuration/places';
import type { Path, Problem } from '../configuration/problem';
import type { Subscriptions } from '../environment/subscriptions';
import { keptKinds } from '../keeping/kinds';
import type { OwnState } from '../keeping/ownState';
import type { ClusterPlan, WorkloadPlan } from '../plan';
import { adoptsNamespace } from '../plan';

/** What is asked of a cluster; nothing is ever written. */
export type ReadCluster = Pick<ClusterObjects, 'get'>;

/** Connects to a cluster by a kubeconfig, as its user. */
export type ConnectReader = (kubeconfig: string) => Promise<ReadCluster>;

/** What the clusters are asked with. */
export interface ClusterPlaces {
  readonly subscriptions: Subscriptions;
  readonly state: OwnState;
  readonly connect: ConnectReader;
  /** `aks-wi adopt` has not taken all in yet, so that a cluster may be there which the stack does not have. */
  readonly adopting: boolean;
}

/** A cluster that has not answered by then says at the write what is wrong. */
const patienceMs = 5_000;

/**
 * Namespaces and service accounts that a configuration adopts, and that their clusters do not have. The engine would find
 * that only when it reads them, after much was made, and says neither where they are named nor what to do. Only a clear
 * no of a cluster counts, and clusters that are still to be made are not asked: they have none.
 */
export async function inClusterProblems(
  { settings, plan }: Configuration,
  places: ClusterPlaces,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map(async (cluster) => {
      const adopting = cluster.workloads.filter(({ application }) => adoptsNamespace(application));
      if (adopting.length === 0) return [];
      const path = ({ application }: WorkloadPlan): Path => [
        'applications',
        applicationIndex(settings, application.name),
      ];
      if (isStillToBeMade(cluster, places)) {
        return adopting
          .filter(({ namespace }) => !namespace.endsWith('-system'))
          .map((workload) => notYet(path(workload), workload, cluster));
      }
      const connection = await soon(connected(cluster, settings.kubeconfigs, places));
      if (connection === undefined) return [];
      const problems = await Promise.all(
        adopting.map((workload) => soon(missing(connection, path(workload), workload, cluster))),
      );
      return problems.flatMap((one) => one ?? []);
    }),
  );
  return found.flat();
}

function isStillToBeMade({ settings }: ClusterPlan, { state, adopting }: ClusterPlaces): boolean {
  return (
    settings.mode === 'create' &&
    !adopting &&
    state.find(keptKinds.cluster.token, settings.name) === undefined
  );
}

async function connected(
  cluster: ClusterPlan,
  given: Readonly<Record<string, string>>,
  places: ClusterPlaces,
): Promise<ReadCluster | undefined> {
  const kubeconfig = await kubeconfigOf(cluster, given, places);
  return kubeconfig === undefined ? undefined : places.connect(kubeconfig);
}

/** That of the last update, where there was one: asking Azure for it takes a while. */
async function kubeconfigOf(
  { settings: { name, mode, id = '' } }: ClusterPlan,
  given: Readonly<Record<string, string>>,
  { subscriptions, state }: ClusterPlaces,
): Promise<string | undefined> {
  if (mode === 'external') return given[name];
  const before = state.text(WorkloadIdentityCluster.token, name, 'id');
  // Of a cluster of the name; the configuration may mean another one by now.
  const isSame = mode !== 'existing' || before?.toLowerCase() === id.toLowerCase();
  const known = isSame ? state.text(WorkloadIdentityCluster.token, name, 'kubeconfig') : undefined;
  const target = mode === 'existing' ? tryParseResourceId(id) : undefined;
  if (known !== undefined || target === undefined) return known;
  const { kubeconfigs } = await listManagedClusterAdminCredentials(
    { resourceGroupName: target.resourceGroupName, resourceName: target.name },
    { provider: subscriptions.provider(target.subscriptionId) },
  );
  return decodeKubeconfig(kubeconfigs[0]?.value);
}

async function missing(
  objects: ReadCluster,
  path: Path,
  { namespace, serviceAccount, adoptServiceAccount }: WorkloadPlan,
  { settings: cluster }: ClusterPlan,
): Promise<Problem[]> {
  const core = { apiVersion: 'v1' };
  if ((await objects.get({ ...core, kind: 'Namespace', name: namespace })) === undefined) {
    return [
      {
        path: [...path, 'namespace', 'name'],
        value: JSON.stringify(namespace),
        what: `does not exist in the cluster ${cluster.name}`,
        remedy: `Make it there (\`kubectl create namespace ${namespace}\`), or remove \`adopt\` beside it: then the stack makes it.`,
      },
    ];
  }
  if (!adoptServiceAccount) return [];
  const account = { ...core, kind: 'ServiceAccount', namespace, name: serviceAccount };
  if ((await objects.get(account)) !== undefined) return [];
  return [
    {
      path: [...path, 'serviceAccount', 'name'],
      value: JSON.stringify(serviceAccount),
      what: `does not exist in the namespace ${namespace} of the cluster ${cluster.name}`,
      remedy: `Make it there (\`kubectl create serviceaccount ${serviceAccount} --namespace ${namespace}\`), or remove \`adopt\` beside it: then the stack makes it.`,
    },
  ];
}

function notYet(path: Path, { namespace }: WorkloadPlan, { settings: { name } }: ClusterPlan): Problem {
  return {
    path: [...path, 'namespace', 'name'],
    value: JSON.stringify(namespace),
    what: `is to be adopted in the cluster ${name}, which this update would make, and which has none yet`,
    remedy:
      'Remove `adopt` beside it: then the stack makes it. Or deploy the cluster without the application, make the namespace there, and add the application then.',
  };
}

/** What comes of it within the patience, and nothing if it fails: then the engine tells why. */
async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
