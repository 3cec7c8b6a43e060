import type * as pulumi from '@pulumi/pulumi';
import type { BuiltInRole } from '../azure/roles';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import { digestOf } from '../resource/digest';
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

/** Where a service is described, and for whom. */
export interface DependencyContext {
  /** Name of the custom resource and of what it exports to. */
  readonly objectName: string;
  /** Resource id of the group. */
  readonly groupId: pulumi.Input<string>;
  /** Azure region. */
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
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
  /** What its name has after that of the first one; of the first, nothing. */
  readonly suffix?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /**
   * It is access of the application on this cluster, and not the service: every cluster manages its own, and it goes with
   * the dependency.
   */
  readonly access?: boolean;
  /** How long its deletion is waited for, `60m`. Default: the provider's ten minutes. */
  readonly deletionTakes?: string;
}

/** A service as custom resources of the operator, and what the application is told of it. */
export interface Specification {
  /** The service itself first; the others are in it. */
  readonly resources: readonly [CustomResourceBody, ...CustomResourceBody[]];
  /** It only looks at the service, once that is there, and exports its keys. */
  readonly keys?: CustomResourceBody;
  /** Name in Azure. */
  readonly azureName: string;
  /** What the application's identity may do with it. */
  readonly dataRoles: readonly BuiltInRole[];
  /** What is known without the operator and is no secret, by key. */
  readonly configMapData: Readonly<Record<string, string>>;
}

/** A reference of the group as the owner of a custom resource: no custom resource of the group is needed for it. */
export function ownedByGroup({ groupId }: Pick<DependencyContext, 'groupId'>) {
  return { armId: groupId };
}

/**
 * A custom resource of its own for the keys of a service. The operator leaves a secret that it is no longer told to export;
 * the secret of a custom resource goes with it, as its owner, and so does this one with the connection.
 */
export function keysOf(
  service: CustomResourceBody,
  azureName: string,
  operatorSpec: Readonly<Record<string, unknown>>,
): CustomResourceBody {
  return { ...service, suffix: keysSuffix(azureName), spec: { ...service.spec, operatorSpec } };
}

/** Where the keys of a service are exported to: of another service elsewhere, which its pods wait for. */
export function keysPlace({ objectName }: Pick<DependencyContext, 'objectName'>, azureName: string) {
  return { objectName: `${objectName}-${keysSuffix(azureName)}` };
}

function keysSuffix(azureName: string): string {
  return `keys-${digestOf(azureName)}`;
}

/** A place that a value is exported to. */
export function exportTo({ objectName }: Pick<DependencyContext, 'objectName'>, key: string) {
  return { name: objectName, key };
}
