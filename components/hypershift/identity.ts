import type * as pulumi from '@pulumi/pulumi';
import type { DataPlaneComponent, HostedClusterComponent } from './components';

/** A role of an identity. */
export interface HostedIdentityRole {
  /** GUID of the role. */
  readonly role: string;
  /** Name of the role in Azure. Undefined if it is not the component's built-in role. */
  readonly name?: string;
  /** Id of its scope. */
  readonly scope: string;
}

/** An identity of a hosted cluster. */
export interface HostedIdentity {
  /** The component that signs in as this identity. */
  readonly component: HostedClusterComponent;
  /** Name in Azure, or in Entra if it signs in with a certificate. */
  readonly name: string;
  /** Application (client) id. */
  readonly clientId: string;
  /** Object id, to which access is granted. */
  readonly principalId: string;
  /** The roles that it has. */
  readonly roles: HostedIdentityRole[];
  /** Resource id. Undefined if it signs in with a certificate. */
  readonly id?: string;
  /** Trusted subjects of the hosted cluster's issuer. Undefined if it signs in with a certificate. */
  readonly subjects?: string[];
  /** When its newest certificate expires (RFC 3339). Undefined if it signs in with federation. */
  readonly expiresOn?: string;
  /** Ids in Entra of its certificates, the newest last. Undefined if it signs in with federation. */
  readonly keyIds?: string[];
}

type PlainFields = Omit<HostedIdentity, 'component' | 'roles'>;

/** An identity during the deployment. */
export type PendingIdentity = { readonly [Key in keyof PlainFields]: pulumi.Input<PlainFields[Key]> } & {
  readonly roles: (Omit<HostedIdentityRole, 'scope'> & { readonly scope: pulumi.Input<string> })[];
};

/** A component of the control plane with its identity. */
export interface ComponentIdentity {
  readonly component: HostedClusterComponent;
  readonly identity: PendingIdentity;
  /** Name of the secret with its credentials, if it signs in with a certificate. */
  readonly secretName: string;
  /** Content of that secret. A secret; undefined if it signs in with federation. */
  readonly credentials?: pulumi.Output<string>;
}

/** A component that signs in from the nodes of the hosted cluster, with its identity. */
export interface NodeIdentity {
  readonly component: DataPlaneComponent;
  readonly identity: PendingIdentity;
}
