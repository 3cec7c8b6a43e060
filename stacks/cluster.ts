import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { CertManager, certManagerChart } from '../components/certManager';
import type { ChartSource } from '../components/chart';
import { FederatedCredentials } from '../components/federatedCredentials';
import type { KeyVault } from '../components/keyVault';
import { ManagedIdentity } from '../components/managedIdentity';
import { serviceOperatorAccount, serviceOperatorChart, ServiceOperator } from '../components/serviceOperator';
import { defaultAudience, subjectOf } from '../components/subjects';
import type { WorkloadChart } from '../components/workload';
import { Workload } from '../components/workload';
import type { WorkloadImage } from '../components/workloadDeployment';
import { WorkloadIdentityCluster } from '../components/workloadIdentityCluster';
import type { WorkloadOutput } from './outputs';
import type { ClusterPlan, IdentityPlan, WorkloadPlan } from './plan';
import type { ApplicationSettings, StackSettings } from './schema';
import { tagsOf } from './tags';

export interface ClusterArgs {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  /** The environment's resource group. */
  readonly resourceGroupName: pulumi.Output<string>;
  readonly subscriptionId: pulumi.Output<string>;
  /** The environment's vaults, by name. */
  readonly vaults: ReadonlyMap<string, KeyVault>;
}

/** An identity, and what must exist before anything can act as it. */
interface ReadyIdentity {
  readonly identity: ManagedIdentity;
  readonly before: readonly pulumi.Resource[];
}

/** One cluster of an environment and all that is on it. Clusters do not wait for each other. */
export class Cluster extends pulumi.ComponentResource {
  readonly cluster: WorkloadIdentityCluster;
  /** The cluster's own identity. */
  readonly identity: ManagedIdentity;
  private readonly identities: ReadonlyMap<string, ReadyIdentity>;

  constructor(
    readonly name: string,
    private readonly args: ClusterArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super('aks-workload-identity:stacks:Cluster', name, {}, opts);
    this.cluster = this.managedCluster();
    const own = this.trustedIdentity(args.plan.identities[0]);
    this.identity = own.identity;
    this.identities = new Map([
      [args.plan.identities[0].key, own],
      ...args.plan.identities.slice(1).map((plan) => [plan.key, this.trustedIdentity(plan)] as const),
    ]);
    this.platform();
    const namespaces = this.namespaces();
    for (const workload of args.plan.workloads) this.workload(workload, namespaces);
    this.registerOutputs({ issuer: this.cluster.issuerUrl });
  }

  /** What the stack tells of the applications on this cluster. */
  workloadOutputs(): pulumi.Input<WorkloadOutput>[] {
    return this.args.plan.workloads.map((plan) => {
      const { identity } = this.identityOf(plan);
      return pulumi.output({
        cluster: this.name,
        application: plan.application.name,
        namespace: plan.namespace,
        serviceAccount: plan.serviceAccount,
        identity: {
          name: identity.identityName,
          id: identity.id,
          clientId: identity.clientId,
          principalId: identity.principalId,
        },
        issuer: this.cluster.issuerUrl,
        subject: subjectOf(plan),
        audience: defaultAudience,
        grants: plan.application.secrets.map((secret) => ({ vault: plan.vault, secret })),
      });
    });
  }

  private managedCluster(): WorkloadIdentityCluster {
    const { settings, plan, resourceGroupName } = this.args;
    const { kubernetesVersion, nodes, tier } = plan.settings;
    return new WorkloadIdentityCluster(
      this.name,
      {
        resourceGroupName,
        location: settings.location,
        ...tagsOf(settings),
        ...(kubernetesVersion !== undefined && { kubernetesVersion }),
        ...(nodes !== undefined && { nodes }),
        ...(tier !== undefined && { tier }),
      },
      { parent: this },
    );
  }

  private managedIdentity({ key, azureName }: Pick<IdentityPlan, 'key' | 'azureName'>): ManagedIdentity {
    const { settings, resourceGroupName } = this.args;
    return new ManagedIdentity(
      key,
      {
        resourceGroupName,
        identityName: azureName,
        location: settings.location,
        ...tagsOf(settings),
        protect: settings.protect,
      },
      { parent: this },
    );
  }

  private trustedIdentity(plan: IdentityPlan): ReadyIdentity {
    const identity = this.managedIdentity(plan);
    const trust = plan.subjects.length > 0 ? [this.trust(plan.key, identity, plan.subjects)] : [];
    const grants = plan.grants.map(({ vault, secrets }) =>
      this.vault(vault).grantSecrets(identity, ...secrets),
    );
    return {
      identity,
      before: [
        ...trust.flatMap(({ credentials }) => credentials),
        ...grants.flatMap(({ dependsOn }) => dependsOn),
      ],
    };
  }

