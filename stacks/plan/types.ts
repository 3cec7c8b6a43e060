import type { ManifestObject } from '../../components/hypershift/operatorManifests';
import type { ClusterSettings, StackSettings } from '../settings/schema';
import type { ProvisioningPlan, ServicesGroupPlan } from './dependencies';
import type { GroupPlan } from './groups';
import type { HostedClusterPlan } from './hostedClusters';
import type { ClusterIdentities } from './identities';
import type { planNamespaces } from './namespaces';
import type { TokenEventsPlan } from './tokenEvents';
import type { VaultPlan } from './vaults';
import type { WorkloadPlan } from './workloads';

// The plan of an environment: every resource, and every name that is derived from the settings. The checks read it and the
// deployment follows it, so that what was checked is what is made. Nothing changes it afterwards.

/** One cluster and what is on it. */
export interface ClusterPlan extends ClusterIdentities {
  readonly settings: ClusterSettings;
  /** Names in the stack of what is on each cluster. */
  readonly keys: Readonly<
    Record<
      'webhook' | 'certManager' | 'serviceOperator' | 'selfReader' | 'podIdentity' | 'hyperShift',
      string
    >
  >;
  readonly retainOnDelete: boolean;
  /** It exists, and its OIDC issuer and workload identity are switched on if they are off. */
  readonly enable: boolean;
  /** What writes events of aad-pod-identity's tokens, if it runs here. */
  readonly tokenEvents?: TokenEventsPlan;
  /** What the operator's identity needs to provision services; undefined if it provisions none. */
  readonly provisioning?: ProvisioningPlan;
  /** Patterns by which the operator installs the custom resources that are made on the cluster. */
  readonly crdPatterns: readonly string[];
  readonly namespaces: Readonly<ReturnType<typeof planNamespaces>>;
  readonly workloads: readonly WorkloadPlan[];
  /** The hosted clusters whose control planes run on it. */
  readonly hostedClusters: readonly HostedClusterPlan[];
  /** The objects of HyperShift's operator, if the stack installs it. */
  readonly hyperShift?: readonly ManifestObject[];
}

/** One environment. */
export interface EnvironmentPlan {
  /** True as long as one resource in the group is retained: a group is deleted with everything in it. */
  readonly retainResourceGroup: boolean;
  readonly vaults: readonly VaultPlan[];
  /** Secrets with a value that no application names: they are written nowhere. */
  readonly unnamedSecrets: readonly string[];
  /** Groups of Entra. */
  readonly groups: readonly GroupPlan[];
  /** Resource groups of what applications depend on. */
  readonly servicesGroups: readonly ServicesGroupPlan[];
  readonly clusters: readonly ClusterPlan[];
}

/** A configuration that can be deployed. */
export interface Configuration {
  /** Name of the stack, which is the name of the environment. */
  readonly environment: string;
  readonly settings: StackSettings;
  readonly plan: EnvironmentPlan;
}
