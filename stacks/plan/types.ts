import type { BuiltInRole } from '../../components/azure/roles';
import type { ManifestObject } from '../../components/hypershift/operatorManifests';
import type { ServiceAccountReference } from '../../components/identity/subjects';
import type { VaultAccess } from '../../components/vault/access';
import type { VaultFirewall, VaultPrivateEndpoint } from '../../components/vault/arguments';
import type { ClusterSettings, ExistingGroupId, ExistingId, StackSettings } from '../settings/schema';
import type { WindowPlan } from './accessWindows';
import type { GrantedRole } from './granted';
import type { ConnectionPlan } from './connections';
import type { HostedClusterPlan } from './hostedClusters';
import type { StoredCredentialPlan } from './storedCredentials';
import type { planNamespaces, WorkloadPlan } from './workloads';

// The plan of an environment: every resource, and every name that is derived from the settings. The checks read it and the
// deployment follows it, so that what was checked is what is made. Nothing changes it afterwards.

/** A vault, with every secret that an application reads from it. */
export interface VaultPlan {
  /** Name in Azure. */
  readonly name: string;
  /** If the vault exists and is only used. */
  readonly existing?: ExistingId;
  readonly access: VaultAccess;
  /** The application whose own vault it is; undefined for the central vault. */
  readonly application?: string;
  readonly secrets: readonly string[];
  readonly retainOnDelete: boolean;
  readonly firewall?: VaultFirewall;
  readonly privateEndpoints?: readonly VaultPrivateEndpoint[];
  /** A lock keeps the vault from being deleted. */
  readonly lock?: boolean;
  /** Tags beside the environment's. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A service account that an identity trusts, and the audience that its tokens must have. */
export interface SubjectPlan extends ServiceAccountReference {
  readonly audience: string;
}

/** An identity on one cluster: whom it trusts, and what it may read. */
export interface IdentityPlan {
  /**
   * Name in the stack: `<cluster>`, `<cluster>-<application>`, `<cluster>-s<shard>`, `<cluster>-windows`, `<cluster>-connections`, or one of these with `-aso`,
   * or with `-g<generation>` from the second on.
   */
  readonly key: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** If the identity exists and is only used. */
  readonly existing?: ExistingId;
  readonly retainOnDelete: boolean;
  /** In Azure a managed identity; in Entra an application of its own. */
  readonly kind: 'managedIdentity' | 'servicePrincipal';
  /** By what it signs in; undefined: by federation. */
  readonly credential?: StoredCredentialPlan;
  /** Whose it is: the cluster's own, a shard of it, one application's, or that of the service operator or of the reconciler. */
  readonly scope: 'cluster' | 'shard' | 'application' | 'operator';
  /** Its generation, if the settings say which there are. */
  readonly generation?: { readonly number: number; readonly inUse: boolean };
  /** The applications that run as it, or as another generation of it. */
  readonly applications: readonly string[];
  /** Those of them that are revoked: it neither trusts them nor may read for them. */
  readonly revoked?: readonly string[];
  /** The service accounts that it trusts. */
  readonly subjects: readonly SubjectPlan[];
  /** What it may read, by vault. */
  readonly grants: readonly { readonly vault: string; readonly secrets: readonly string[] }[];
  /** The roles that it has. */
  readonly roleGrants: readonly GrantedRole[];
  /** What it may read at times, and the roles that it has at times, if there is any. */
  readonly windows?: readonly WindowPlan[];
}

/** A group of Entra, with its grant and its members. */
export interface GroupPlan {
  /** Name in the stack. */
  readonly name: string;
  /** Display name in Entra of one that is made. */
  readonly displayName: string;
  /** Object id, if the group exists and is only used. */
  readonly existing?: string | undefined;
  /** Name of its grant on the vault. */
  readonly grantee: string;
  /** Name of the vault with its secrets. */
  readonly vault: string;
  /** What its members may read there. */
  readonly secrets: readonly string[];
  /** The roles that its members have. */
  readonly roles: readonly GrantedRole[];
  readonly retainOnDelete: boolean;
  /** The identities that become members. */
  readonly members: readonly {
    readonly cluster: string;
    /** Key of the identity. */
    readonly identity: string;
    readonly azureName: string;
  }[];
}

/** A resource group for the services that applications depend on. */
export interface ServicesGroupPlan {
  /** Name in Azure. */
  readonly name: string;
  /** If it exists and is only used. */
  readonly existing?: ExistingGroupId;
  /** True as long as one service in the group is retained: a group is deleted with everything in it. */
  readonly retainOnDelete: boolean;
}

/** The roles that an identity needs on a resource group to provision services there. */
export interface ProvisioningPlan {
  /** Name of the group. */
  readonly group: string;
  /** Each with the name of its assignment in the stack. */
  readonly roles: readonly { readonly key: string; readonly role: BuiltInRole }[];
}

/** An identity that provisions what one application depends on, on one cluster. */
export interface ProvisionerPlan extends IdentityPlan, ProvisioningPlan {
  readonly application: string;
  /** Namespace whose custom resources the operator provisions as this identity. */
  readonly namespace: string;
}

/** The identity of what keeps connection strings current. */
export interface ConnectionWriterPlan extends IdentityPlan {
  /** What it writes. */
  readonly connections: readonly ConnectionPlan[];
}

/** What writes events of aad-pod-identity's tokens. */
export interface TokenEventsPlan {
  /** Name in the stack. */
  readonly key: string;
  /** Namespace of the node component. */
  readonly namespace: string;
}

/** One cluster and what is on it. */
export interface ClusterPlan {
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
  /** The cluster's own identity first, then its shards, then the dedicated ones. */
  readonly identities: readonly [IdentityPlan, ...IdentityPlan[]];
  /** The service operator's identity, if it is installed here: no application runs as it. */
  readonly operator?: IdentityPlan;
  /** The identity of what opens and closes access windows, if it runs here. */
  readonly reconciler?: IdentityPlan;
  /** The connection writer, if this cluster's operator provisions services whose connection strings it keeps current. */
  readonly connectionWriter?: ConnectionWriterPlan;
  /** What writes events of aad-pod-identity's tokens, if it runs here. */
  readonly tokenEvents?: TokenEventsPlan;
  /** What the operator's identity needs to provision services; undefined if it provisions none. */
  readonly provisioning?: ProvisioningPlan;
  /** Identities that provision for one application each. */
  readonly provisioners: readonly ProvisionerPlan[];
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
