import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import type { SignInIdentity } from '../identity/signIn';
import type { StoredCredential } from '../identity/storedCredential';
import { oneOf } from '../resource/given';
import { workloadAccounts } from './accounts';
import { workloadProblems } from './arguments';
import type { WorkloadChart } from './chart';
import { chartRelease } from './chart';
import { credentialSecret } from './credentialSecret';
import type { WorkloadDependency } from './dependencies';
import type { WorkloadImage } from './deployment';
import { imageDeployment } from './deployment';
import { deploymentRuns, releaseRuns } from './running';
import type { SecretDelivery } from './secretProviderClass';
import type { WorkloadSignIn } from './signIn';
import { deliveredSecrets } from './secretProviderClass';

/** What a workload reads secrets from. */
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

/** Arguments of Workload: `image`, `chart` or `deployedByOthers`, and what it is given. */
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
   * the driver, and not with `audience`. Default: by federation.
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

/**
 * An application on one cluster: service accounts with its identity's ids, and the pods that run under the first.
 * What it needs in Azure (trust, grants) goes into `dependsOn` of the component's options.
 */
export class Workload extends pulumi.ComponentResource {
  /** Name of the namespace. */
  readonly namespace: pulumi.Output<string>;
  /** Name of the service account that the pods run under. */
  readonly serviceAccount: pulumi.Output<string>;
  /** Name of the Deployment, or of the release of the owner's chart, once its pods are ready. Empty if others deploy it. */
  readonly running: pulumi.Output<string>;

  constructor(name: string, args: WorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:application:Workload', name, {}, opts);
    args = checkedArguments('Workload', name, args, workloadProblems);
    const { image, chart, deployedByOthers } = args;
    const runs = oneOf({ image, chart, deployedByOthers });
    const children = { parent: this, deletedWith: opts?.deletedWith };
    const accounts = workloadAccounts(name, args, children);
    const parts = {
      secrets: deliveredSecrets(name, args, children),
      credential: credentialSecret(name, args, children),
    };
    this.namespace = pulumi.output(args.namespace);
    this.serviceAccount = accounts[0].metadata.apply((metadata) => metadata.name);
    if (runs.kind === 'chart')
      this.running = releaseRuns(args, chartRelease(name, args, runs.value, accounts, parts, children));
    else if (runs.kind === 'image') {
      const deployment = imageDeployment(name, args, runs.value, this.serviceAccount, parts, children);
      this.running = deploymentRuns(args, deployment);
    } else this.running = pulumi.output('');
    this.registerOutputs({
      namespace: this.namespace,
      serviceAccount: this.serviceAccount,
      running: this.running,
    });
  }
}
