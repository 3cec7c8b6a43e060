import * as pulumi from '@pulumi/pulumi';
import type { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import type { DependingIdentity } from '../../components/dependency/specification';
import type { EntraGroupMember } from '../../components/entra/entraGroup';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ClusterPlan, GroupPlan, IdentityPlan, VaultPlan, WorkloadPlan } from '../plan';
import { everyIdentity, generationSuffix } from '../plan';
import { ownerOf } from '../plan/owner';
import type { ClusterContext, EnvironmentContext } from './context';
import type { DeployedDependency } from './dependencies';
import { deployDependencies } from './dependencies';
import type { DeployedEntraGroup, RolesOfGroups } from './groups';
import { readableByGroups } from './groups';
import type { DeployedHostedClusters } from './hostedClusters';
import { deployHostedClusters } from './hostedClusters';
import type { DeployedIdentity, ReadyIdentities } from './identities';
import { storedCredential, trustedIdentity } from './identities';
import { known } from './known';
import { deployCluster } from './managedCluster';
import type { Namespaces } from './namespaces';
import { deployNamespaces } from './namespaces';
import { owned } from './owned';
import { deployPlatform, deployWebhook } from './platform';
import { deployPodIdentity, type DeployBinding } from './podIdentity';
import type { ProvisioningRight } from './provisioning';
import { provisioningRights } from './provisioning';
import { deployRoleGrants } from './roleGrants';
import type { DeployedSharedIdentity } from './sharedIdentities';
import { deployWorkload } from './workloads';

/**
 * One cluster of an environment, with its identities, its platform and its applications. A cluster waits for another only if an
 * application with dependencies runs on both: the first cluster of an application provisions its dependencies.
 */
export class DeployedCluster extends pulumi.ComponentResource {
  readonly cluster: WorkloadIdentityCluster;
  readonly context: ClusterContext;
  readonly identities: ReadyIdentities;
  readonly webhook: readonly pulumi.Resource[];
  private readonly namespaces: Namespaces;
  private readonly deployBinding: DeployBinding;
  /** The hosted clusters whose control planes run on the cluster. */
  readonly hostedClusters: DeployedHostedClusters;
  /** The applications on the cluster, with their dependencies. */
  private readonly workloads: readonly {
    readonly plan: WorkloadPlan;
    readonly provisioning: ProvisioningRight;
    readonly dependencies: readonly DeployedDependency[];
  }[];

  /** @param earlier clusters that come first and may provision the dependencies of applications here */
  constructor(
    environment: EnvironmentContext,
    readonly plan: ClusterPlan,
    earlier: readonly DeployedCluster[],
  ) {
    const owner = ownerOf(environment.stack, plan.settings.name);
    super(
      'aks-workload-identity:stacks:Cluster',
      plan.settings.name,
      {},
      { transformations: [owned(owner)] },
    );
    this.cluster = deployCluster(environment, plan, this);
    this.context = contextOf(environment, plan, this.cluster, this);
    this.identities = new Map(
      everyIdentity(plan).map((identity) => [
        identity.key,
        trustedIdentity(this.context, identity, sharedBinding(identity, earlier)),
      ]),
    );
    this.webhook = deployWebhook(this.context);
    const operator = deployPlatform(this.context, this.identities, this.webhook);
    this.namespaces = deployNamespaces(this.context, operator);
    const provisioned = earlier
      .flatMap((cluster) => cluster.dependencies)
      .filter(({ plan: { manages } }) => manages);
    const rightOf = provisioningRights(this.context, this.identities, operator, this.namespaces);
    this.workloads = plan.workloads.map((workload) => {
      const provisioning = rightOf(workload.application.name);
      const dependencies = deployDependencies(
        this.context,
        this.namespaces,
        provisioning,
        workload,
        [this.depending(workload.identity), ...workload.identitiesBeside.map((key) => this.depending(key))],
        provisioned,
      );
      return { plan: workload, provisioning, dependencies };
    });
    this.deployBinding = deployPodIdentity(this.context, this.namespaces, this.identities);
    this.hostedClusters = deployHostedClusters(this.context);
    this.registerOutputs({ issuer: this.cluster.issuerUrl });
  }

  /** Returns an identity on the cluster by its key. */
  identity(key: IdentityPlan['key']): DeployedIdentity {
    return known(this.identities, key).identity;
  }

  /** Returns the identity in the form that services need. */
  private depending(key: IdentityPlan['key']): DependingIdentity {
    const { identityName, principalId, tenantId } = this.identity(key);
    const { generation } = this.plan.identities.find((identity) => identity.key === key) ?? {};
    const suffix = generationSuffix(generation?.number);
    return { identityName, principalId, tenantId, ...(suffix !== '' && { suffix }) };
  }

  /** Dependencies of all applications on the cluster. */
  get dependencies(): readonly DeployedDependency[] {
    return this.workloads.flatMap(({ dependencies }) => dependencies);
  }

  /** Returns the identities of the cluster that become members of a group. */
  membersOf({ members }: GroupPlan): EntraGroupMember[] {
    return members
      .filter(({ cluster }) => cluster === this.plan.settings.name)
      .map(({ identity }) => ({ name: identity, principalId: this.identity(identity).principalId }));
  }

  /** Object ids of the cluster's identities and of the readers of hosted clusters' credentials, by the names of their grants. */
  get principals(): [string, pulumi.Output<string>][] {
    return [
      ...this.plan.identities.map(({ key }): [string, pulumi.Output<string>] => [
        key,
        this.identity(key).principalId,
      ]),
      ...this.hostedClusters.readers,
    ];
  }

