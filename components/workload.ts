import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { InvalidArgumentError } from './errors';
import type { ManagedIdentity } from './managedIdentity';
import { isValidName, nameRule } from './naming';
import { sharedFate } from './sharedFate';
import type { WorkloadImage } from './workloadDeployment';
import { deploymentSpec, useLabel } from './workloadDeployment';

/** The owner's own chart. It gets the identity as values; see `identityValues`. */
export interface WorkloadChart {
  readonly source: ChartSource;
  /**
   * The owner's values. The identity's values win over them.
   * @default the chart's own
   */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** What a workload reads secrets from. */
export interface WorkloadVault {
  readonly uri: pulumi.Input<string>;
  /** Names of the secrets that it was granted. */
  readonly secretNames: readonly string[];
}

interface CommonWorkloadArgs {
  /** Name of the application, a DNS label. */
  readonly application: string;
  /** An existing namespace. */
  readonly namespace: kubernetes.core.v1.Namespace;
  /**
   * Name of the service account: the one that the identity trusts.
   * @default the application's name
   */
  readonly serviceAccount?: string;
  /** The identity that the workload acts as. */
  readonly identity: Pick<ManagedIdentity, 'clientId' | 'tenantId'>;
  /** The vault, and the secrets in it that the workload was granted. */
  readonly vault: WorkloadVault;
}

/** A workload of one image, for which a Deployment is made. */
export interface ImageWorkloadArgs extends CommonWorkloadArgs {
  readonly image: WorkloadImage;
}

/** A workload that its owner's chart describes. */
export interface ChartWorkloadArgs extends CommonWorkloadArgs {
  readonly chart: WorkloadChart;
}

/** Arguments of Workload: an image, or the owner's chart. */
export type WorkloadArgs = ImageWorkloadArgs | ChartWorkloadArgs;

/**
 * An application on one cluster: a service account with its identity's ids, and the pods that run under it.
 * What it needs in Azure (trust, grants) goes into `dependsOn` of the component's options.
 */
export class Workload extends pulumi.ComponentResource {
  readonly serviceAccount: kubernetes.core.v1.ServiceAccount;
  /** The Deployment, or the release of the owner's chart. */
  readonly running: kubernetes.apps.v1.Deployment | kubernetes.helm.v3.Release;

  constructor(name: string, args: WorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:application:Workload', name, {}, opts);
    const account = args.serviceAccount ?? args.application;
    assertName(name, 'application', args.application);
    assertName(name, 'serviceAccount', account);
    const namespace = args.namespace.metadata.name;
    const children = { parent: this, ...sharedFate(opts) };
    this.serviceAccount = new kubernetes.core.v1.ServiceAccount(
      `${name}-account`,
      {
        metadata: {
          name: account,
          namespace,
          labels: { 'app.kubernetes.io/name': args.application },
          annotations: {
            'azure.workload.identity/client-id': args.identity.clientId,
            'azure.workload.identity/tenant-id': args.identity.tenantId,
          },
        },
      },
      children,
    );
    this.running =
      'chart' in args
        ? this.release(name, args, account, namespace, children)
        : this.deployment(name, args, namespace, children);
    this.registerOutputs({ namespace, serviceAccount: account });
  }

  private deployment(
    name: string,
    args: ImageWorkloadArgs,
    namespace: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
  ): kubernetes.apps.v1.Deployment {
    const { application, image, vault } = args;
    return new kubernetes.apps.v1.Deployment(
      name,
      {
        metadata: { name: application, namespace, labels: { 'app.kubernetes.io/name': application } },
        spec: deploymentSpec({
          application,
          image,
          // By its output: the account, and with it its annotations, is there before the first pod.
          serviceAccount: this.serviceAccount.metadata.name,
          clientId: args.identity.clientId,
          environment: { ...image.env, KEY_VAULT_URI: vault.uri, SECRET_NAMES: vault.secretNames.join(',') },
        }),
      },
      opts,
    );
  }

  private release(
    name: string,
    args: ChartWorkloadArgs,
    account: string,
    namespace: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
  ): kubernetes.helm.v3.Release {
    return new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.chart.source),
        name: args.application,
        namespace,
        values: { ...args.chart.values, ...identityValues(args, account) },
        timeout: 600,
      },
      pulumi.mergeOptions(opts, { dependsOn: [this.serviceAccount] }),
    );
  }
}

/**
 * The values that an owner's chart gets, and must use:
 *
 * - `serviceAccount.create`: false, and `serviceAccount.name`: the annotated account to run the pods under
 * - `podLabels`: with the label that the workload identity webhook selects pods by
 * - `azure.clientId`, `azure.tenantId`, `azure.keyVaultUri`, `azure.secretNames` (a list); the client id best also as
 *   an annotation of the pods, so that another identity makes new ones
 */
export function identityValues(
  { chart, identity, vault }: Pick<ChartWorkloadArgs, 'chart' | 'identity' | 'vault'>,
  account: string,
): Record<string, unknown> {
  return {
    serviceAccount: { ...objectAt(chart.values, 'serviceAccount'), create: false, name: account },
    podLabels: { ...objectAt(chart.values, 'podLabels'), ...useLabel },
    azure: {
      ...objectAt(chart.values, 'azure'),
      clientId: identity.clientId,
      tenantId: identity.tenantId,
      keyVaultUri: vault.uri,
      secretNames: [...vault.secretNames],
    },
  };
}

function objectAt(values: Readonly<Record<string, unknown>> | undefined, key: string): object {
  const value = values?.[key];
  return typeof value === 'object' && value !== null ? value : {};
}

function assertName(name: string, type: 'application' | 'serviceAccount', value: string): void {
  if (isValidName(type, value)) return;
  throw new InvalidArgumentError({
    component: `Workload ${name}`,
    argument: type,
    value,
    problem: `cannot be the name of ${type === 'application' ? 'an application' : 'a service account'}`,
    allowed: nameRule(type).allowed,
  });
}
