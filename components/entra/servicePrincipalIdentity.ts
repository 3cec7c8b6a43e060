import * as azuread from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { subjectsProblems, type TrustedServiceAccount } from '../identity/federatedCredentials';
import { credentialName, defaultAudience, subjectOf } from '../identity/subjects';
import { ownedApplication, type NewApplication } from './ownedApplication';

/** Arguments of ServicePrincipalIdentity. */
export interface ServicePrincipalIdentityArgs extends NewApplication {
  /** Issuer URL of the cluster, exactly as the cluster says it, to the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** The service accounts that are trusted: up to 20, each only once, even with different audiences. */
  readonly subjects: TrustedServiceAccount[];
}

/**
 * An Entra application that service accounts of a cluster sign in as, by federation: it has no certificate and no password.
 * A ManagedIdentity does the same, and needs no rights in the directory to make.
 */
export class ServicePrincipalIdentity extends pulumi.ComponentResource {
  /** `/applications/<object id>` */
  readonly id: pulumi.Output<string>;
  /** Display name in Entra. */
  readonly identityName: pulumi.Output<string>;
  /** Application (client) id: what a service account is annotated with. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal: what is granted access. */
  readonly principalId: pulumi.Output<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Output<string>;
  /** Subject claims of the tokens that are trusted. */
  readonly subjects: pulumi.Output<string[]>;

  constructor(name: string, args: ServicePrincipalIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:entra:ServicePrincipalIdentity', name, {}, opts);
    args = checkedArguments('ServicePrincipalIdentity', name, args, ({ subjects }) =>
      subjectsProblems(subjects, 0),
    );
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
          // Not of the application: what depends on the component would not wait for it, and it would be retained with it.
          { parent: this },
        ),
    );
    this.id = application.id;
    this.identityName = application.displayName;
    this.clientId = application.clientId;
    this.principalId = principal.objectId;
    this.tenantId = principal.applicationTenantId;
    this.subjects = pulumi.all(credentials.map(({ subject }) => subject));
    const { id, identityName, clientId, principalId, tenantId, subjects } = this;
    this.registerOutputs({ id, identityName, clientId, principalId, tenantId, subjects });
  }
}
