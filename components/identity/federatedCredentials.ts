import { FederatedIdentityCredential } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import type { ArgumentProblem } from '../resource/errors';
import { repetitions } from '../resource/argumentValues';
import type { ServiceAccountReference } from './subjects';
import { credentialName, defaultAudience, maxCredentialsPerIdentity, subjectOf } from './subjects';

/** A service account to trust if its tokens have the audience. */
export interface TrustedServiceAccount extends ServiceAccountReference {
  /** Audience of its tokens, 1 to 600 characters; `openshift` for HyperShift's data plane. Default: the component's. */
  readonly audience?: string;
}

/** An identity that trusts service accounts, for example a ManagedIdentity. */
export interface FederatedIdentity {
  /** Its name in Azure. */
  readonly identityName: pulumi.Input<string>;
  /** Its resource group. */
  readonly resourceGroupName: pulumi.Input<string>;
}

/** Arguments of FederatedCredentials. */
export interface FederatedCredentialsArgs {
  /**
   * The identity that trusts the service accounts. All federated credentials of an identity belong in one component, which
   * writes them one after the other: Azure refuses concurrent writes (409
   * ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity).
   */
  readonly identity: FederatedIdentity;
  /** Issuer URL of the cluster, exactly as the cluster reports it, including the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** Service accounts to trust: 1 to 20, each only once, even with different audiences. */
  readonly subjects: TrustedServiceAccount[];
  /**
   * Audience of the tokens, unless a service account has its own. Default: `api://AzureADTokenExchange`, as in AKS tokens.
   */
  readonly audience?: string;
  /**
   * Names in Azure of existing credentials, by their names in the stack (`<component>/<namespace>_<account>`): the name of
   * a credential cannot be changed. Default: each is named after its service account, `<namespace>_<account>`.
   */
  readonly importedNames?: Record<string, string>;
}

/**
 * Federated credentials that make an identity trust service accounts of a cluster. Workloads that need the trust depend on
 * the component.
 */
export class FederatedCredentials extends pulumi.ComponentResource {
  /** Subject claims of the trusted tokens. */
  readonly subjects: pulumi.Output<string[]>;

  constructor(name: string, args: FederatedCredentialsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:FederatedCredentials', name, {}, opts);
    args = checkedArguments('FederatedCredentials', name, args, (checked) =>
      credentialProblems(name, checked),
    );
    const { identity, issuer, audience = defaultAudience } = args;
    const credentials: FederatedIdentityCredential[] = [];
    for (const { inStack, inAzure, subject } of namedSubjects(name, args)) {
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
        // Depends on all previous ones, not only on the last. If an update removes b and d from a chain a-b-c-d, the engine
        // would not order the deletions, because it only follows direct dependencies.
        { parent: this, dependsOn: [...credentials] },
      );
      credentials.push(credential);
    }
    this.subjects = pulumi.all(credentials.map(({ subject }) => subject));
    this.registerOutputs({ subjects: this.subjects });
  }
}

/**
 * Returns the subjects with the names of their credentials in the stack and in Azure. They are sorted by the name in the
 * stack: the order of `subjects` has no effect.
 */
function namedSubjects(name: string, { subjects, importedNames }: FederatedCredentialsArgs) {
  return subjects
    .map((subject) => {
      const credential = credentialName(subject);
      // Neither part contains a slash, so `a` with `b-c_x` and `a-b` with `c_x` remain two resources.
      const inStack = `${name}/${credential}`;
      return { inStack, inAzure: importedNames?.[inStack] ?? credential, subject };
    })
    .sort((a, b) => (a.inStack < b.inStack ? -1 : 1));
}

/**
 * Returns problems of repeated subjects. The audience is ignored: Azure forbids a second credential of the same issuer and
 * subject, even with another audience.
 */
function repeatedSubjects(argument: string, subjects: readonly TrustedServiceAccount[]): ArgumentProblem[] {
  return repetitions(subjects.map(subjectOf)).map(({ index, first, value }) => ({
    ...{ argument: `${argument}[${index}]`, value },
    problem: `repeats ${argument}[${first}]`,
    allowed: 'each issuer and subject once per identity',
    hint: 'Remove one of them.',
  }));
}

/**
 * Returns problems of the argument `subjects` that Entra would refuse, apart from single values.
 * @param least minimum number of subjects
 */
export function subjectsProblems(subjects: readonly TrustedServiceAccount[], least = 1): ArgumentProblem[] {
  const { length } = subjects;
  const isAllowed = length >= least && length <= maxCredentialsPerIdentity;
  const wrongNumber = {
    argument: 'subjects',
    value: `${length} service accounts`,
    problem: 'cannot be trusted by one identity',
    allowed: `${least} to ${maxCredentialsPerIdentity}`,
    hint: 'Give some of the applications their own identity.',
  };
  return [...(isAllowed ? [] : [wrongNumber]), ...repeatedSubjects('subjects', subjects)];
}

/** Returns problems that Azure would refuse, apart from single values. */
function credentialProblems(name: string, args: FederatedCredentialsArgs): ArgumentProblem[] {
  const problems = subjectsProblems(args.subjects);
  // An imported name can equal that of another credential. A service account that is listed twice has only one name.
  const named = new Map(
    namedSubjects(name, args).map(({ inStack: stackName, inAzure }) => [stackName, inAzure]),
  );
  const inStack = [...named.keys()];
  for (const { index, first } of repetitions([...named.values()].map((inAzure) => inAzure.toLowerCase()))) {
    problems.push({
      ...{ argument: `importedNames["${inStack[index]}"]`, value: named.get(inStack[index] ?? '') },
      problem: `is already the name of the credential ${inStack[first]}`,
      allowed: 'each name once per identity',
      hint: 'Remove the entry, or delete the credential to let it be created again.',
    });
  }
  return problems;
}
