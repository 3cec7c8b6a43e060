import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import type { DependencyConnection, DependencyKey } from './service';

/** The application's identity on the cluster, which gets access. */
export interface DependingIdentity {
  /** Name in Azure. */
  readonly identityName: pulumi.Input<string>;
  /** Object id in Entra. */
  readonly principalId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
  /**
   * Suffix of the names of its access in the stack and in the cluster. Several identities of an application need different
   * ones. Default: none.
   */
  readonly suffix?: string;
}

/** Input for the custom resources of a service. */
export interface DependencyContext {
  /** Name of the service's custom resource, and of the ConfigMap and the secret that it exports to. */
  readonly objectName: string;
  /** Resource id of the group. */
  readonly groupId: pulumi.Input<string>;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  readonly tags: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  readonly connection: DependencyConnection;
  /** Name of the vault for the connection string, if the pods need to know it. */
  readonly connectionVault?: string | undefined;
  /** The key that the application uses, if any. Default: `primary`. */
  readonly key?: DependencyKey;
  readonly identity: DependingIdentity;
  /** Further identities of the application that get the same access. Default: none. */
  readonly identitiesBeside?: readonly DependingIdentity[];
  /** Name of the cluster, for objects in a service that each cluster has for itself. */
  readonly cluster: string;
  /** Issuer of the cluster; `accounts` are the service accounts that run the application. */
  readonly issuer: pulumi.Input<string>;
  readonly accounts: readonly TrustedServiceAccount[];
}

/** One custom resource. */
export interface CustomResourceBody {
  /** Suffix of its name. Default: none, for the service itself. */
  readonly suffix?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /**
   * True for the application's access on this cluster: every cluster manages its own, and it is deleted with the
   * dependency.
   */
  readonly access?: boolean;
  /** True if it only reads the service, once that exists, and exports its keys. */
  readonly keys?: boolean;
  /** Time that the engine waits for its deletion, `60m`. Default: the provider's ten minutes. */
  readonly deletionTakes?: string;
}

/** The custom resources of a service, and the values that the application gets. */
export interface Specification {
  /** The service itself, then the resources in it, then the custom resource that exports its keys. */
  readonly resources: readonly [CustomResourceBody, ...CustomResourceBody[]];
  /** Roles of the application's identity on the service. Default: none. */
  readonly dataRoles?: readonly BuiltInRole[];
  /** Values that are known without the operator and are not secret, by key. Default: none. */
  readonly configMapData?: Readonly<Record<string, string>>;
}

/** The part of a specification that depends on the kind of the service; `specify` adds the common part. */
export interface ServiceDescription
  extends
    Pick<CustomResourceBody, 'apiVersion' | 'kind' | 'deletionTakes'>,
    Omit<Specification, 'resources'> {
  /** The specification without name, owner, region and tags. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Custom resources in the service, without `owner`, which is the service. */
  readonly within?: readonly CustomResourceBody[];
  /** Returns the `operatorSpec` that exports the keys to the secret with this name. Default: there are no keys. */
  readonly keys?: (secretName: string) => Readonly<Record<string, unknown>>;
}

/** Returns a target of the operator's exports: a key of a ConfigMap or of a secret. */
export function exportTo(objectName: string, key: string) {
  return { name: objectName, key };
}

/** Returns the name of a custom resource in the cluster. */
export function objectNameOf(objectName: string, { suffix }: Pick<CustomResourceBody, 'suffix'>): string {
  return suffix === undefined ? objectName : `${objectName}-${suffix}`;
}

/**
 * Returns the suffix of the name of a secret with a key. Pods read their variables only at start, so another key has
 * another secret.
 */
export function keySuffix(key: DependencyKey = 'primary'): string {
  return key === 'primary' ? '' : `-${key}`;
}
