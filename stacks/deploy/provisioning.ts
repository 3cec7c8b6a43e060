import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../../components/azure/assignRole';
import { ProvisioningCredential } from '../../components/dependency/provisioningCredential';
import type { ProvisioningPlan } from '../plan';
import type { ClusterContext } from './context';
import type { ReadyIdentities, ReadyIdentity } from './identities';
import { known } from './known';
import type { Namespaces } from './namespaces';

/** Resources that must exist before the operator can provision custom resources. */
export interface ProvisioningRight {
  /** Resources that the custom resources depend on: created before them, and deleted after them. */
  readonly before: readonly pulumi.Input<pulumi.Resource>[];
  /** When the last role was assigned; undefined if unknown. */
  readonly grantedAt?: pulumi.Output<string>;
}

/** Returns, for each application, the right to provision its dependencies: of the operator's identity, or of one of its own. */
export function provisioningRights(
  context: ClusterContext,
  identities: ReadyIdentities,
  operator: readonly pulumi.Output<pulumi.Resource>[],
  namespaces: Namespaces,
): (application: string) => ProvisioningRight {
  const { plan, subscriptionId, inCluster } = context;
  const ofOperator =
    plan.operator === undefined || plan.provisioning === undefined
      ? { before: [] }
      : grant(context, known(identities, plan.operator.key), plan.provisioning);
  const shared = { ...ofOperator, before: [...operator, ...ofOperator.before] };
  const own = new Map(
    plan.provisioners.map((provisioner) => {
      const { key, application, namespace } = provisioner;
      const provisioning = known(identities, key);
      const { identity, before: trust } = provisioning;
      const right = grant(context, provisioning, provisioner);
      const credential = new ProvisioningCredential(
        key,
        { namespace: known(namespaces, namespace).metadata.name, identity, subscriptionId },
        pulumi.mergeOptions(inCluster, { dependsOn: [...trust, ...operator] }),
      );
      return [application, { ...right, before: [...operator, ...right.before, ...trust, credential] }];
    }),
  );
  return (application) => own.get(application) ?? shared;
}

/** Assigns the roles on the resource group of the services, and on nothing else. */
function grant(
  { servicesGroups, group, parent }: ClusterContext,
  { identity: { principalId } }: ReadyIdentity,
  { group: name, roles }: ProvisioningPlan,
): ProvisioningRight {
  const { id: scope } = known(servicesGroups, name);
  const assignments = roles.map(({ key, role }) =>
    assignRole(key, { scope, role, principalId }, { parent, ...group.opts }),
  );
  const times = assignments.map(({ createdOn }) => createdOn as pulumi.Output<string | undefined>);
  return {
    before: assignments,
    // Undefined, which the argument allows, if Azure does not return the time.
    grantedAt: pulumi.all(times).apply((all) =>
      all
        .filter((time) => time !== undefined)
        .toSorted()
        .at(-1),
    ) as pulumi.Output<string>,
  };
}
