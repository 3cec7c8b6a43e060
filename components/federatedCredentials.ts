import { FederatedIdentityCredential } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError } from './errors';
import type { ManagedIdentity } from './managedIdentity';
import { isValidName, nameRule } from './naming';
import type { ServiceAccountReference } from './subjects';
import { credentialName, defaultAudience, subjectOf } from './subjects';

/** An identity holds at most so many (entra-docs workload-identity-federation-considerations). */
export const maxCredentialsPerIdentity = 20;

export interface FederatedCredentialsArgs {
  /**
   * The identity that trusts. One component holds all credentials of an identity: Azure refuses writes to two
   * credentials of one identity at a time (409 ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity).
   */
  readonly identity: Pick<ManagedIdentity, 'identityName' | 'resourceGroupName'>;
  /** Issuer URL of the cluster, from the cluster's own output: it must match to the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** The service accounts that are trusted, 1 to 20, each once. */
  readonly subjects: readonly ServiceAccountReference[];
  /**
   * The audience that their tokens must have.
   * @default `api://AzureADTokenExchange`, as AKS issues them
   */
  readonly audience?: string;
}

/** The trust of one identity in service accounts of a cluster; written one after the other. */
export class FederatedCredentials extends pulumi.ComponentResource {
  /** The credentials in the order in which they are written. What needs the trust depends on all of them. */
  readonly credentials: readonly FederatedIdentityCredential[];
  /** The audience that tokens must have. */
  readonly audience: string;

  constructor(name: string, args: FederatedCredentialsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:FederatedCredentials', name, {}, opts);
    assertSubjects(`FederatedCredentials ${name}`, args.subjects);
    this.audience = args.audience ?? defaultAudience;
    this.credentials = this.chain(name, args, this.audience);
    this.registerOutputs({ subjects: args.subjects.map(subjectOf) });
  }

  private chain(name: string, args: FederatedCredentialsArgs, audience: string) {
    const credentials: FederatedIdentityCredential[] = [];
    // Sorted, so that the order in which the subjects are listed means nothing.
    const byName = args.subjects.map((subject) => ({ credential: credentialName(subject), subject }));
    byName.sort((a, b) => (a.credential < b.credential ? -1 : 1));
    for (const { credential, subject } of byName) {
      credentials.push(
        new FederatedIdentityCredential(
          // A slash, which neither part has: `a`+`b-c_x` and `a-b`+`c_x` must not be one resource.
          `${name}/${credential}`,
          {
            resourceGroupName: args.identity.resourceGroupName,
            resourceName: args.identity.identityName,
            federatedIdentityCredentialResourceName: credential,
            issuer: args.issuer,
            subject: subjectOf(subject),
            audiences: [audience],
          },
          // On all before it, not only on the last: of a chain a-b-c-d, b and d can be dropped in one update, and
          // the engine orders deletions by direct dependencies only.
          { parent: this, dependsOn: [...credentials] },
        ),
      );
    }
    return credentials;
  }
}

function assertSubjects(component: string, subjects: readonly ServiceAccountReference[]): void {
  if (subjects.length === 0 || subjects.length > maxCredentialsPerIdentity) {
    throw new InvalidArgumentError({
      component,
      argument: 'subjects',
      value: `${subjects.length} service accounts`,
      problem: 'cannot be trusted by one identity',
      allowed: `1 to ${maxCredentialsPerIdentity}`,
      remedy: 'Give some of the applications an identity of their own.',
    });
  }
  const seen = new Map<string, number>();
  subjects.forEach((subject, index) => {
    assertName(component, `subjects[${index}].namespace`, 'namespace', subject.namespace);
    assertName(component, `subjects[${index}].serviceAccount`, 'serviceAccount', subject.serviceAccount);
    const first = seen.get(subjectOf(subject));
    if (first !== undefined) {
      throw new InvalidArgumentError({
        component,
        argument: `subjects[${index}]`,
        value: subjectOf(subject),
        problem: `is subjects[${first}] again`,
        allowed: 'each issuer and subject once for an identity',
        remedy: 'Remove one of them.',
      });
    }
    seen.set(subjectOf(subject), index);
  });
}

function assertName(
  component: string,
  argument: string,
  type: 'namespace' | 'serviceAccount',
  value: string,
): void {
  if (isValidName(type, value)) return;
  const { allowed } = nameRule(type);
  throw new InvalidArgumentError({ component, argument, value, problem: `cannot be a ${type}`, allowed });
}
