import { getZone } from '@pulumi/azure-native/dns';
import { getUserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import { getNetworkSecurityGroup, getSubnet } from '@pulumi/azure-native/network';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import type { V1CustomResourceDefinition } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import type * as pulumi from '@pulumi/pulumi';
import { tryParseSubnetId } from '../../components/azure/resourceId';
import {
  hasSecretsStore,
  rotatesSecrets,
  rotationCommand,
  secretProviderClassKind,
  secretsStoreCommand,
} from '../../components/cluster/existingCluster';
import { hostedClusterKind } from '../../components/hypershift/components';
import type { ClusterPlan, Configuration, HostedClusterPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';
import { judged, vaultProblems } from './existing';
import type { ManagedClusters } from './managedClusters';
import type { Subscriptions } from '../subscriptions';

/** Returns a problem for everything that hosted clusters need and that is missing, in Azure or on their management clusters. */
export async function hostedClusterProblems(
  { settings, plan }: Configuration,
  subscriptions: Subscriptions,
  azure: ManagedClusters,
): Promise<Problem[]> {
  if (settings.hostedClusters.length === 0) return [];
  const all = plan.clusters.flatMap((cluster) =>
    cluster.hostedClusters.map((hosted) => ({ cluster, hosted })),
  );
  const found = await Promise.all(
    all.flatMap(({ cluster, hosted }) => [
      namedProblems(hosted, subscriptions),
      driverProblems(cluster, hosted, azure),
      definitionProblems(cluster, hosted, azure),
    ]),
  );
  return found.flat();
}

/** Returns problems of the existing resources that a hosted cluster names. */
async function namedProblems(
  { path, settings: hosted, certificates }: HostedClusterPlan,
  subscriptions: Subscriptions,
): Promise<Problem[]> {
  const { resourceGroup, subnet, securityGroup, dnsZone, kms } = hosted;
  const reader = certificates?.reader?.existing;
  const named = <Place extends { readonly subscriptionId: string }>(
    at: Path,
    id: string,
    place: Place | undefined,
    read: (place: Place, opts: pulumi.InvokeOptions) => Promise<unknown>,
  ) =>
    place === undefined
      ? Promise.resolve([])
      : judged([...path, ...at], id, read(place, { provider: subscriptions.provider(place.subscriptionId) }));
  const problems = await Promise.all([
    named(['resourceGroup'], resourceGroup.id, resourceGroup, ({ name }, opts) =>
      getResourceGroup({ resourceGroupName: name }, opts),
    ),
    named(['subnet'], subnet, tryParseSubnetId(subnet), ({ resourceGroupName, network, name }, opts) =>
      getSubnet({ resourceGroupName, virtualNetworkName: network, subnetName: name }, opts),
    ),
    named(['securityGroup'], securityGroup.id, securityGroup, ({ resourceGroupName, name }, opts) =>
      getNetworkSecurityGroup({ resourceGroupName, networkSecurityGroupName: name }, opts),
    ),
    named(['dnsZone'], dnsZone?.id ?? '', dnsZone, ({ resourceGroupName, name }, opts) =>
      getZone({ resourceGroupName, zoneName: name }, opts),
    ),
    named(['reader', 'existing'], reader?.id ?? '', reader, ({ resourceGroupName, name }, opts) =>
      getUserAssignedIdentity({ resourceGroupName, resourceName: name }, opts),
    ),
    kms === undefined
      ? []
      : vaultProblems([...path, 'kms', 'vault'], kms.vault, subscriptions, function* (at, access) {
          if (access !== 'rbac')
            yield {
              ...at,
              what: 'is a vault with access policies, in which a role on a key has no effect',
              allowed: 'a vault with role-based access',
              hint: 'Name another, or switch it to roles (`az keyvault update --enable-rbac-authorization true`).',
            };
        }),
  ]);
  return problems.flat();
}

/**
 * Returns problems of the Secrets Store CSI driver. With it, the pods of a control plane mount their credentials. The driver
 * reads the vault as an identity of the node, and again after each renewal.
 */
function driverProblems(
  { settings: cluster }: ClusterPlan,
  { path, certificates }: HostedClusterPlan,
  azure: ManagedClusters,
): Promise<Problem[]> {
  if (certificates === undefined || cluster.mode !== 'existing') return Promise.resolve([]);
  const { id } = cluster;
  const at = { path: [...path, 'managementCluster'], value: JSON.stringify(cluster.name) };
  return judged(at.path, id.id, azure.read(cluster), function* (found) {
    // A cluster with a named reader may have a driver that is not the add-on, so the cluster itself is asked about it.
    if (!hasSecretsStore(found) && certificates.reader === undefined)
      yield {
        ...at,
        what: "is a cluster without the Secrets Store CSI driver with Azure's provider, with which control planes mount their credentials",
        allowed: 'a cluster with the add-on azure-keyvault-secrets-provider, or a `reader`',
        hint: `Run \`${secretsStoreCommand(id)}\`, or, if it has its own driver, set \`reader\` to the identity on its nodes that reads the vault.`,
      };
    if (hasSecretsStore(found) && !rotatesSecrets(found))
      yield {
        ...at,
        what: 'is a cluster whose Secrets Store CSI driver does not rotate secrets: pods would keep their certificates until they expire',
        allowed: 'a cluster with secret rotation',
        hint: `Run \`${rotationCommand(id)}\`.`,
      };
  });
}

/** A kind of which the stack creates objects on the management cluster. */
interface NeededKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Name of its CustomResourceDefinition. */
  readonly definition: string;
  /** Setting that needs the kind. */
  readonly field: string;
  readonly hint: string;
  /** Returns further problems of the definition, which is given as JSON. */
  readonly judge?: (definition: string) => Problem[];
}

/** Returns problems of kinds that the management cluster does not serve, or serves without the fields that the stack writes. */
async function definitionProblems(
  { settings: cluster, hyperShift = [] }: ClusterPlan,
  { path, settings: hosted, createsClasses, certificates }: HostedClusterPlan,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const needed: NeededKind[] = [];
  if (hosted.spec !== undefined)
    needed.push({
      ...{ ...hostedClusterKind, definition: 'hostedclusters.hypershift.openshift.io', field: 'spec' },
      hint:
        hyperShift.length > 0
          ? 'Add the file with the definitions (`hypershift install render --outputs crds`) to `hyperShift.install.manifests`, or apply it there, or remove `spec`.'
          : 'Install HyperShift there (`hyperShift.install` of the cluster, or `hypershift install`), or remove `spec`.',
      judge: (definition) =>
        // The platform has another field, `workloadIdentities`.
        hosted.kms === undefined || certificates !== undefined || definition.includes('"workloadIdentity":')
          ? []
          : [
              {
                path: [...path, 'kms'],
                what: `needs the field \`workloadIdentity\` of HostedClusters, which HyperShift on the cluster ${cluster.name} does not support`,
                allowed:
                  '`kms` with `authentication: ManagedIdentities`, or a HyperShift version of 2026 or later',
                hint: 'Update HyperShift there, or remove `kms`.',
              },
            ],
    });
  // A cluster that the stack creates, or one with the add-on, has the driver.
  if (cluster.mode !== 'create' && certificates?.reader !== undefined)
    needed.push({
      ...secretProviderClassKind,
      definition: 'secretproviderclasses.secrets-store.csi.x-k8s.io',
      field: createsClasses ? 'secretProviderClasses' : 'managementCluster',
      hint: 'Install the Secrets Store CSI driver there, with secret rotation.',
    });
  const problem = ({ kind, field, hint }: NeededKind, why: string): Problem => ({
    path: [...path, field],
    allowed: `a cluster that serves ${kind}`,
    what: `needs the kind ${kind}, which the cluster ${cluster.name} does not have${why}`,
    hint,
  });
  // The update that installs HyperShift creates the definitions in its manifests.
  const others = needed.filter(({ definition }) =>
    hyperShift.every(({ kind, metadata }) => kind !== definitionKind.kind || metadata.name !== definition),
  );
  if (cluster.mode === 'create' && (await azure.isMissing(cluster)))
    return others.map((neededKind) => problem(neededKind, ' yet: this update would create it'));
  return azure.ask(cluster, others, async (objects, neededKind) => {
    const definition = await objects.get<V1CustomResourceDefinition>({
      ...{ ...definitionKind, name: neededKind.definition },
    });
    const version = neededKind.apiVersion.split('/').at(-1);
    const isServed = definition?.spec.versions.some(({ name, served }) => name === version && served);
    return isServed === true
      ? (neededKind.judge?.(JSON.stringify(definition)) ?? [])
      : [problem(neededKind, '')];
  });
}

const definitionKind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
