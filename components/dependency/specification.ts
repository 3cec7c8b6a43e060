import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import type { DependencyConnection } from './service';

/** The identity of the application on the cluster, which is given access. */
export interface DependingIdentity {
  /** Name in Azure. */
  readonly identityName: pulumi.Input<string>;
  /** Object id in Entra. */
  readonly principalId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
}

/** What a service is described with. */
export interface DependencyContext {
  /** Name of the service's custom resource, and of the ConfigMap and the secret that it exports to. */
  readonly objectName: string;
  /** Resource id of the group. */
  readonly groupId: pulumi.Input<string>;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  readonly tags: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  readonly connection: DependencyConnection;
  readonly identity: DependingIdentity;
  /** Name of the cluster, for what each cluster has of its own in one service. */
  readonly cluster: string;
  /** Issuer of the cluster, and the service accounts that run the application. */
  readonly issuer: pulumi.Input<string>;
  readonly accounts: readonly TrustedServiceAccount[];
}

/** One custom resource. */
export interface CustomResourceBody {
  /** What its name ends with. Default: it is the service itself, whose name has no suffix. */
  readonly suffix?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /**
   * It is access of the application on this cluster, and not the service: every cluster manages its own, and it goes with
   * the dependency.
   */
  readonly access?: boolean;
  /** It only looks at the service, once that is there, and exports its keys. */
  readonly keys?: boolean;
  /** How long its deletion is waited for, `60m`. Default: the provider's ten minutes. */
  readonly deletionTakes?: string;
}

/** A service as custom resources of the operator, and the values that the application gets of it. */
export interface Specification {
  /** The service itself first, then what is in it, then what exports its keys. */
  readonly resources: readonly [CustomResourceBody, ...CustomResourceBody[]];
  /** What the application's identity may do with it. Default: nothing by roles. */
  readonly dataRoles?: readonly BuiltInRole[];
  /** What is known without the operator and is no secret, by key. Default: nothing. */
  readonly configMapData?: Readonly<Record<string, string>>;
}

/** What a service of one kind has beside what all services have. */
export interface ServiceDescription
  extends
    Pick<CustomResourceBody, 'apiVersion' | 'kind' | 'deletionTakes'>,
    Omit<Specification, 'resources'> {
  /** Without name, owner, region and tags. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** What is in the service: without its owner, which is the service. */
  readonly within?: readonly CustomResourceBody[];
  /** What the operator exports of the keys (`operatorSpec`), to the secret of that name. Default: nothing. */
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