  private trust(
    key: string,
    identity: ManagedIdentity,
    subjects: IdentityPlan['subjects'],
  ): FederatedCredentials {
    return new FederatedCredentials(
      key,
      { identity, issuer: this.cluster.issuerUrl, subjects },
      { parent: this },
    );
  }

  private platform(): void {
    const { settings, plan, subscriptionId } = this.args;
    const certManager = new CertManager(
      `${this.name}-cert-manager`,
      {
        source: platformChart(settings.certManager, certManagerChart),
        ...(settings.certManager.replicas !== undefined && { replicaCount: settings.certManager.replicas }),
      },
      this.inCluster(),
    );
    const identity = this.managedIdentity(plan.operator);
    const { replicas, crdPattern } = settings.serviceOperator;
    new ServiceOperator(
      `${this.name}-service-operator`,
      {
        certManager,
        identity,
        trust: this.trust(plan.operator.key, identity, [serviceOperatorAccount]),
        subscriptionId,
        source: platformChart(settings.serviceOperator, serviceOperatorChart),
        ...(replicas !== undefined && { replicaCount: replicas }),
        ...(crdPattern !== undefined && { crdPattern }),
      },
      this.inCluster(),
    );
  }

  /** Apart from the applications, which may share one: no application's removal takes another's namespace. */
  private namespaces(): ReadonlyMap<string, kubernetes.core.v1.Namespace> {
    return new Map(
      this.args.plan.namespaces.map((name) => [
        name,
        new kubernetes.core.v1.Namespace(
          // A slash, which neither name has: `a`+`b-c` and `a-b`+`c` must not be one resource.
          `${this.name}/${name}`,
          { metadata: { name } },
          { parent: this, provider: this.cluster.provider, deletedWith: this.cluster.managedCluster },
        ),
      ]),
    );
  }

  private workload(
    plan: WorkloadPlan,
    namespaces: ReadonlyMap<string, kubernetes.core.v1.Namespace>,
  ): Workload {
    const { application, serviceAccount } = plan;
    const { identity, before } = this.identityOf(plan);
    const vault = this.vault(plan.vault);
    return new Workload(
      plan.key,
      {
        application: application.name,
        namespace: known(namespaces, plan.namespace),
        serviceAccount,
        identity,
        vault: { uri: vault.uri, secretNames: application.secrets },
        ...runOf(application),
      },
      pulumi.mergeOptions(this.inCluster(), { dependsOn: [...before] }),
    );
  }

  private inCluster(): pulumi.ComponentResourceOptions {
    const { provider, managedCluster } = this.cluster;
    return { parent: this, providers: [provider], deletedWith: managedCluster };
  }

  private identityOf(plan: WorkloadPlan): ReadyIdentity {
    return known(this.identities, plan.identity);
  }

  private vault(name: string): KeyVault {
    return known(this.args.vaults, name);
  }
}

/** What the plan names is made: anything else is a mistake in the plan, not in the configuration. */
function known<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`The plan names "${name}", which was not made.`);
  return found;
}

interface GivenChart {
  readonly chart?: string | undefined;
  readonly repository?: string | undefined;
  readonly version?: string | undefined;
}

/** The vendor's chart, in another version or from another place if the stack says so. */
function platformChart(given: GivenChart, vendors: ChartSource): ChartSource {
  if (given.chart === undefined) return { ...vendors, ...chartSource({ ...given, chart: vendors.chart }) };
  return chartSource({ ...given, chart: given.chart });
}

function chartSource({ chart, repository, version }: GivenChart & { readonly chart: string }): ChartSource {
  return {
    chart,
    ...(repository !== undefined && { repository }),
    ...(version !== undefined && { version }),
  };
}

/** What the application runs: its owner's chart, or an image. */
function runOf(application: ApplicationSettings): { chart: WorkloadChart } | { image: WorkloadImage } {
  const { name, chart, image, replicas, port, env } = application;
  if (chart !== undefined) {
    const { values } = chart;
    return { chart: { source: chartSource(chart), ...(values !== undefined && { values }) } };
  }
  if (image === undefined)
    throw new Error(`${name} has neither a chart nor an image; the checks let none through.`);
  return {
    image: {
      reference: image,
      ...(replicas !== undefined && { replicas }),
      ...(port !== undefined && { port }),
      ...(env !== undefined && { env }),
    },
  };
}
