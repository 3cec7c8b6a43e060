import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { serviceOperatorChart } from './vendorCharts';
import { certManagerAnswers } from './certManagerQuestion';
import { installedPatterns } from './installedPatterns';
import { operatorSignedIn, webhooksAnswer } from './operatorQuestions';
import type { SelfReadingArgs } from './selfReading';
import { selfReading } from './selfReading';
import { checkedArguments } from '../azure/arguments';
import { PrivateState } from '../resource/privateState';
import type { SignInIdentity } from '../identity/signIn';
import { keyAnnotation, type StoredCredential } from '../identity/storedCredential';
import { serviceOperatorAccount } from '../identity/subjects';
import { waitFor } from '../waiting/wait';

/** An Azure cloud, in the form of the operator's chart. */
export interface ServiceOperatorCloud {
  /** Address of Entra, such as `https://login.microsoftonline.us/`. */
  readonly authorityHost: string;
  /** Address of the resource manager, such as `https://management.usgovcloudapi.net`. */
  readonly resourceManagerEndpoint: string;
  /** Audience of tokens for the resource manager, such as `https://management.core.usgovcloudapi.net/`. */
  readonly resourceManagerAudience: string;
}

/** Arguments of ServiceOperator. */
export interface ServiceOperatorArgs {
  /** The identity of the operator. No application should use it, because it would have the operator's rights. */
  readonly identity: SignInIdentity;
  /** Credential to sign in with instead of its service account's token. Default: none; it signs in with federation. */
  readonly credential?: StoredCredential;
  /** Subscription for its resources, unless a namespace or a resource names another one. */
  readonly subscriptionId: pulumi.Input<string>;
  /**
   * Custom resource definitions to install in addition to those that are always installed (resource groups and identities):
   * patterns for `group/kind`, separated by semicolons. Default: none.
   */
  readonly crdPattern?: string;
  /** Patterns of the kinds that the program itself creates through the operator. Default: none. */
  readonly furtherPatterns?: string[];
  /** Addresses of a cloud other than the public one. Default: the public cloud's. */
  readonly cloud?: ServiceOperatorCloud;
  /** Replicas of the operator; one is active. Default: 2. */
  readonly replicaCount?: number;
  /** Source of the chart. Default: 2.19.0 from the vendor's repository. */
  readonly source?: ChartSource;
  /** kubeconfig of an administrator. Each update uses it to wait until the operator works. */
  readonly kubeconfig: pulumi.Input<string>;
  /**
   * The operator's own identity, which it reads: an update waits until this proves that the operator gets tokens. Default:
   * none; an update waits only until the webhooks answer.
   */
  readonly selfReading?: SelfReadingArgs;
}

const heldRelease = new PrivateState<pulumi.Output<pulumi.Resource>>();

/**
 * Azure Service Operator v2, a Helm release that signs in with workload identity, unless `credential` is set. It depends on
 * cert-manager, which issues the certificates of its webhooks, and on the trust of its identity in `serviceOperatorAccount`.
 */
export class ServiceOperator extends pulumi.ComponentResource {
  /** Status of the release, once the operator works. */
  readonly status: pulumi.Output<string>;

  constructor(name: string, args: ServiceOperatorArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:ServiceOperator', name, {}, opts);
    args = checkedArguments('ServiceOperator', name, args);
    const { crdPattern, furtherPatterns, kubeconfig } = args;
    // Resolves once everything that the component depends on exists: cert-manager may be in the cluster without the stack. It
    // is a promise, because with an output of the component its children would wait for each other.
    const registered = new Promise((resolve) => void this.urn.apply(resolve));
    const release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? serviceOperatorChart),
        name: 'azure-service-operator',
        namespace: serviceOperatorAccount.namespace,
        createNamespace: true,
        values: {
          ...signInValues(args.credential),
          azureTenantID: args.identity.tenantId,
          azureSubscriptionID: args.subscriptionId,
          azureClientID: args.identity.clientId,
          crdPattern: installedPatterns(crdPattern, furtherPatterns).join(';'),
          replicaCount: args.replicaCount ?? 2,
          azureAuthorityHost: args.cloud?.authorityHost,
          azureResourceManagerEndpoint: args.cloud?.resourceManagerEndpoint,
          azureResourceManagerAudience: args.cloud?.resourceManagerAudience,
        },
        // The operator starts, installs its definitions, and restarts; of two replicas, one may wait minutes for the other. Its
        // pods are ready only when the definitions are installed (azure-service-operator v2/cmd/controller/app/setup.go).
        timeout: 1200,
      },
      {
        parent: this,
        dependsOn: waitFor(this, kubeconfig, pulumi.output(registered), () => certManagerAnswers).apply(
          () => [],
        ),
        deletedWith: opts?.deletedWith,
        // The manifest contains the operator's secret.
        ...(args.credential !== undefined && { additionalSecretOutputs: ['manifest', 'values'] }),
      },
    );
    const ready = workingRelease(name, args, release, { parent: this, deletedWith: opts?.deletedWith });
    heldRelease.keep(this, ready);
    this.status = ready.apply(() => release.status.status);
    // The engine makes the program wait for outputs, even if nothing depends on `ready`.
    this.registerOutputs({ status: this.status });
  }

  /** The release, once the operator works. Its custom resources depend on it and are deleted before it. */
  get ready(): pulumi.Output<pulumi.Resource> {
    return heldRelease.of(this);
  }
}

/** Returns the chart's values for the operator's sign-in. The operator reads its secret only at start. */
function signInValues(credential: StoredCredential | undefined): pulumi.Inputs {
  if (credential === undefined) return { useWorkloadIdentityAuth: true };
  const { certificate, password } = credential;
  return {
    useWorkloadIdentityAuth: false,
    ...(certificate !== undefined && { azureClientCertificate: pulumi.secret(certificate) }),
    ...(password !== undefined && { azureClientSecret: pulumi.secret(password) }),
    podAnnotations: keyAnnotation(credential),
  };
}

/** Returns the release, once the operator's webhooks answer and, with `selfReading`, it has signed in. */
function workingRelease(
  name: string,
  { kubeconfig, selfReading: own }: ServiceOperatorArgs,
  release: kubernetes.helm.v3.Release,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<pulumi.Resource> {
  const done = (): pulumi.Resource => release;
  const answers = waitFor(release, kubeconfig, release.status, () => webhooksAnswer);
  if (own === undefined) return answers.apply(done);
  const probe = selfReading(`${name}-signed-in`, own, { ...opts, dependsOn: answers.apply(done) });
  // The id of the probe is known only once the probe exists.
  const known = pulumi.all([own.identity.clientId, probe.id]);
  return waitFor(probe, kubeconfig, known, ([clientId]) => operatorSignedIn(clientId)).apply(done);
}
