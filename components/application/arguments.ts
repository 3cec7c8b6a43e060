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
  /** Port on which the image serves HTTP. Default: 8080. */
  readonly port?: number;
  /** Further environment variables. Default: only KEY_VAULT_URI and SECRET_NAMES, and those that the webhook injects. */
  readonly env?: Record<string, pulumi.Input<string>>;
}

/** The application's own chart. It gets the identity as values; see `identityValues`. */
export interface WorkloadChart {
  /** Source of the chart. */
  readonly source: ChartSource;
  /** The owner's values. The identity's values override them. Default: the chart's own. */
  readonly values?: pulumi.Inputs;
  /**
   * Settings for a chart that itself declares Azure services, as custom resources of the operator. Put their definitions
   * and the operator's role on the group into `dependsOn`. Default: the chart declares none.
   */
  readonly provisions?: ChartProvisions;
}

/** Where the operator provisions what a chart declares. */
export interface ChartProvisions {
  /** Name of the cluster, for messages. */
  readonly cluster: string;
  /** Resource group that the operator has its role on. */
  readonly group: ResourceGroupReference;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  /**
   * When the operator's role was assigned, as Azure reports it: Azure may refuse the operator for some minutes afterwards.
   * Default: unknown; a refusal ends the wait at once.
   */
  readonly grantedAt?: pulumi.Input<string>;
}

/** How secrets reach a workload. */
export const SecretDelivery = {
  /** The workload reads the vault itself. */
  Application: 'application',
  /** The Secrets Store CSI driver writes them below `secretsFolder`. */
  Files: 'files',
  /** The driver copies them into a Kubernetes secret. The pods get variables from it. */
  Environment: 'environment',
} as const;
export type SecretDelivery = (typeof SecretDelivery)[keyof typeof SecretDelivery];

/** The vault from which a workload reads secrets. */
export interface WorkloadVault {
  /** Name of the vault in Azure. */
  readonly name: pulumi.Input<string>;
  /** URI of the vault, `https://<name>.vault.azure.net/`. */
  readonly uri: pulumi.Input<string>;
  /**
   * Cloud of the vault, as the Secrets Store driver's Azure provider names it, such as `AzureChinaCloud`. Default: the
   * public cloud.
   */
  readonly cloudName?: string;
  /** Names of the secrets that are granted to the workload. */
  readonly secretNames: string[];
}

/** Arguments of Workload: exactly one of `image`, `chart` and `deployedByOthers`, and what the pods need. */
export interface WorkloadArgs {
  /** The image to run in a Deployment. */
  readonly image?: WorkloadImage;
  /** The application's own chart, which gets the identity as values. */
  readonly chart?: WorkloadChart;
  /** True if others deploy the pods, such as Argo CD, Flux or kubectl, under the service accounts that are created here. */
  readonly deployedByOthers?: boolean;
  /** Name of the application, a DNS label. */
  readonly application: string;
  /** Name of the application's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** Name of the service account that the pods run under. The identity must trust it. Default: the application's name. */
  readonly serviceAccount?: string;
  /** Use an existing service account and set only its annotations. Default: false; it is created. */
  readonly existingServiceAccount?: boolean;
  /** Names of further service accounts to create, which the identity trusts as well. Default: none. */
  readonly furtherServiceAccounts?: string[];
  /** The identity that the workload signs in as. */
  readonly identity: SignInIdentity;
  /**
   * Credential that the pods sign in with instead of their service account's token, from a Kubernetes secret. It excludes
   * `delivery` by the driver, and `audience` is unused. Default: none; they sign in with federation.
   */
  readonly credential?: StoredCredential;
  /** The vault, and the secrets in it that are granted to the workload. */
  readonly vault: WorkloadVault;
  /**
   * True if the pods use the identity through an AKS identity binding: they get its annotation. Put the IdentityBinding into
   * `dependsOn`. It excludes `delivery` by the driver, other audiences and other ways to sign in. Default: false; the identity
   * trusts the service accounts.
   */
  readonly identityBinding?: boolean;
  /**
   * How its pods sign in. With `podIdentity` and `both`, put a PodIdentityBinding of the application into `dependsOn`.
   * Default: `workloadIdentity`.
   */
  readonly signIn?: WorkloadSignIn;
  /** How the secrets reach the workload. Default: `application`; it reads the vault itself. */
  readonly delivery?: SecretDelivery;
  /**
   * Audience that the identity trusts. With `delivery` by the driver, only the default is possible. Default:
   * `api://AzureADTokenExchange`.
   */
  readonly audience?: string;
  /**
   * Azure services that it depends on. The Deployment or the release is created at once. Its pods wait for the ConfigMaps
   * and the secrets of the services, and updates wait for the pods. Default: none.
   */
  readonly dependencies?: WorkloadDependency[];
  /**
   * kubeconfig of an administrator, to wait for pods that wait for services. Required with `dependencies` and
   * `chart.provisions`, unless `awaited` is false.
   */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Make updates wait until the pods are ready. Default: true. */
  readonly awaited?: boolean;
}

/** Returns problems that would keep the pods from starting, or updates from waiting for them. */
export function workloadProblems({
  delivery = 'application',
  audience = defaultAudience,
  credential,
  signIn = 'workloadIdentity',
  identityBinding = false,
  ...args
}: WorkloadArgs): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  if (programWaits(args) && args.kubeconfig === undefined)
    problems.push({
      argument: 'kubeconfig',
      problem: 'is missing: updates wait for pods, which wait for Azure services',
      allowed: "an administrator's kubeconfig, or `awaited: false`",
    });
  const byDriver =
    credential === undefined && signIn !== 'podIdentity' && audience === defaultAudience && !identityBinding;
  if (delivery !== 'application' && !byDriver)
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem:
        'is not possible with this sign-in: the driver signs in with workload identity, for its own audience',
      allowed: 'application',
    });
  if (
    identityBinding &&
    (credential !== undefined || signIn !== 'workloadIdentity' || audience !== defaultAudience)
  )
    problems.push({
      argument: 'identityBinding',
      value: 'true',
      problem: 'excludes a stored credential, another audience and aad-pod-identity: AKS exchanges the token',
      allowed: 'true without `credential`, `audience` and `signIn`',
    });
  return problems;
}
