import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ManagedIdentity } from '../identity/managedIdentity';
import { defaultAudience } from '../identity/subjects';
import { chartArgs } from '../platform/chart';
import { sharedFate } from '../resource/sharedFate';
import { waitFor } from '../waiting/wait';
import type { WorkloadAccount } from './accounts';
import { workloadAccounts } from './accounts';
import { assertWorkload } from './arguments';
import type { WorkloadChart } from './chart';
import { identityValues } from './chart';
import type { WorkloadDependency } from './dependencies';
import { allAccessible, dependencyAnnotations, dependencyValues, dependencyVariables } from './dependencies';
import type { WorkloadImage } from './deployment';
import { deploymentSpec } from './deployment';
import { isRolledOut } from './rolloutQuestion';
import type { ProvidedSecrets, SecretDelivery } from './secretProviderClass';
import { kubernetesSecretName, providedSecrets, secretProviderClass } from './secretProviderClass';
import { projectedToken } from './token';

/** What a workload reads secrets from. */
export interface WorkloadVault {
  /** Name of the vault in Azure. */
  readonly name: string;
  /** `https://<name>.vault.azure.net/`. */
  readonly uri: pulumi.Input<string>;
  /**
   * Cloud that it is in, as the Secrets Store driver's Azure provider calls it: `AzureChinaCloud`, say. Default: the
   * public one.
   */
  readonly cloudName?: string;
  /** Names of the secrets that it was granted. */
  readonly secretNames: readonly string[];
}

interface CommonWorkloadArgs {
  /** Name of the application, a DNS label. */
  readonly application: string;
  /** The namespace, made or found. */
  readonly namespace: kubernetes.core.v1.Namespace;
  /**
   * Name of the service account that the pods run under: one that the identity trusts. Default: the application's name.
   */
  readonly serviceAccount?: string;
  /** The service account exists: it is annotated, and nothing else of it is touched. Default: false: it is made. */
  readonly existingServiceAccount?: boolean;
  /** Names of further service accounts to make, that the identity trusts as well. Default: none. */
  readonly furtherServiceAccounts?: readonly string[];
  /** The identity that the workload acts as. */
  readonly identity: Pick<ManagedIdentity, 'clientId' | 'tenantId'>;
  /** The vault, and the secrets in it that the workload was granted. */
  readonly vault: WorkloadVault;
  /** How the secrets reach it. Default: `application`: it reads the vault itself. */
  readonly delivery?: SecretDelivery;
  /**
   * Audience that the identity trusts. Only the default one with `delivery` by the driver, which has no other. Default:
   * `api://AzureADTokenExchange`.
   */
  readonly audience?: string;
  /**
   * Services of Azure that it depends on. Its pods are made at once and start when these are there; a chart is released
   * then. Default: none.
   */
  readonly dependencies?: readonly WorkloadDependency[];
  /**
   * Kubeconfig of an administrator. With it, an update waits until the pods of a workload with dependencies run: the
   * engine does not wait for these. Default: an update does not wait for them.
   */
  readonly kubeconfig?: pulumi.Input<string>;
}

/** A workload of one image, for which a Deployment is made. */
export interface ImageWorkloadArgs extends CommonWorkloadArgs {
  /** What its pods run. */
  readonly image: WorkloadImage;
}

/** A workload that its owner's chart describes. */
export interface ChartWorkloadArgs extends CommonWorkloadArgs {
  /** The chart, which gets the identity as values. */
  readonly chart: WorkloadChart;
}

/** Arguments of Workload: an image, or the owner's chart. */
export type WorkloadArgs = ImageWorkloadArgs | ChartWorkloadArgs;

/** What both kinds of workload are made with. */
interface Parts {
  readonly namespace: pulumi.Output<string>;
  readonly accounts: readonly [string, ...string[]];
  readonly audience: string;
  /** The secrets that the driver delivers, and the SecretProviderClass that says so. */
  readonly provided?: { readonly secrets: ProvidedSecrets; readonly className: pulumi.Output<string> };
}

/**
 * An application on one cluster: service accounts with its identity's ids, and the pods that run under the first.
 * What it needs in Azure (trust, grants) goes into `dependsOn` of the component's options.
 */
export class Workload extends pulumi.ComponentResource {
  /** The service account that the pods run under. */
  readonly serviceAccount: WorkloadAccount;
  /** All service accounts, that one first. */
  readonly serviceAccounts: readonly [WorkloadAccount, ...WorkloadAccount[]];
  /** What the driver fetches; undefined if the workload reads the vault itself. */
  readonly secretProviderClass: kubernetes.apiextensions.CustomResource | undefined;
  /** The Deployment, or the release of the owner's chart. */
  readonly running: kubernetes.apps.v1.Deployment | kubernetes.helm.v3.Release;

