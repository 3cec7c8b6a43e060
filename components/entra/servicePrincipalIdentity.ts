import * as azuread from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { subjectsProblems, type TrustedServiceAccount } from '../identity/federatedCredentials';
import { credentialName, defaultAudience, subjectOf } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import { registeredCertificate, type CertificateArgs } from './certificateIdentity';
import { ownedApplication, type NewApplication } from './ownedApplication';

/** A password, which Entra generates. */
export interface PasswordArgs {
  /** Its name in the stack and in Entra. */
  readonly name: string;
  /** When it expires (RFC 3339, whole seconds). */
  readonly expiresOn: string;
}

/** Arguments of ServicePrincipalIdentity. */
export interface ServicePrincipalIdentityArgs extends NewApplication {
  /** Issuer URL of the cluster, exactly as the cluster reports it, including the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** Service accounts to trust: up to 20, each only once, even with different audiences. */
  readonly subjects: TrustedServiceAccount[];
  /**
   * Certificates to sign in with. All are accepted; the last one is used. A renewal adds one at the end and keeps the
   * previous one. Not recommended: anyone who has the private key can sign in. Default: none.
   */
  readonly certificates?: CertificateArgs[];
  /** Passwords to sign in with, used like certificates, which are preferable. Default: none. */
  readonly passwords?: PasswordArgs[];
}

/**
 * An Entra application that service accounts of a cluster sign in as, with federation. It has a certificate or a password
 * only if `certificates` or `passwords` is set. A ManagedIdentity does the same, and creating it needs no directory
 * permissions.
 */
export class ServicePrincipalIdentity extends pulumi.ComponentResource {
  /** Its id, `/applications/<object id>`. */
  readonly id: pulumi.Output<string>;
  /** Display name in Entra. */
  readonly identityName: pulumi.Output<string>;
  /** Application (client) id, for the annotation of a service account. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal, to which access is granted. */
  readonly principalId: pulumi.Output<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Output<string>;
  /** Subject claims of the trusted tokens. */
  readonly subjects: pulumi.Output<string[]>;
  /**
   * The newest certificate with its private key (PKCS #8), as PEM, or the newest password. A secret; known once Entra
   * accepts it. Undefined if there is none.
   */
  readonly credential?: pulumi.Output<string>;
  /** When the credential expires (RFC 3339). */
  readonly expiresOn?: pulumi.Output<string>;
  /** Ids in Entra of all certificates or passwords, the newest last; empty with federation alone. */
  readonly keyIds: pulumi.Output<string[]>;

  constructor(name: string, args: ServicePrincipalIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:entra:ServicePrincipalIdentity', name, {}, opts);
    args = checkedArguments('ServicePrincipalIdentity', name, args, (checked) => [
      ...subjectsProblems(checked.subjects, 0),
      ...bothProblems(checked),
    ]);
    const { application, principal } = ownedApplication(name, args, this);
    const credentials = args.subjects.map(
      (subject) =>
        new azuread.ApplicationFederatedIdentityCredential(
          `${name}/${credentialName(subject)}`,
          {
            applicationId: application.id,
            displayName: credentialName(subject),
            issuer: args.issuer,
            subject: subjectOf(subject),
            audiences: [subject.audience ?? defaultAudience],
          },
          // The parent is not the application: dependents of the component would not wait for the credential, and it would be
          // retained together with the application.
          { parent: this },
        ),
    );
    this.id = application.id;
    this.identityName = application.displayName;
    this.clientId = application.clientId;
    this.principalId = principal.objectId;
    this.tenantId = principal.applicationTenantId;
    this.subjects = pulumi.all(credentials.map(({ subject }) => subject));
    const { displayName = name, certificates = [], passwords = [] } = args;
    const stored = [
      ...certificates.map((certificate) => {
        const registered = registeredCertificate(
          `${name}/${certificate.name}`,
          displayName,
          certificate.validityHours,
          application,
        );
        return {
          credential: registered.certificate,
          expiresOn: registered.notAfter,
          keyId: registered.keyId,
        };
      }),
      ...passwords.map((password) => registeredPassword(`${name}/${password.name}`, password, application)),
    ];
    const newest = stored.at(-1);
    if (newest !== undefined) {
      this.credential = newest.credential;
      this.expiresOn = newest.expiresOn;
    }
    this.keyIds = pulumi.all(stored.map(({ keyId }) => keyId));
    const { id, identityName, clientId, principalId, tenantId, subjects, credential, expiresOn, keyIds } =
      this;
    this.registerOutputs({
      ...{ id, identityName, clientId, principalId, tenantId, subjects, keyIds },
      ...(newest && { credential, expiresOn }),
    });
  }
}

/** Deploys a password that Entra generates for the application. */
function registeredPassword(name: string, password: PasswordArgs, parent: azuread.Application) {
  const { value, keyId, endDate } = new azuread.ApplicationPassword(
    name,
    { applicationId: parent.id, displayName: password.name, endDate: password.expiresOn },
    // The engine passes `retainOnDelete` on from the application, but a password must be deleted.
    { parent, retainOnDelete: false },
  );
  return { credential: pulumi.secret(value), expiresOn: endDate, keyId };
}

/** Returns a problem of both kinds of credentials: the newest one is used to sign in, so all must be of one kind. */
function bothProblems({
  certificates = [],
  passwords = [],
}: ServicePrincipalIdentityArgs): ArgumentProblem[] {
  if (certificates.length === 0 || passwords.length === 0) return [];
  return [
    {
      argument: 'passwords',
      problem: 'cannot be combined with `certificates`',
      allowed: 'either certificates or passwords',
    },
  ];
}
