import type { ManifestObject } from '../../components/hypershift/operatorManifests';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { ClusterIdentities } from './clusterIdentities';
import type { ProvisioningPlan, ServicesGroupPlan } from './dependencies';
import type { GroupPlan } from './groups';
import type { HostedClusterPlan } from './hostedClusters';
import type { NamespacePlan } from './namespaces';
import type { ClusterPart } from './parts';
import type { TokenEventsPlan } from './podIdentity';
import type { SharedIdentityPlan } from './sharedIdentities';
import type { VaultPlan } from './vaults';
import type { WorkloadPlan } from './workloads';

// The plan of an environment: every resource, and every name that is derived from the settings. The checks read it and the
// deployment follows it, so what is checked is what is deployed. It never changes afterwards.

/** One cluster and everything on it. */
export interface ClusterPlan extends ClusterIdentities {
  readonly settings: ClusterSettings;
  /** Names in the stack of the parts that each cluster has. */
  readonly keys: Readonly<
    Record<
      'webhook' | 'certManager' | 'serviceOperator' | 'selfReader' | 'podIdentity' | 'hyperShift',
      string
    >
  >;
  readonly retainOnDelete: boolean;
  /** True if it is an existing cluster whose OIDC issuer and workload identity are enabled if they are off. */
  readonly enable: boolean;
  /** The writer of aad-pod-identity's token events, if it runs here. */
  readonly tokenEvents?: TokenEventsPlan;
  /** Rights that the operator's identity needs to provision services; undefined if it provisions none. */
  readonly provisioning?: ProvisioningPlan;
  /** Patterns that tell the operator which definitions of custom resources to install for the cluster. */
  readonly crdPatterns: readonly string[];
  readonly namespaces: readonly Readonly<NamespacePlan>[];
  readonly workloads: readonly WorkloadPlan[];
  /** Its parts beside the applications: the hosted clusters. */
  readonly parts: readonly ClusterPart[];
  /** The hosted clusters whose control planes run on it. */
  readonly hostedClusters: readonly HostedClusterPlan[];
  /** The objects of HyperShift's operator, if the stack installs it. */
  readonly hyperShift?: readonly ManifestObject[];
}

/** One environment. */
export interface EnvironmentPlan {
  /** True if any resource in the group is retained: deleting a group deletes everything in it. */
  readonly retainResourceGroup: boolean;
  readonly vaults: readonly VaultPlan[];
  /** Secrets that have a value but are named by no application; they are written nowhere. */
  readonly unnamedSecrets: readonly string[];
  /** Entra groups. */
  readonly groups: readonly GroupPlan[];
  /** Existing identities of applications on all their clusters. */
  readonly sharedIdentities: readonly SharedIdentityPlan[];
  /** Resource groups of the applications' dependencies. */
  readonly servicesGroups: readonly ServicesGroupPlan[];
  readonly clusters: readonly ClusterPlan[];
}

/** A part of the clusters of an environment, with a stack of its own. */
export interface CellPlan {
  readonly name: string;
  /** Name of its stack, `<environment>-<cell>`. */
  readonly stack: string;
  /** Wave of a rollout; the first is 1. */
  readonly wave: number;
  /** Names of its clusters. */
  readonly clusters: readonly string[];
}

/** A configuration that can be deployed. */
export interface Configuration {
  /** Name of the environment. It is the name of the stack, except for the stack of a cell. */
  readonly environment: string;
  /** The environment's; for a cell, with its clusters only. */
  readonly settings: StackSettings;
  readonly plan: EnvironmentPlan;
  /** The cells of the environment. If there are any, the environment's own stack deploys no cluster. */
  readonly cells: readonly CellPlan[];
  /** The cell that is deployed; undefined for the stack of the environment. */
  readonly cell?: CellPlan;
}
