import type * as pulumi from '@pulumi/pulumi';
import type { ResourceGroupReference } from '../dependency/arguments';
import type { SignInIdentity } from '../identity/signIn';
import type { StoredCredential } from '../identity/storedCredential';
import { defaultAudience } from '../identity/subjects';
import type { ChartSource } from '../platform/chart';
import type { ArgumentProblem } from '../resource/errors';
import type { WorkloadDependency } from './dependencies';
import type { WorkloadSignIn } from './signIn';
import { programWaits } from './waits';

/** One image that serves `/healthz` (alive) and `/readyz` (has what it needs) over HTTP. */
export interface WorkloadImage {
  /** Image reference with a tag or a digest. */
  readonly reference: pulumi.Input<string>;
  /** Number of pods. Default: 2. */
  readonly replicas?: number;
  /** Port that the image serves. Default: 8080. */
  readonly port?: number;
  /** Further environment variables. Default: only KEY_VAULT_URI and SECRET_NAMES, and what the webhook injects. */
  readonly env?: Record<string, pulumi.Input<string>>;
}

/** The application's own chart. It gets the identity as values; see `identityValues`. */
export interface WorkloadChart {
  /** Where it comes from. */
  readonly source: ChartSource;
  /** The owner's values. The identity's values win over them. Default: the chart's own. */
  readonly values?: pulumi.Inputs;
  /**
   * The chart declares services of Azure itself, as custom resources of the operator. Their definitions and the operator's role
   * on the group must be there: put them into `dependsOn`. Default: it declares none.
   */
  readonly provisions?: ChartProvisions;
}

/** Where the operator provisions what a chart declares. */
export interface ChartProvisions {
  /** Name of the cluster, for messages. */
  readonly cluster: string;
  /** Resource group on which the operator has its role. */
  readonly group: ResourceGroupReference;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  /**
   * When the operator got its role, as Azure says: it may be refused for some minutes after. Default: not known; then a
   * refusal ends the wait at once.
   */
  readonly grantedAt?: pulumi.Input<string>;
}

/** How secrets reach a workload. */
export const SecretDelivery = {
  /** It reads the vault itself. */
  Application: 'application',
  /** The Secrets Store CSI driver writes them below `secretsFolder`. */
  Files: 'files',
  /** The driver copies them into a Kubernetes secret, of which the pods get variables. */
  Environment: 'environment',
} as const;
export type SecretDelivery = (typeof SecretDelivery)[keyof typeof SecretDelivery];

/** The vault from which a workload reads secrets. */
export interface WorkloadVault {
  /** Name of the vault in Azure. */
  readonly name: pulumi.Input<string>;
  /** `https://<name>.vault.azure.net/`. */
  readonly uri: pulumi.Input<string>;
  /**
   * Cloud that it is in, as the Secrets Store driver's Azure provider calls it: `AzureChinaCloud`, say. Default: the
   * public one.
   */
  readonly cloudName?: string;
  /** Names of the secrets that it was granted. */
  readonly secretNames: string[];
}

/** Arguments of Workload: exactly one of `image`, `chart` and `deployedByOthers`, and what they use. */
export interface WorkloadArgs {
  /** One image, for which a Deployment is made. */
  readonly image?: WorkloadImage;
  /** The owner's chart, which gets the identity as values. */
  readonly chart?: WorkloadChart;
  /** true: others deploy its pods, Argo CD, Flux or kubectl, say, under the service accounts that are made here. */
  readonly deployedByOthers?: boolean;
  /** Name of the application, a DNS label. */
  readonly application: string;
  /** Name of its namespace. */
  readonly namespace: pulumi.Input<string>;
  /**
   * Name of the service account that the pods run under: one that the identity trusts. Default: the application's name.
   */
  readonly serviceAccount?: string;
  /** The service account exists: it is annotated, and nothing else of it is touched. Default: false: it is made. */
  readonly existingServiceAccount?: boolean;
  /** Names of further service accounts to make, that the identity trusts as well. Default: none. */
  readonly furtherServiceAccounts?: string[];
  /** The identity that the workload acts as. */
  readonly identity: SignInIdentity;
  /**
   * What the pods sign in with in place of the token of their service account, as a Kubernetes secret. Not with `delivery` by
   * the driver; `audience` is unused then. Default: by federation.
   */
  readonly credential?: StoredCredential;
  /** The vault, and the secrets in it that the workload was granted. */
  readonly vault: WorkloadVault;
  /**
   * How its pods sign in. With `podIdentity` and `both`, a PodIdentityBinding of the application goes into `dependsOn`.
   * Default: `workloadIdentity`.
   */
  readonly signIn?: WorkloadSignIn;
  /** How the secrets reach it. Default: `application`: it reads the vault itself. */
  readonly delivery?: SecretDelivery;
  /**
   * Audience that the identity trusts. Only the default one with `delivery` by the driver, which has no other. Default:
   * `api://AzureADTokenExchange`.
   */
  readonly audience?: string;
  /**
   * Services of Azure that it depends on. The Deployment or the release is made at once. Its pods wait for the ConfigMaps and
   * the secrets of the services, and updates wait for the pods. Default: none.
   */
  readonly dependencies?: WorkloadDependency[];
  /**
   * kubeconfig of an administrator, to wait for pods that wait for services. Needed with `dependencies` and with
   * `chart.provisions`, unless `awaited` is false.
   */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Updates wait until the pods are ready. Default: true. */
  readonly awaited?: boolean;
}

/** Returns problems of a workload whose pods would never start, or whose pods nobody could wait for. */
export function workloadProblems({
  delivery = 'application',
  audience = defaultAudience,
  credential,
  signIn,
  ...args
}: WorkloadArgs): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  if (programWaits(args) && args.kubeconfig === undefined)
    problems.push({
      argument: 'kubeconfig',
      problem: 'is missing: updates wait for pods, which wait for Azure services',
      allowed: "an administrator's kubeconfig, or `awaited: false`",
    });
  const byDriver = credential === undefined && signIn !== 'podIdentity' && audience === defaultAudience;
  if (delivery !== 'application' && !byDriver)
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem:
        'is not possible with this sign-in: the driver signs in with workload identity, for its own audience',
      allowed: 'application',
    });
  return problems;
}
