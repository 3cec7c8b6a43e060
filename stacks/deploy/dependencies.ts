import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { DependencyCluster } from '../../components/dependency/azureDependency';
import { AzureDependency } from '../../components/dependency/azureDependency';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup } from './resourceGroup';
import type { ServicesGroup } from './servicesGroups';
import type { Tags } from '../plan/tags';
import type { ClusterPlan, DependencyPlan, WorkloadPlan } from '../plan';
import type { IdentityContext } from './identities';
import { known } from './known';
import type { Operator } from './platform';
import type { Provisioning } from './provisioning';

/** What the dependencies of a cluster's applications are made with. */
export interface DependenciesContext {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  /** The environment's group. */
  readonly group: EnvironmentGroup;
  readonly subscriptionId: pulumi.Output<string>;
  readonly servicesGroups: ReadonlyMap<string, ServicesGroup>;
  readonly identities: IdentityContext;
  readonly namespaces: ReadonlyMap<string, kubernetes.core.v1.Namespace>;
  /** The cluster's operator; undefined if something else brings one. */
  readonly operator: Operator | undefined;
  readonly cluster: DependencyCluster;
  /** What addresses of storage end with in this cloud. */
  readonly storageSuffix: string;
  readonly inCluster: pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider };
  /** A dependency on the cluster that manages it, by `<application>/<dependency>`; that cluster comes first. */
  readonly managing: Map<string, AzureDependency>;
  readonly tags: Tags;
}

/** What an application depends on, as it was planned and as it was made. */
export interface DeployedDependency {
  readonly plan: DependencyPlan;
  readonly made: AzureDependency;
}

/** Everything that an application on the cluster depends on. */
export function deployDependencies(
  context: DependenciesContext,
  provisioning: Provisioning,
  workload: WorkloadPlan,
  identity: ManagedIdentity,
): readonly DeployedDependency[] {
  return workload.dependencies.map((plan) => ({
    plan,
    made: deployDependency(context, provisioning, workload, plan, identity),
  }));
}

function deployDependency(
  context: DependenciesContext,
  provisioning: Provisioning,
  { application, namespace, serviceAccounts, audience }: WorkloadPlan,
  plan: DependencyPlan,
  identity: ManagedIdentity,
): AzureDependency {
  const { settings, group, cluster, managing, inCluster, storageSuffix, tags } = context;
  const { provider, ...options } = inCluster;
  const { kind, ...service } = plan.service;
  const { before, grantedAt } = provisioning.of(application.name);
  const key = `${plan.application}/${plan.name}`;
  const first = managing.get(key);
  const { provider: azure } = group.opts;
  const dependency = new AzureDependency(
    plan.key,
    {
      application: application.name,
      dependency: plan.name,
      service: { [kind]: service },
      namespace: known(context.namespaces, namespace).metadata.name,
      group: known(context.servicesGroups, plan.group),
      location: settings.location,
      tags,
      cluster,
      identity,
      accounts: serviceAccounts.map((serviceAccount) => ({ namespace, serviceAccount, audience })),
      connection: plan.connection,
      manages: plan.manages,
      retainOnDelete: plan.retainOnDelete,
      grantedAt,
      storageSuffix,
    },
    pulumi.mergeOptions(
      { ...options, providers: azure === undefined ? [provider] : [provider, azure] },
      {
        aliases: [{ name: plan.alias }],
        // Who only looks at it finds nothing before it is there.
        dependsOn:
          first === undefined ? [...before] : [...before, first.provisioned.apply(() => first.resources[0])],
      },
    ),
  );
  if (plan.manages) managing.set(key, dependency);
  return dependency;
}
