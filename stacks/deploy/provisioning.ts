import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../../components/azure/assignRole';
import { ProvisioningCredential } from '../../components/dependency/provisioningCredential';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { ProvisioningPlan } from '../plan';
import type { DependenciesContext } from './dependencies';
import { trustedIdentity } from './identities';
import { known } from './known';

/** The right to provision, and when it was given. */
interface Right {
  /** What the custom resources depend on, so that it is there before them, and goes after them. */
  readonly before: readonly pulumi.Input<pulumi.Resource>[];
  /** Empty if it is not known. */
  readonly grantedAt: pulumi.Output<string>;
}

/** Who provisions on a cluster: the operator, and for single applications an identity of theirs. */
export class Provisioning {
  private readonly shared: Right;
  private readonly own: ReadonlyMap<string, Right>;

  constructor(private readonly context: DependenciesContext) {
    const { operator, plan } = context;
    const ready = operator === undefined ? [] : [operator.ready];
    const rights =
      operator === undefined || plan.provisioning === undefined
        ? { before: [], grantedAt: pulumi.output('') }
        : this.grant(operator.identity, operator.key, plan.provisioning);
    this.shared = { ...rights, before: [...ready, ...rights.before] };
    this.own = new Map(
      plan.provisioners.map((provisioner) => {
        const { application, namespace } = provisioner;
        const { identity, before: trusted } = trustedIdentity(context.identities, provisioner);
        const right = this.grant(identity, provisioner.key, provisioner);
        const { provider, ...options } = context.inCluster;
        const credential = new ProvisioningCredential(
          provisioner.key,
          {
            namespace: known(context.namespaces, namespace).metadata.name,
            identity,
            subscriptionId: context.subscriptionId,
          },
          pulumi.mergeOptions({ ...options, providers: [provider] }, { dependsOn: [...trusted, ...ready] }),
        );
        return [application, { ...right, before: [...ready, ...right.before, ...trusted, credential] }];
      }),
    );
  }

  /** By what right the application's dependencies are provisioned. */
  of(application: string): Right {
    return this.own.get(application) ?? this.shared;
  }

  /** On the group of the services and on nothing else. */
  private grant(identity: ManagedIdentity, key: string, { group: name, roles }: ProvisioningPlan): Right {
    const { servicesGroups, group, inCluster } = this.context;
    const { id: scope } = known(servicesGroups, name);
    const { principalId } = identity;
    const assignments = roles.map((role) =>
      assignRole(
        `${key}/${name}/${role}`,
        { scope, role, principalId },
        { ...(inCluster.parent !== undefined && { parent: inCluster.parent }), ...group.opts },
      ),
    );
    return {
      before: assignments,
      grantedAt: pulumi
        .all(assignments.map(({ createdOn }) => createdOn as pulumi.Output<string | undefined>))
        .apply(
          (all) =>
            all
              .filter((one) => one !== undefined)
              .sort()
              .at(-1) ?? '',
        ),
    };
  }
}
