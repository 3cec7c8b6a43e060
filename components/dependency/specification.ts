import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import type { DependencyConnection, DependencyKey } from './service';

/** The identity of the application on the cluster, which is given access. */
export interface DependingIdentity {
  /** Name in Azure. */
  readonly identityName: pulumi.Input<string>;
  /** Object id in Entra. */
  readonly principalId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
  /**
   * What the names of its access end with, in the stack and in the cluster: each of several identities of an application
   * has its own. Default: nothing.
   */
  readonly suffix?: string;
}

/** What the custom resources of a service are made with. */
export interface DependencyContext {
  /** Name of the service's custom resource, and of the ConfigMap and the secret that it exports to. */
  readonly objectName: string;
  /** Resource id of the group. */
  readonly groupId: pulumi.Input<string>;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  readonly tags: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  readonly connection: DependencyConnection;
  /** Name of the vault of the connection string, if pods have to be told. */
  readonly connectionVault?: string | undefined;
  /** The key that the application uses, if it uses one. Default: primary. */
  readonly key?: DependencyKey;
  readonly identity: DependingIdentity;
  /** Further identities of the application that are given the same access. Default: none. */
  readonly identitiesBeside?: readonly DependingIdentity[];
  /** Name of the cluster, for what each cluster has of its own in one service. */
  readonly cluster: string;
  /** Issuer of the cluster, and the service accounts that run the application. */
  readonly issuer: pulumi.Input<string>;
  readonly accounts: readonly TrustedServiceAccount[];
}

/** One custom resource. */
export interface CustomResourceBody {
  /** End of its name. Default: none: it is the service itself. */
  readonly suffix?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /**
   * It is not the service but the access of the application on this cluster: every cluster manages its own, and it is deleted
   * with the dependency.
   */
  readonly access?: boolean;
  /** It only reads the service, once that exists, and exports its keys. */
  readonly keys?: boolean;
  /** How long the engine waits for its deletion, `60m`. Default: the provider's ten minutes. */
  readonly deletionTakes?: string;
}

/** The custom resources of a service, and the values that the application gets. */
export interface Specification {
  /** The service itself, then what is in it, then the one that exports its keys. */
  readonly resources: readonly [CustomResourceBody, ...CustomResourceBody[]];
  /** Roles of the application's identity on the service. Default: none. */
  readonly dataRoles?: readonly BuiltInRole[];
  /** Values that are known without the operator and are not secret, by key. Default: none. */
  readonly configMapData?: Readonly<Record<string, string>>;
}

/** The part of a specification that depends on the kind of the service; `specify` adds what all services have. */
export interface ServiceDescription
  extends
    Pick<CustomResourceBody, 'apiVersion' | 'kind' | 'deletionTakes'>,
    Omit<Specification, 'resources'> {
  /** The specification without name, owner, region and tags. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Custom resources in the service, without `owner`: that is the service. */
  readonly within?: readonly CustomResourceBody[];
  /** The `operatorSpec` that exports the keys to the secret of the given name. Default: there are no keys. */
  readonly keys?: (secretName: string) => Readonly<Record<string, unknown>>;
}

/** A place that the operator exports a value to: a key of a ConfigMap or of a secret. */
export function exportTo(objectName: string, key: string) {
  return { name: objectName, key };
}

/** Name of a custom resource in the cluster. */
export function objectNameOf(objectName: string, { suffix }: Pick<CustomResourceBody, 'suffix'>): string {
  return suffix === undefined ? objectName : `${objectName}-${suffix}`;
}

/** What the name of a secret with a key ends with: pods read their variables only at start, so another key has another secret. */
export function keySuffix(key: DependencyKey = 'primary'): string {
  return key === 'primary' ? '' : `-${key}`;
}