  /**
   * Returns the first values of the connection strings that the cluster keeps current in a vault, with the names of the
   * secrets.
   */
  connectionsFor({ name }: VaultPlan): [string, pulumi.Output<string>][] {
    return this.workloads
      .flatMap(({ plan: { vault }, dependencies }) =>
        dependencies.filter(({ plan: { connectionVault = vault } }) => connectionVault === name),
      )
      .flatMap(
        ({ plan: { objectName }, dependency: { connectionString } }): [string, pulumi.Output<string>][] =>
          connectionString === undefined ? [] : [[objectName, connectionString]],
      );
  }

  /**
   * Returns the secrets that the cluster contributes to a vault, with their names: the credentials of its identities and of its
   * hosted clusters.
   */
  secretsFor({ application }: VaultPlan): [string, pulumi.Output<string>][] {
    if (application !== undefined) return [];
    const ofIdentities = everyIdentity(this.plan).flatMap((plan): [string, pulumi.Output<string>][] => {
      const { identity } = known(this.identities, plan.key);
      return plan.credential !== undefined && 'credential' in identity && identity.credential !== undefined
        ? [[plan.credential.secret, identity.credential]]
        : [];
    });
    return [...ofIdentities, ...this.hostedClusters.secrets];
  }

  /**
   * Deploys the applications and the hosted clusters, each once it can read its secrets and has its roles. Secrets that
   * dependencies contribute come later, and updates wait for them.
   */
  deployWorkloads(
    vaults: ReadonlyMap<string, KeyVault>,
    groups: readonly DeployedEntraGroup[],
    rolesOfGroups: RolesOfGroups,
    shared: readonly DeployedSharedIdentity[],
  ): void {
    const roles = new Map(
      this.plan.identities.map(({ key, roleGrants }) => {
        const { principalId } = this.identity(key);
        return [key, deployRoleGrants(this.context, { key, principalId }, roleGrants, this)] as const;
      }),
    );
    const central = vaults.get(this.context.settings.vault.name);
    this.hostedClusters.deployObjects(this.namespaces, central);
    for (const { plan, provisioning, dependencies } of this.workloads) {
      const ready = known(this.identities, plan.identity);
      const { identity, before } = ready;
      const ofPlan = this.plan.identities.find(({ key }) => key === plan.identity);
      const credential = ofPlan && storedCredential(this.context, ofPlan, ready);
      const vault = known(vaults, plan.vault);
      const sharedAs = ofPlan?.sharedAs;
      const grantee = sharedAs ?? plan.identity;
      // In a cell, the environment's stack has granted the access of a shared identity.
      const isGrantedThere = sharedAs !== undefined && this.context.central !== undefined;
      // A revoked application gets no grants.
      const granted =
        plan.revoked === true
          ? []
          : [
              ...(isGrantedThere ? [] : vault.readableBy(grantee, plan.application.secrets)),
              ...shared.filter(({ plan: { key } }) => key === sharedAs).flatMap(({ roles: own }) => own),
              ...(roles.get(plan.identity) ?? []),
              ...readableByGroups(groups, plan, vault, rolesOfGroups, this.context),
            ];
      deployWorkload(this.context, this.namespaces, plan, {
        identity,
        // With aad-pod-identity, its node component has the password, not the pods.
        credential: plan.application.signIn === 'podIdentity' ? undefined : credential,
        vault,
        dependencies: dependencies.map(({ dependency }) => dependency),
        // Pods can sign in only when something gives them a token.
        before: [...before, ...this.webhook, ...this.deployBinding(plan, identity, credential), ...granted],
        grantedLater:
          plan.revoked === true || isGrantedThere
            ? []
            : broughtGrants({ ...plan, identity: grantee }, vaults),
        provisioning,
      });
    }
  }
}

/** Returns the first binding of the same identity on earlier clusters, if they share it. */
function sharedBinding({ sharedAs }: IdentityPlan, earlier: readonly DeployedCluster[]): pulumi.Resource[] {
  if (sharedAs === undefined) return [];
  return earlier
    .flatMap(({ plan, identities }) =>
      plan.identities
        .filter((identity) => identity.sharedAs === sharedAs)
        .flatMap(({ key }) => identities.get(key)?.binding ?? []),
    )
    .slice(0, 1);
}

/** Returns the grants on secrets that dependencies contribute. These secrets exist only after the dependencies. */
function broughtGrants(
  { identity, vault, brought }: WorkloadPlan,
  vaults: ReadonlyMap<string, KeyVault>,
): pulumi.Resource[] {
  // The resources that make the vault reachable are left out: they exist earlier.
  const ofVault = known(vaults, vault).readableBy(identity, []);
  return brought
    .flatMap((secret) => known(vaults, secret.vault).readableBy(identity, [secret.secret]))
    .filter((grant) => !ofVault.includes(grant));
}

function contextOf(
  environment: EnvironmentContext,
  plan: ClusterPlan,
  cluster: WorkloadIdentityCluster,
  parent: pulumi.Resource,
): ClusterContext {
  // The contents of a deleted cluster disappear with it. From a retained cluster, they must be deleted.
  const deletedWith = plan.retainOnDelete ? undefined : cluster.managedCluster;
  return {
    ...environment,
    plan,
    cluster,
    parent,
    inCluster: { parent, providers: [cluster.provider], deletedWith },
  };
}
