import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../../components/azure/assignRole';
import { ProvisioningCredential } from '../../components/dependency/provisioningCredential';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { ProvisioningPlan } from '../plan';
import type { ClusterContext } from './context';
import { trustedIdentity } from './identities';
import { known } from './known';
import type { Operator } from './platform';
import type { Namespaces } from './workloads';

/** The right to provision, and when it was given. */
export interface ProvisioningRight {
  /** What the custom resources depend on, so that it is there before them, and goes after them. */
  readonly before: readonly pulumi.Input<pulumi.Resource>[];
  /** Empty if it is not known. */
  readonly grantedAt: pulumi.Output<string>;
}

/** By what right an application's dependencies are provisioned: the operator's, or that of an identity of their own. */
export function provisioningRights(
  context: ClusterContext,
  operator: Operator | undefined,
  namespaces: Namespaces,
): (application: string) => ProvisioningRight {
  const { plan, subscriptionId, inCluster } = context;
  const ready = operator === undefined ? [] : [operator.ready];
  const ofOperator =
    operator === undefined || plan.provisioning === undefined
      ? { before: [], grantedAt: pulumi.output('') }
      : grant(context, operator.identity, operator.key, plan.provisioning);
  const shared = { ...ofOperator, before: [...ready, ...ofOperator.before] };
  const own = new Map(
    plan.provisioners.map((provisioner) => {
      const { key, application, namespace } = provisioner;
      const { identity, before: trust } = trustedIdentity(context, provisioner);
      const right = grant(context, identity, key, provisioner);
      const credential = new ProvisioningCredential(
        key,
        { namespace: known(namespaces, namespace).metadata.name, identity, subscriptionId },
        pulumi.mergeOptions(inCluster, { dependsOn: [...trust, ...ready] }),
      );
      return [application, { ...right, before: [...ready, ...right.before, ...trust, credential] }];
    }),
  );
  return (application) => own.get(application) ?? shared;
}

/** On the group of the services and on nothing else. */
function grant(
  { servicesGroups, group, parent }: ClusterContext,
  { principalId }: ManagedIdentity,
  key: string,
  { group: name, roles }: ProvisioningPlan,
): ProvisioningRight {
  const { id: scope } = known(servicesGroups, name);
  const assignments = roles.map((role) =>
    assignRole(`${key}/${name}/${role}`, { scope, role, principalId }, { parent, ...group.opts }),
  );
  const times = assignments.map(({ createdOn }) => createdOn as pulumi.Output<string | undefined>);
  return {
    before: assignments,
    grantedAt: pulumi.all(times).apply(
      (all) =>
        all
          .map((time) => time ?? '')
          .sort()
          .at(-1) ?? '',
    ),
  };
}
