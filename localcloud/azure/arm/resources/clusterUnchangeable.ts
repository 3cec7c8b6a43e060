import type { ResourceDocument } from '../../store/documents';
import { ArmError, badRequest } from '../errors';
import type { AgentPool, ClusterBody } from './clusterSchema';

/** A property that AKS does not change, or only in one direction. */
interface Row {
  /** Path below the cluster's `properties`, or below an agent pool. */
  readonly property: string;
  /** Its name in AKS's errors. */
  readonly called: string;
  /** Tells whether AKS makes the change. @default it makes none */
  readonly possible?: (was: unknown, requested: unknown) => boolean;
  /**
   * First API version in which a subscription with a preview feature can change it. Local subscriptions do not have the
   * feature.
   */
  readonly previewSince?: string;
}

const leaves = (value: string) => (was: unknown) => was !== value;

/**
 * Properties of a cluster. Sources:
 * - dnsPrefix and nodeResourceGroup: create-only (`x-ms-mutability`) in azure-rest-api-specs `…/aks`.
 * - enableRBAC: ForceNew in hashicorp/terraform-provider-azurerm `kubernetes_cluster_resource.go`.
 * - networkProfile: pulumi/pulumi-azure-native `provider/pkg/gen/replacement.go`; directions: MicrosoftDocs/azure-aks-docs
 *   `update-azure-cni.md` and `use-network-policies.md`.
 * - aadProfile: azure-aks-docs `enable-authentication-microsoft-entra-id.md` ("can't be disabled after being added"), and the
 *   text in Azure/AKS #1519.
 */
const ofCluster: readonly Row[] = [
  { property: 'dnsPrefix', called: 'properties.dnsPrefix' },
  { property: 'nodeResourceGroup', called: 'properties.nodeResourceGroup' },
  { property: 'enableRBAC', called: 'properties.enableRBAC' },
  { property: 'aadProfile.managed', called: 'aadProfile.managed', possible: (was) => was !== true },
  {
    property: 'networkProfile.networkPlugin',
    called: 'networkProfile.networkPlugin',
    possible: (was, requested) => was === 'kubenet' && requested === 'azure',
  },
  {
    property: 'networkProfile.networkPluginMode',
    called: 'networkProfile.networkPluginMode',
    possible: leaves('overlay'),
  },
  {
    property: 'networkProfile.networkDataplane',
    called: 'networkProfile.networkDataplane',
    possible: leaves('cilium'),
  },
  {
    property: 'networkProfile.networkPolicy',
    called: 'networkProfile.networkPolicy',
    possible: leaves('cilium'),
  },
];

/**
 * Properties of an agent pool. Sources:
 * - vmSize: MicrosoftDocs/azure-aks-docs `manage-node-pools.md`; text: Azure/bicep-registry-modules #7130; preview feature:
 *   Azure/azure-cli-extensions #9732.
 * - osType: kubernetes-sigs/cluster-api-provider-azure `api/v1beta1/azuremanagedmachinepool_webhook.go`.
 * - type: ForceNew in hashicorp/terraform-provider-azurerm `default_node_pool.go`.
 */
const ofPool: readonly Row[] = [
  { property: 'vmSize', called: 'agentPoolProfile.vmSize', previewSince: '2026-01-02-preview' },
  { property: 'osType', called: 'agentPoolProfile.osType' },
  { property: 'type', called: 'agentPoolProfile.type' },
];

/**
 * Refuses a PUT that changes a property that AKS does not change (hashicorp/terraform-provider-azurerm #938 and #26139), or
 * that adds an agent pool. Pools have their own operations for that (pulumi/pulumi-azure-nextgen #168).
 */
export function refuseUnchangeable(
  existing: ResourceDocument | undefined,
  requested: ClusterBody['properties'],
  apiVersion: string,
): void {
  if (existing === undefined) return;
  refuseChanges(ofCluster, existing.properties, requested ?? {}, apiVersion);
  const current = (existing.properties['agentPoolProfiles'] ?? []) as AgentPool[];
  for (const pool of requested?.agentPoolProfiles ?? []) {
    const before = current.find(({ name }) => name === pool.name);
    if (before === undefined) {
      throw badRequest(
        'A new agent pool was introduced. Adding agent pools to an existing cluster is not allowed through managed cluster operations. For agent pool specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api',
        'agentPoolProfiles',
      );
    }
    refuseChanges(ofPool, before, pool, apiVersion);
  }
}

function refuseChanges(rows: readonly Row[], current: object, requested: object, apiVersion: string): void {
  for (const { property, called, possible, previewSince } of rows) {
    const [was, is] = [current, requested].map((properties) => valueAt(properties, property));
    if (was === undefined || is === undefined || same(was, is) || possible?.(was, is) === true) continue;
    const message =
      previewSince !== undefined && apiVersion < previewSince
        ? `Changing property "${called}" is not allowed in an api-version before "${previewSince}".`
        : `Changing property '${called}' is not allowed.`;
    throw new ArmError(400, 'PropertyChangeNotAllowed', message, { target: called });
  }
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
      value,
    );

const same = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase();
