import { FederatedIdentityCredential } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import type { ServiceAccountReference } from './subjects';
import { credentialName, defaultAudience, maxCredentialsPerIdentity, subjectOf } from './subjects';

/** A service account that is trusted if its tokens have the audience. */
export interface TrustedServiceAccount extends ServiceAccountReference {
  /**
   * Audience that its tokens must have, 1 to 600 characters; `openshift` for HyperShift's data plane. Default: the
   * component's.
   */
  readonly audience?: string;
}

/** Azure takes no longer audience (entra-docs workload-identity-federation-considerations). */
const maxAudienceLength = 600;

/** The identity that trusts. A ManagedIdentity is one. */
export interface FederatedIdentity {
  /** Its name in Azure. */
  readonly identityName: pulumi.Input<string>;
  /** Resource group that it is in. */
  readonly resourceGroupName: pulumi.Input<string>;
}

/** Arguments of FederatedCredentials. */
export interface FederatedCredentialsArgs {
  /**
   * The identity that trusts. All credentials of an identity belong in one component, which writes them one after the
   * other: Azure refuses simultaneous writes (409
   * ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity).
   */
  readonly identity: FederatedIdentity;
  /** Issuer URL of the cluster, exactly as the cluster says it, to the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** The service accounts that are trusted: 1 to 20, each only once, even with different audiences. */
  readonly subjects: TrustedServiceAccount[];
  /**
   * The audience that their tokens must have, unless a service account has its own. Default:
   * `api://AzureADTokenExchange`, as in the tokens of AKS.
   */
  readonly audience?: string;
  /**
   * Names in Azure of credentials that existed before, by their names in the stack
   * (`<component>/<namespace>_<account>`): the name of a credential cannot be changed. Default: each is named after its
   * service account, `<namespace>_<account>`.
   */
  readonly importedNames?: Record<string, string>;
}

/** The trust of one identity in service accounts of a cluster. Workloads that need the trust depend on the component. */
export class FederatedCredentials extends pulumi.ComponentResource {
  /** Subject claims of the tokens that are trusted. */
  readonly subjects: pulumi.Output<string[]>;

  constructor(name: string, args: FederatedCredentialsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:FederatedCredentials', name, {}, opts);
    const component = `FederatedCredentials ${name}`;
    const { identity, issuer, subjects, audience = defaultAudience, importedNames } = args;
    assertKnown(component, { subjects, audience, importedNames });
    assertSubjects(component, subjects);
    assertAudience(component, 'audience', audience);
    const named = namedSubjects(name, args);
    assertNames(component, named);
    const credentials: FederatedIdentityCredential[] = [];
    for (const { inStack, inAzure, subject } of named) {
      const credential = new FederatedIdentityCredential(
        inStack,
        {
          resourceGroupName: identity.resourceGroupName,
          resourceName: identity.identityName,
          federatedIdentityCredentialResourceName: inAzure,
          issuer,
          subject: subjectOf(subject),
          audiences: [subject.audience ?? audience],
        },
        // On all before it, not only on the last: of a chain a-b-c-d, b and d can be dropped in one update, and the engine
        // orders deletions by direct dependencies only.
        { parent: this, dependsOn: [...credentials] },
      );
      credentials.push(credential);
    }
    this.subjects = pulumi.all(credentials.map(({ subject }) => subject));
    this.registerOutputs({ subjects: this.subjects });
  }
}

interface NamedSubject {
  /** Name of the credential in the stack. */
  readonly inStack: string;
  /** Name of the credential in Azure. */
  readonly inAzure: string;
  readonly subject: TrustedServiceAccount;
}

/** Sorted by the name in the stack, so that the order in which the subjects are listed means nothing. */
function namedSubjects(name: string, { subjects, importedNames }: FederatedCredentialsArgs): NamedSubject[] {
  return subjects
    .map((subject) => {
      const credential = credentialName(subject);
      // A slash, which neither part has: `a`+`b-c_x` and `a-b`+`c_x` are two resources.
      const inStack = `${name}/${credential}`;
      return { inStack, inAzure: importedNames?.[inStack] ?? credential, subject };
    })
    .sort((a, b) => (a.inStack < b.inStack ? -1 : 1));
}

/** Refuses names that Azure would refuse: an imported name can be anything, also the name of another credential. */
function assertNames(component: string, named: readonly NamedSubject[]): void {
  named.forEach(({ inStack, inAzure }, index) => {
    const argument = `importedNames["${inStack}"]`;
    assertName({ component, argument, name: inAzure, type: 'federatedIdentityCredential' });
    const same = (one: NamedSubject) => one.inAzure.toLowerCase() === inAzure.toLowerCase();
    const other = named.slice(0, index).find(same);
    if (other === undefined) return;
    throw new InvalidArgumentError({
      component,
      argument,
      value: inAzure,
      problem: `is the name of the credential ${other.inStack} already`,
      allowed: 'each name once for an identity',
      remedy: 'Remove the entry, or delete the credential and let it be made anew.',
    });
  });
}

function assertAudience(component: string, argument: string, audience: string): void {
  if (audience.length >= 1 && audience.length <= maxAudienceLength) return;
  throw new InvalidArgumentError({
    component,
    argument,
    value: audience,
    problem: 'cannot be an audience',
    allowed: `a text of 1 to ${maxAudienceLength} characters`,
  });
}

function assertSubjects(component: string, subjects: readonly TrustedServiceAccount[]): void {
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
  subjects.forEach((subject, index) => {
    const argument = `subjects[${index}]`;
    for (const type of ['namespace', 'serviceAccount'] as const)
      assertName({ component, argument: `${argument}.${type}`, name: subject[type], type });
    if (subject.audience !== undefined) assertAudience(component, `${argument}.audience`, subject.audience);
    // Without the audience: Azure forbids a second credential of one issuer and subject even with another.
    const first = subjects.findIndex((one) => subjectOf(one) === subjectOf(subject));
    if (first === index) return;
    throw new InvalidArgumentError({
      component,
      argument,
      value: subjectOf(subject),
      problem: `is subjects[${first}] again`,
      allowed: 'each issuer and subject once for an identity',
      remedy: 'Remove one of them.',
    });
  });
}
