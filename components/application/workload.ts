import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { SignInIdentity } from '../identity/signIn';
import { defaultAudience } from '../identity/subjects';
import { chartArgs } from '../platform/chart';
import { oneOf } from '../resource/given';
import { sharedFate } from '../resource/sharedFate';
import { workloadAccounts } from './accounts';
import { assertWorkload } from './arguments';
import type { WorkloadChart } from './chart';
import { identityValues } from './chart';
import type { WorkloadDependency } from './dependencies';
import { allAccessible, dependencyAnnotations, dependencyValues, dependencyVariables } from './dependencies';
import type { WorkloadImage } from './deployment';
import { deploymentSpec } from './deployment';
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
  readonly secretNames: string[];
}

/** Arguments of Workload: `image` or `chart`, and what it is given. */
export interface WorkloadArgs {
  /** One image, for which a Deployment is made. */
  readonly image?: WorkloadImage;
  /** The owner's chart, which gets the identity as values. */
  readonly chart?: WorkloadChart;
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
   * Services of Azure that it depends on. The Deployment or the release is made once it has access to all of them.
   * Default: none.
   */
  readonly dependencies?: WorkloadDependency[];
}

/** What both kinds of workload are made with. */
interface Parts {
  readonly accounts: readonly [string, ...string[]];
  /** Those accounts as they were made, or annotated. */
  readonly made: readonly [pulumi.Resource, ...pulumi.Resource[]];
  /** Name of the account that the pods run under, once it is there. */
  readonly account: pulumi.Output<string>;
  readonly audience: string;
  /** The secrets that the driver delivers, and the SecretProviderClass that says so. */
  readonly provided?: { readonly secrets: ProvidedSecrets; readonly className: pulumi.Output<string> };
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
  /** Name of the Deployment, or of the release of the owner's chart, once it runs. */
  readonly running: pulumi.Output<string>;

  constructor(name: string, args: WorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:application:Workload', name, {}, opts);
    assertWorkload(name, args);
    const { application, identity, namespace, image, chart } = args;
    const runs = oneOf(`Workload ${name}`, 'args', { image, chart });
    const accounts = [args.serviceAccount ?? application, ...(args.furtherServiceAccounts ?? [])] as const;
    const children = { parent: this, ...sharedFate(opts) };
    const made = workloadAccounts(
      name,
      accounts,
      { application, namespace, identity, firstExists: args.existingServiceAccount ?? false },
      children,
    );
    const secrets = secretsOf(args);
    const provided = secrets && {
      secrets,
      className: secretProviderClass(`${name}-secrets`, { ...secrets, namespace, identity }, children)
        .metadata.name,
    };
    this.namespace = pulumi.output(namespace);
    this.serviceAccount = made[0].metadata.apply(({ name: account }) => account);
    const parts = {
      ...{ accounts, made, account: this.serviceAccount },
      audience: args.audience ?? defaultAudience,
      ...(provided !== undefined && { provided }),
    };
    this.running =
      runs.kind === 'chart'
        ? release(name, args, runs.value, parts, children).name
        : deployment(name, args, runs.value, parts, children).metadata.name;
    this.registerOutputs({
      namespace: this.namespace,
      serviceAccount: this.serviceAccount,
      running: this.running,
    });
  }
}

function deployment(
  name: string,
  args: WorkloadArgs,
  image: WorkloadImage,
  { account, audience, provided }: Parts,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apps.v1.Deployment {
  const { application, namespace, vault, dependencies = [] } = args;
  return new kubernetes.apps.v1.Deployment(
    name,
    {
      metadata: {
        name: application,
        namespace,
        labels: { 'app.kubernetes.io/name': application },
      },
      spec: deploymentSpec({
        application,
        image,
        // By its output: the account, and with it its annotations, is there before the first pod.
        serviceAccount: account,
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
    // The engine's wait for the pods begins when the Deployment is made: by then, they have all that they need.
    pulumi.mergeOptions(opts, { dependsOn: allAccessible(dependencies) }),
  );
}

function release(
  name: string,
  args: WorkloadArgs,
  chart: WorkloadChart,
  { accounts, made, audience, provided }: Parts,
  opts: pulumi.CustomResourceOptions,
): kubernetes.helm.v3.Release {
  const { namespace, identity, vault, dependencies = [] } = args;
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
    pulumi.mergeOptions(opts, { dependsOn: [...made] }),
  );
}

function secretsOf({ application, vault, delivery }: WorkloadArgs): ProvidedSecrets | undefined {
  if (delivery === undefined || delivery === 'application') return undefined;
  const { name: vaultName, cloudName, secretNames } = vault;
  return { application, vaultName, ...(cloudName !== undefined && { cloudName }), secretNames, delivery };
}
