import * as pulumi from '@pulumi/pulumi';
import { AzureDependency } from '../../components/dependency/azureDependency';
import type { DependingIdentity } from '../../components/dependency/specification';
import type { DependencyPlan, WorkloadPlan } from '../plan';
import { inClusterAndGroup, type ClusterContext } from './context';
import { known } from './known';
import type { ProvisioningRight } from './provisioning';
import type { Namespaces } from './namespaces';

/** A dependency of an application, with its plan. */
export interface DeployedDependency {
  readonly plan: DependencyPlan;
  readonly dependency: AzureDependency;
}

/**
 * Deploys the dependencies of an application on the cluster.
 * @param provisioned dependencies that earlier clusters manage
 */
export function deployDependencies(
  context: ClusterContext,
  namespaces: Namespaces,
  { before, grantedAt }: ProvisioningRight,
  workload: WorkloadPlan,
  [identity, ...identitiesBeside]: readonly [DependingIdentity, ...DependingIdentity[]],
  provisioned: readonly DeployedDependency[],
): readonly DeployedDependency[] {
  const { settings, cloud, servicesGroups, tags, cluster } = context;
  const { namespace, serviceAccounts, audience } = workload;
  return workload.dependencies.map((plan) => {
    const { application, name, connection, connectionVault, usedKey, manages, retainOnDelete } = plan;
    const { kind, ...service } = plan.service;
    const first = provisioned.find(
      ({ plan: other }) => other.application === application && other.name === name,
    )?.dependency;
    const dependency = new AzureDependency(
      plan.key,
      {
        application,
        dependency: name,
        service: { [kind]: service },
        namespace: known(namespaces, namespace).metadata.name,
        group: known(servicesGroups, plan.group),
        location: settings.location,
        tags,
        cluster: {
          name: context.plan.settings.name,
          issuer: cluster.issuerUrl,
          kubeconfig: cluster.kubeconfig,
        },
        identity,
        identitiesBeside,
        accounts:
          workload.revoked === true
            ? []
            : serviceAccounts.map((serviceAccount) => ({ namespace, serviceAccount, audience })),
        connection,
        connectionVault,
        key: usedKey,
        manages,
        retainOnDelete,
        grantedAt,
        suffixes: cloud.suffixes,
        ...(workload.revoked === true && { revoked: true }),
      },
      pulumi.mergeOptions(inClusterAndGroup(context), {
        // A cluster that only reads the service finds it only after it is provisioned.
        dependsOn: [
          ...before,
          ...(first === undefined ? [] : [first.provisioned.apply(() => first.resources[0])]),
        ],
      }),
    );
    return { plan, dependency };
  });
}
