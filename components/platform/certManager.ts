import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { Held } from '../resource/held';
import { sharedFate } from '../resource/sharedFate';
import { waitFor } from '../waiting/wait';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { certManagerChart } from './vendorCharts';
import { certManagerAnswers } from './certManagerQuestion';

/** Arguments of CertManager. */
export interface CertManagerArgs {
  /** Where the chart comes from. Default: v1.21.2 from the vendor's repository. */
  readonly source?: ChartSource;
  /** Replicas of the controller, the webhook and the injector each. Default: 1, as the chart's. */
  readonly replicaCount?: number;
  /**
   * Kubeconfig of an administrator. With it, each update waits until cert-manager's API answers. Default: an update
   * waits for what helm waits for.
   */
  readonly kubeconfig?: pulumi.Input<string>;
}

const held = new Held<pulumi.Output<kubernetes.helm.v3.Release>>();

/**
 * cert-manager, a Helm release. Ready pods alone say too little (pulumi-kubernetes-cert-manager #18: the first update
 * fails on the webhook, the second works). So the chart's `startupapicheck` creates a certificate as a dry run, through
 * the webhook, and helm waits for that hook; and, since it runs only when the release is made or changed, `ready` asks
 * the API at each update.
 */
export class CertManager extends pulumi.ComponentResource {
  /** Status of the release, once its API answers. */
  readonly status: pulumi.Output<string>;

  constructor(name: string, args: CertManagerArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:CertManager', name, {}, opts);
    const replicas = args.replicaCount ?? 1;
    const release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? certManagerChart),
        // Said, since Pulumi would otherwise add random characters to it.
        name: 'cert-manager',
        namespace: 'cert-manager',
        createNamespace: true,
        values: {
          crds: { enabled: true },
          replicaCount: replicas,
          webhook: { replicaCount: replicas },
          cainjector: { replicaCount: replicas },
          startupapicheck: { enabled: true, timeout: '5m' },
        },
        waitForJobs: true,
        timeout: 600,
      },
      { parent: this, ...sharedFate(opts) },
    );
    const ready =
      args.kubeconfig === undefined
        ? pulumi.output(release)
        : waitFor(release, args.kubeconfig, release.status, () => certManagerAnswers).apply(() => release);
    held.keep(this, ready);
    this.status = ready.apply((done) => done.status.status);
    // The engine has the program wait for outputs, also where nothing depends on `ready`.
    this.registerOutputs({ status: this.status });
  }

  /** The release once its API answers: what makes certificates depends on it. */
  get ready(): pulumi.Output<pulumi.Resource> {
    return held.of(this);
  }
}
