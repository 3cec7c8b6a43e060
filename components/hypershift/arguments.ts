import type * as pulumi from '@pulumi/pulumi';
import type { ArgumentProblem } from '../resource/errors';
import { repetitions } from '../resource/argumentValues';
import type { NewResource } from '../resource/newResource';
import type { CertificateArgs } from '../entra/certificateIdentity';
import { certificateProblems } from '../entra/certificateIdentity';
import type { HostedClusterComponent } from './components';
import { credentialsSecretName } from './components';

/** Encoding of a component's credentials in the vault, which the Secrets Store CSI driver decodes. */
export const ObjectEncoding = {
  /** As JSON. */
  Utf8: 'utf-8',
  /** The bytes of the JSON as hexadecimal digits. */
  Hex: 'hex',
  /** The bytes of the JSON in base64. */
  Base64: 'base64',
} as const;
export type ObjectEncoding = (typeof ObjectEncoding)[keyof typeof ObjectEncoding];

/** A component of the control plane that needs an identity. */
export interface HostedClusterComponentArgs {
  /** The component. */
  readonly component: HostedClusterComponent;
  /**
   * GUID of the role to assign to it. A custom role must be defined in the subscriptions of all its scopes. Default: the
   * built-in role for the component.
   */
  readonly role?: string;
  /** Name of its vault secret, if it signs in with a certificate. Default: `<component>-<hosted cluster>-json`. */
  readonly secretName?: string;
}

/** The resources that the components of a hosted cluster manage. Each component gets its role on those that it needs. */
export interface HostedClusterScopes {
  /** Id of the resource group of the hosted cluster's own resources: machines, disks, load balancers. */
  readonly resourceGroupId: pulumi.Input<string>;
  /** Id of the subnet of its nodes. */
  readonly subnet: pulumi.Input<string>;
  /** Id of the network security group of its nodes. */
  readonly networkSecurityGroupId: pulumi.Input<string>;
  /** Id of the DNS zone of its base domain. Default: none; the ingress operator gets no access to a zone. */
  readonly dnsZoneId?: pulumi.Input<string>;
}

/** The vault that holds the credentials of the components. */
export interface HostedClusterVault {
  /** Name in Azure. */
  readonly name: pulumi.Input<string>;
  /** Entra tenant of the vault, which must be the identities' tenant. */
  readonly tenantId: pulumi.Input<string>;
}

/** Certificates of the components. */
export interface HostedClusterCertificates {
  /** Certificates of each component, at least one, the newest last; see CertificateIdentity. */
  readonly certificates: CertificateArgs[];
  /** When the newest certificate must be renewed (RFC 3339). The credentials contain it for their readers. */
  readonly renewAfter: string;
  /** Encoding of the credentials in the vault. Default: `utf-8`. */
  readonly encoding?: ObjectEncoding;
  /** Address of Entra, as part of the credentials. Default: `https://login.microsoftonline.com/`. */
  readonly authority?: string;
  /** The vault for the credentials, which must be written to it; see `credentials`. */
  readonly vault: HostedClusterVault;
}

/** The key in a vault that encrypts the secrets of the API server. */
export interface HostedClusterKey {
  /** Resource id of the vault. */
  readonly vaultId: pulumi.Input<string>;
  /** Name of the key. */
  readonly keyName: string;
  /** Version of the key. */
  readonly keyVersion: string;
}

/** Arguments of HostedClusterIdentities. */
export interface HostedClusterIdentitiesArgs {
  /** Name of the hosted cluster. The names of its secrets end with it. */
  readonly hostedCluster: string;
  /** Prefix of the names of its identities in Azure and in Entra. Default: the name of the hosted cluster. */
  readonly identityPrefix?: string;
  /** Issuer of the hosted cluster's tokens (`issuerURL` of the HostedCluster), exactly as in the tokens. */
  readonly issuer: pulumi.Input<string>;
  /** The components that need an identity, each only once. */
  readonly components: HostedClusterComponentArgs[];
  /**
   * Certificates for the sign-in of the control plane (`ManagedIdentities`). Default: none; all components sign in with
   * federation (`WorkloadIdentities`).
   */
  readonly certificates?: HostedClusterCertificates;
  /** The scopes of the components' roles. */
  readonly scopes: HostedClusterScopes;
  /** The key for the component kms. Default: none; there is no such component. */
  readonly key?: HostedClusterKey;
  /** Resource group to create the managed identities in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Azure region of the managed identities. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /**
   * Names (GUIDs) of existing role assignments, by their names in the stack: Azure refuses a second assignment of a role.
   * Default: none.
   */
  readonly importedAssignments?: Record<string, string>;
  /**
   * Names in Azure of existing federated credentials, by their names in the stack: Azure refuses a second one for the same
   * subject. Default: none.
   */
  readonly importedNames?: Record<string, string>;
  /** Tags of the managed identities. Default: no tags. */
  readonly tags?: NewResource['tags'];
  /** Tags of the Entra applications: strings without a value. Default: no tags. */
  readonly entraTags?: string[];
  /** Keep the identities when they are removed from the program. Default: true. */
  readonly retainOnDelete?: boolean;
}

/** Returns problems of individually valid arguments that contradict each other. */
export function hostedClusterProblems(args: HostedClusterIdentitiesArgs): ArgumentProblem[] {
  const problems =
    args.certificates === undefined
      ? []
      : certificateProblems('certificates.certificates', args.certificates.certificates);
  const names = args.components.map(({ component }) => component);
  const hasKms = names.includes('kms');
  if (hasKms !== (args.key !== undefined)) {
    problems.push({
      argument: hasKms ? 'key' : 'components',
      problem: hasKms ? 'is missing for the component kms' : 'lacks kms, although there is a key for it',
      allowed: 'both, or none of them',
    });
  }
  const secrets = args.components.map(
    ({ component, secretName }) => secretName ?? credentialsSecretName(args.hostedCluster, component),
  );
  for (const { index, first, value } of repetitions(secrets.map((secret) => secret.toLowerCase()))) {
    // A repeated component is reported elsewhere.
    if (names[index] === names[first]) continue;
    problems.push({
      ...{ argument: `components[${index}].secretName`, value },
      problem: `repeats that of components[${first}]`,
      allowed: 'a separate secret for each component',
    });
  }
  return problems;
}