  constructor(name: string, args: WorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:application:Workload', name, {}, opts);
    assertWorkload(name, args);
    const account = args.serviceAccount ?? args.application;
    const { application, identity } = args;
    const accounts = [account, ...(args.furtherServiceAccounts ?? [])] as const;
    const namespace = args.namespace.metadata.name;
    const children = { parent: this, ...sharedFate(opts) };
    this.serviceAccounts = workloadAccounts(
      name,
      accounts,
      { application, namespace, identity, firstExists: args.existingServiceAccount ?? false },
      children,
    );
    [this.serviceAccount] = this.serviceAccounts;
    const secrets = secretsOf(args);
    this.secretProviderClass =
      secrets && secretProviderClass(`${name}-secrets`, { ...secrets, namespace, identity }, children);
    const provided = secrets &&
      this.secretProviderClass && { secrets, className: this.secretProviderClass.metadata.name };
    const audience = args.audience ?? defaultAudience;
    const parts = { namespace, accounts, audience, ...(provided !== undefined && { provided }) };
    this.running =
      'chart' in args
        ? this.release(name, args, parts, children)
        : this.deployment(name, args, parts, children);
    this.registerOutputs({ namespace, serviceAccount: account, ...this.rollout(args) });
  }

  /** In the outputs, so that the update does not end before. */
  private rollout({ dependencies = [], kubeconfig }: WorkloadArgs): { running?: pulumi.Output<string> } {
    const { running } = this;
    if (dependencies.length === 0 || kubeconfig === undefined) return {};
    if (!(running instanceof kubernetes.apps.v1.Deployment)) return {};
    const { id, metadata } = running;
    const after = pulumi.all([metadata, id, allAccessible(dependencies)]);
    const done = waitFor(running, kubeconfig, after, ([{ namespace, name }]) => isRolledOut(namespace, name));
    return { running: pulumi.all([metadata, done]).apply(([{ name }]) => name) };
  }

  private deployment(
    name: string,
    args: ImageWorkloadArgs,
    { namespace, audience, provided }: Parts,
    opts: pulumi.CustomResourceOptions,
  ): kubernetes.apps.v1.Deployment {
    const { application, image, vault, dependencies = [] } = args;
    return new kubernetes.apps.v1.Deployment(
      name,
      {
        metadata: {
          name: application,
          namespace,
          labels: { 'app.kubernetes.io/name': application },
          // The engine would give up on pods that wait for a service after ten minutes, and a failed service would be
          // told only then: the program waits for both.
          ...(dependencies.length > 0 && { annotations: { 'pulumi.com/skipAwait': 'true' } }),
        },
        spec: deploymentSpec({
          application,
          image,
          // By its output: the account, and with it its annotations, is there before the first pod.
          serviceAccount: this.serviceAccount.metadata.apply(({ name: account }) => account),
          clientId: args.identity.clientId,
          environment: { ...image.env, KEY_VAULT_URI: vault.uri, SECRET_NAMES: vault.secretNames.join(',') },
          annotations: dependencyAnnotations(dependencies),
          additions: [
            projectedToken(audience),
            ...dependencies.map(dependencyVariables),
            ...(provided === undefined ? [] : [providedSecrets(provided.secrets, provided.className)]),
          ],
        }),
      },
      // The custom resources themselves, not what they come to: of a service that is replaced, the old one tells nothing
      // any more.
      pulumi.mergeOptions(opts, { dependsOn: dependencies.flatMap(({ resources }) => [...resources]) }),
    );
  }

  private release(
    name: string,
    args: ChartWorkloadArgs,
    { namespace, accounts, audience, provided }: Parts,
    opts: pulumi.CustomResourceOptions,
  ): kubernetes.helm.v3.Release {
    const { chart, identity, vault, dependencies = [] } = args;
    const delivered = provided && {
      secretProviderClass: provided.className,
      ...(provided.secrets.delivery === 'environment' && {
        kubernetesSecret: kubernetesSecretName(provided.secrets),
      }),
    };
    return new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(chart.source),
        name: args.application,
        namespace,
        values: {
          ...chart.values,
          ...identityValues({
            chart,
            identity,
            vault,
            accounts,
            audience,
            ...(delivered !== undefined && { delivered }),
          }),
          ...dependencyValues(dependencies),
        },
        timeout: 600,
      },
      pulumi.mergeOptions(opts, { dependsOn: [...this.serviceAccounts] }),
    );
  }
}

function secretsOf({ application, vault, delivery }: WorkloadArgs): ProvidedSecrets | undefined {
  if (delivery === undefined || delivery === 'application') return undefined;
  const { name: vaultName, cloudName, secretNames } = vault;
  return { application, vaultName, ...(cloudName !== undefined && { cloudName }), secretNames, delivery };
}
