import type { BuiltInRole } from '../../components/azure/roles';
import type { DependencyConnection, DependencyService } from '../../components/dependency/service';
import type { ServiceAccountReference } from '../../components/identity/subjects';
import type { VaultAccess } from '../../components/vault/access';
import type { VaultFirewall, VaultPrivateEndpoint } from '../../components/vault/network';
import type {
  ApplicationSettings,
  ClusterSettings,
  ExistingGroupId,
  ExistingId,
  StackSettings,
} from '../settings/schema';

// What a configuration comes to, worked out without making anything: who is who, who reads what. The checks
// and the compositions both go by it, so that what was checked is what is made.

/** What is around a vault that is made; that of an application takes from the central one what it does not say. */
export interface VaultSurroundings {
  readonly firewall?: VaultFirewall;
  readonly privateEndpoints?: readonly VaultPrivateEndpoint[];
  /** Nobody can delete it before the lock is gone. */
  readonly lock?: boolean;
  /** Tags beside the environment's. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A vault and every secret that the stack knows in it. */
export interface VaultPlan extends VaultSurroundings {
  /** Name in Azure. */
  readonly name: string;
  /** If the vault exists and is only used. */
  readonly existing?: ExistingId;
  readonly access: VaultAccess;
  /** The application that it is for; undefined for the central vault. */
  readonly application?: string;
  readonly secrets: readonly string[];
  readonly retainOnDelete: boolean;
}

/** What an identity may read in one vault. */
export interface GrantPlan {
  readonly vault: string;
  readonly secrets: readonly string[];
}

/** A service account that an identity trusts, if its tokens have the audience. */
export interface SubjectPlan extends ServiceAccountReference {
  readonly audience: string;
}

/** An identity on one cluster: whom it trusts, and what it may read. */
export interface IdentityPlan {
  /** Name in the stack: `<cluster>`, `<cluster>-<application>`, `<cluster>-s<shard>`, or one of these with `-aso`. */
  readonly key: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** If the identity exists and is only used. */
  readonly existing?: ExistingId;
  readonly retainOnDelete: boolean;
  /** Whose it is: the cluster's own, a shard of it, one application's, or the service operator's. */
  readonly scope: 'cluster' | 'shard' | 'application' | 'operator';
  /** The applications that run as it. */
  readonly applications: readonly string[];
  /** The service accounts that it trusts. */
  readonly subjects: readonly SubjectPlan[];
  readonly grants: readonly GrantPlan[];
}

/** A resource group of what applications depend on. */
export interface ServicesGroupPlan {
  /** Name in Azure. */
  readonly name: string;
  /** If it exists and is only used. */
  readonly existing?: ExistingGroupId;
  /** The application whose services alone are in it; undefined of the one for all others. */
  readonly application?: string;
  /** A group is deleted with all that is in it. */
  readonly retainOnDelete: boolean;
}

/** A service that an application depends on, on one cluster. */
export interface DependencyPlan {
  /** Name in the stack, by what it is in Azure: `<cluster>/storageAccount/<name>`. */
  readonly key: string;
  /** The name in the stack that earlier versions of this program gave it. */
  readonly alias: string;
  readonly application: string;
  /** What the application calls it. */
  readonly name: string;
  readonly service: DependencyService;
  readonly connection: DependencyConnection;
  /** Name of its custom resource, of what that exports to, and of the secret in a vault. */
  readonly objectName: string;
  /** Name of the group that it is in. */
  readonly group: string;
  /** The cluster whose operator provisions it; on the others it is only looked at. */
  readonly managedBy: string;
  readonly manages: boolean;
  readonly retainOnDelete: boolean;
}

/** The right to provision, on one group. */
export interface ProvisioningPlan {
  /** Name of the group. */
  readonly group: string;
  readonly roles: readonly BuiltInRole[];
}

/** An identity that provisions what one application depends on, on one cluster. */
export interface ProvisionerPlan extends IdentityPlan, ProvisioningPlan {
  readonly application: string;
  /** Namespace in which the operator acts as it. */
  readonly namespace: string;
}

/** A namespace of applications on one cluster. */
export interface NamespacePlan {
  readonly name: string;
  /** What applications made in Azure from it stays there when it goes. */
  readonly retainOnDelete: boolean;
  /** It exists, and is only used. */
  readonly existing: boolean;
}

/** An application on one cluster. */
export interface WorkloadPlan extends ServiceAccountReference {
  /** Name in the stack: `<cluster>-<application>`. */
  readonly key: string;
  /** The application with what is different on this cluster. */
  readonly application: ApplicationSettings;
  /** Version of its release, if it has a release file. */
  readonly version?: string;
  /** Digest of what that version runs and may read. */
  readonly digest?: string;
  /** The service account exists, and is only annotated. */
  readonly existingServiceAccount: boolean;
  /** Names of all its service accounts, the one that its pods run under first. */
  readonly serviceAccounts: readonly string[];
  /** Audience of the tokens that its pods present. */
  readonly audience: string;
  /** Key of the identity that it runs as. */
  readonly identity: string;
  /** Name of the vault that its secrets are in. */
  readonly vault: string;
  /** Every secret that it reads there: those that it names, and those that its dependencies bring. */
  readonly secrets: readonly string[];
  readonly dependencies: readonly DependencyPlan[];
}

/** One cluster and what is on it. */
export interface ClusterPlan {
  readonly settings: ClusterSettings;
  readonly retainOnDelete: boolean;
  /** The cluster's own identity first, then its shards, then the dedicated ones. */
  readonly identities: readonly [IdentityPlan, ...IdentityPlan[]];
  /** The service operator's identity, if it is installed here: no application runs as it. */
  readonly operator?: IdentityPlan;
  /** What the operator's identity provisions, if anything. */
  readonly provisioning?: ProvisioningPlan;
  /** Who provisions for single applications. */
  readonly provisioners: readonly ProvisionerPlan[];
  /** The operator's patterns of the custom resources that are made on the cluster. */
  readonly crdPatterns: readonly string[];
  readonly namespaces: readonly NamespacePlan[];
  readonly workloads: readonly WorkloadPlan[];
}

/** One environment. */
export interface EnvironmentPlan {
  /** The environment's resource group goes with everything in it, so it stays as long as anything in it does. */
  readonly retainResourceGroup: boolean;
  readonly vaults: readonly VaultPlan[];
  /** Secrets with a value that no application names: they are written nowhere. */
  readonly unnamedSecrets: readonly string[];
  /** Groups of what applications depend on. */
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
