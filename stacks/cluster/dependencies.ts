import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../../components/azure/assignRole';
import type { DependencyCluster } from '../../components/dependency/azureDependency';
import { AzureDependency } from '../../components/dependency/azureDependency';
import { ProvisioningCredential } from '../../components/dependency/provisioningCredential';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import { defaultAudience, serviceOperatorAccount } from '../../components/identity/subjects';
import type { KeyVault } from '../../components/vault/keyVault';
import type { StackSettings } from '../configuration/schema';
import type { EnvironmentGroup } from '../environment/resourceGroup';
import type { ServicesGroup } from '../environment/servicesGroups';
import type { ClusterPlan, DependencyPlan, ProvisioningPlan, WorkloadPlan } from '../plan';
import type { IdentityPlace, ReadyIdentity } from './identities';
import { managedIdentity, trust } from './identities';
import { known } from './known';
import type { Operator } from './platform';

/** What the dependencies of a cluster's applications are made with. */
export interface DependenciesPlace {
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  /** The environment's group. */
  readonly group: EnvironmentGroup;
  readonly subscriptionId: pulumi.Output<string>;
  readonly servicesGroups: ReadonlyMap<string, ServicesGroup>;
  readonly identities: IdentityPlace;
  readonly namespaces: ReadonlyMap<string, kubernetes.core.v1.Namespace>;
  /** The cluster's operator; undefined if something else brings one. */
  readonly operator: Operator | undefined;
  readonly cluster: DependencyCluster;
  /** What addresses of storage end with in this cloud. */
  readonly storageSuffix: string;
  readonly vault: (name: string) => KeyVault;
  readonly inCluster: pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider };
  /** A dependency on the cluster that manages it, by `<application>/<dependency>`; that cluster comes first. */
  readonly managing: Map<string, AzureDependency>;
}

/** The right to provision, and when it was given. */
interface Right {
  /** What the custom resources depend on, so that it is there before them, and goes after them. */
  readonly before: readonly pulumi.Input<pulumi.Resource>[];
  readonly grantedAt: pulumi.Output<string | undefined>;
}

/** Who provisions on a cluster: the operator, and for single applications an identity of theirs. */
export class Provisioning {
  private readonly shared: Right;
  private readonly own: ReadonlyMap<string, Right>;

  constructor(private readonly place: DependenciesPlace) {
    const { operator, plan } = place;
    const ready = operator === undefined ? [] : [operator.ready];
    const rights =
      operator === undefined || plan.provisioning === undefined
        ? { before: [], grantedAt: pulumi.output(undefined) }
        : this.grant(operator.identity, plan.provisioning);
    this.shared = { ...rights, before: [...ready, ...rights.before] };
    this.own = new Map(
      plan.provisioners.map((provisioner) => {
        const { application, namespace } = provisioner;
        const identity = managedIdentity(place.identities, provisioner);
        const { credentials } = trust(place.identities, provisioner, identity, [
          { ...serviceOperatorAccount, audience: defaultAudience },
        ]);
        const right = this.grant(identity, provisioner);
        const { provider, ...options } = place.inCluster;
        const { secret } = new ProvisioningCredential(
          provisioner.key,
          {
            namespace: known(place.namespaces, namespace),
            identity,
            subscriptionId: place.subscriptionId,
          },
          pulumi.mergeOptions(
            { ...options, providers: [provider] },
            { dependsOn: [...credentials, ...ready] },
          ),
        );
        return [application, { ...right, before: [...ready, ...right.before, ...credentials, secret] }];
      }),
    );
  }

  /** By what right the application's dependencies are provisioned. */
  of(application: string): Right {
    return this.own.get(application) ?? this.shared;
  }

  /** On the group of the services and on nothing else. */
  private grant(identity: ManagedIdentity, { group: name, roles }: ProvisioningPlan): Right {
    const { servicesGroups, group, inCluster } = this.place;
    const { id: scope } = known(servicesGroups, name);
    const { principalId } = identity;
    const assignments = roles.map((role) =>
      assignRole(
        `${identity.grantName}/${name}/${role}`,
        { scope, role, principalId },
        { ...(inCluster.parent !== undefined && { parent: inCluster.parent }), ...group.opts },
      ),
    );
    return {
      before: assignments,
      grantedAt: pulumi
        .all(assignments.map(({ createdOn }) => createdOn as pulumi.Output<string | undefined>))
        .apply((all) =>
          all
            .filter((one) => one !== undefined)
            .sort()
            .at(-1),
        ),
    };
  }
}

/** What the workload depends on, and what of it the workload must have before it starts. */
export interface DeployedDependencies {
  readonly dependencies: readonly AzureDependency[];
  /** Access to what a vault holds of them. */
  readonly before: readonly pulumi.Input<pulumi.Resource>[];
}

/** Everything that an application on the cluster depends on. */
export function deployDependencies(
  place: DependenciesPlace,
  provisioning: Provisioning,
  workload: WorkloadPlan,
  { identity }: ReadyIdentity,
): DeployedDependencies {
  const made = workload.dependencies.map((plan) => {
    const dependency = deployDependency(place, provisioning, workload, plan, identity);
    return { dependency, before: inVault(place, workload, plan, dependency, identity) };
  });
  return {
    dependencies: made.map(({ dependency }) => dependency),
    before: made.flatMap(({ before }) => before),
  };
}

function deployDependency(
  place: DependenciesPlace,
  provisioning: Provisioning,
  { application, namespace, serviceAccounts, audience }: WorkloadPlan,
  plan: DependencyPlan,
  identity: ManagedIdentity,
): AzureDependency {
  const { settings, group, cluster, managing, inCluster, storageSuffix } = place;
  const { provider, ...options } = inCluster;
  const { before, grantedAt } = provisioning.of(application.name);
  const key = `${plan.application}/${plan.name}`;
  const first = managing.get(key);
  const { provider: azure } = group.opts;
  const dependency = new AzureDependency(
    plan.key,
    {
      application: application.name,
      dependency: plan.name,
      service: plan.service,
      namespace: known(place.namespaces, namespace),
      group: known(place.servicesGroups, plan.group),
      location: settings.location,
      tags: settings.tags,
      cluster,
      identity,
      accounts: serviceAccounts.map((serviceAccount) => ({ namespace, serviceAccount, audience })),
      connection: plan.connection,
      manages: plan.manages,
      deletion: plan.deletion,
      grantedAt,
      storageSuffix,
    },
    pulumi.mergeOptions(
      { ...options, providers: azure === undefined ? [provider] : [provider, azure] },
      // Who only looks at it finds nothing before it is there.
      {
        dependsOn:
          first === undefined ? [...before] : [...before, first.provisioned.apply(() => first.resources[0])],
      },
    ),
  );
  if (plan.manages) managing.set(key, dependency);
  return dependency;
}

/** The connection in the application's vault, written by the cluster that manages the service, read on each. */
function inVault(
  { vault: vaultOf }: DependenciesPlace,
  { vault: name }: WorkloadPlan,
  { objectName, manages }: DependencyPlan,
  { connectionString }: AzureDependency,
  identity: ManagedIdentity,
): readonly pulumi.Resource[] {
  if (connectionString === undefined) return [];
  const vault = vaultOf(name);
  if (manages) vault.writeSecret(objectName, connectionString);
  return vault.grantSecrets(identity, objectName).dependsOn;
}
