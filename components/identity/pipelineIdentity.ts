import { FederatedIdentityCredential } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { mayAssignOnly } from '../azure/assignmentCondition';
import { assignRole } from '../azure/assignRole';
import type { Role } from '../azure/roles';
import { roleGuidOf, rolesGivingAccess } from '../azure/roles';
import { wantedScope } from '../azure/wantedScope';
import type { ArgumentProblem } from '../resource/errors';
import { repetitions } from '../resource/argumentValues';
import type { NewManagedIdentity } from './managedIdentity';
import { ManagedIdentity } from './managedIdentity';
import { defaultAudience, maxCredentialsPerIdentity } from './subjects';
import type { TrustedPipeline } from './trustedPipeline';
import { claimsOf } from './trustedPipeline';

/** Access of a pipeline. */
export enum PipelineAccess {
  /** Deploy: Contributor, and the right to assign the roles of `assignableRoles`. */
  Deploy = 'deploy',
  /** Preview: Reader, and the administrator and user credentials of the clusters: a preview connects to them. */
  Preview = 'preview',
  /** Grant: only the right to assign the roles of `assignableRoles`, for access on demand. */
  Grant = 'grant',
}

/** A resource group that a pipeline deploys to. */
export interface DeployedResourceGroup {
  /** Its name, used in the names of the role assignments in the stack. */
  readonly name: string;
  /** Its resource id. */
  readonly id: pulumi.Input<string>;
}

/** Arguments of PipelineIdentity. */
export interface PipelineIdentityArgs {
  /** The identity to create. */
  readonly create: NewManagedIdentity;
  /** Pipelines that sign in as the identity: 1 to 20. */
  readonly trusts: TrustedPipeline[];
  /** Resource groups to deploy to. The identity gets no access elsewhere. */
  readonly resourceGroups: DeployedResourceGroup[];
  /** Access of the pipelines. Default: `deploy`. */
  readonly access?: PipelineAccess;
  /**
   * GUIDs of the roles that it may assign and remove in the resource groups: those that the program assigns. A role that
   * can assign roles is refused. Default: none.
   */
  readonly assignableRoles?: string[];
  /** Allow the assignment to Entra groups too. Default: false, only to identities. */
  readonly assignableToGroups?: boolean;
}

/** An identity that pipelines sign in as with federation, with only the roles that they need to deploy. */
export class PipelineIdentity extends pulumi.ComponentResource {
  /** Application (client) id, for the pipelines' sign-in. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal. */
  readonly principalId: pulumi.Output<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Output<string>;

  constructor(name: string, args: PipelineIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:PipelineIdentity', name, {}, opts);
    args = checkedArguments('PipelineIdentity', name, args, pipelineProblems);
    const identity = new ManagedIdentity(name, { create: args.create }, { parent: this });
    trustPipelines(name, identity, args.trusts);
    for (const [index, group] of args.resourceGroups.entries()) {
      const argument = `resourceGroups[${index}].id`;
      const scope = wantedScope(`PipelineIdentity ${name}`, argument, 'resource group', group.id);
      for (const { key, ...granted } of rolesOf(args))
        assignRole(
          `${name}/${group.name}/${key}`,
          { scope, principalId: identity.principalId, ...granted },
          { parent: this },
        );
    }
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;
    this.tenantId = identity.tenantId;
    this.registerOutputs({
      clientId: this.clientId,
      principalId: this.principalId,
      tenantId: this.tenantId,
    });
  }
}

/**
 * Deploys the trust in pipelines, one credential after the other as in FederatedCredentials: Azure refuses concurrent
 * writes.
 */
function trustPipelines(name: string, identity: ManagedIdentity, trusts: readonly TrustedPipeline[]): void {
  const { resourceGroupName, identityName: resourceName } = identity;
  const written: pulumi.Resource[] = [];
  for (const trust of [...trusts].sort((a, b) => (a.name < b.name ? -1 : 1)))
    written.push(
      new FederatedIdentityCredential(
        `${name}/${trust.name}`,
        {
          ...{ resourceGroupName, resourceName, federatedIdentityCredentialResourceName: trust.name },
          ...claimsOf(trust),
          audiences: [defaultAudience],
        },
        { parent: identity, dependsOn: [...written] },
      ),
    );
}

/** Returns the roles on each resource group, with the names of their assignments. */
function rolesOf({
  access = PipelineAccess.Deploy,
  assignableRoles = [],
  assignableToGroups: toGroups,
}: PipelineIdentityArgs): readonly { key: string; role: Role; condition?: string }[] {
  if (access === PipelineAccess.Preview)
    return [
      { key: 'reader', role: 'reader' },
      { key: 'clusters', role: 'aksClusterAdmin' },
      // If local accounts are disabled, the program requests a user's credentials. The administrator role does not permit
      // this.
      { key: 'cluster-users', role: 'aksClusterUser' },
    ];
  const roles = assignableRoles.map((id) => ({ guid: roleGuidOf(id) ?? id }));
  return [
    ...(access === PipelineAccess.Deploy ? [{ key: 'contributor', role: 'contributor' as const }] : []),
    ...(roles.length === 0
      ? []
      : [
          {
            key: 'role-assignments',
            role: 'rbacAdministrator' as const,
            condition: mayAssignOnly({ roles, toGroups }),
          },
        ]),
  ];
}

/** Returns problems of the arguments, apart from single values. */
function pipelineProblems(args: PipelineIdentityArgs): ArgumentProblem[] {
  const { trusts, access, assignableRoles = [] } = args;
  const problems: ArgumentProblem[] = [];
  if (trusts.length === 0 || trusts.length > maxCredentialsPerIdentity)
    problems.push({
      ...{ argument: 'trusts', value: `${trusts.length} pipelines`, problem: 'cannot be trusted' },
      allowed: `1 to ${maxCredentialsPerIdentity}`,
    });
  const claims = trusts.map((trust) => Object.values(claimsOf(trust)).join(' '));
  for (const { index, first, value } of repetitions(claims))
    problems.push({
      ...{ argument: `trusts[${index}]`, value, problem: `is already trusted by trusts[${first}]` },
      allowed: 'each issuer and subject once per identity',
    });
  if (access === PipelineAccess.Preview && assignableRoles.length > 0)
    problems.push({
      ...{ argument: 'assignableRoles', problem: 'are not allowed with the access preview' },
      allowed: 'none for the access preview',
    });
  if (access === PipelineAccess.Grant && assignableRoles.length === 0)
    problems.push({
      ...{ argument: 'assignableRoles', problem: 'are missing, so the pipeline could grant nothing' },
      allowed: 'one or more for the access grant',
    });
  for (const [index, value] of assignableRoles.entries()) {
    const argument = `assignableRoles[${index}]`;
    const guid = roleGuidOf(value);
    // Azure may read it as a role that this check does not see.
    if (guid === undefined)
      problems.push({ argument, value, problem: 'is not a role', allowed: 'the GUID of a role' });
    const role = rolesGivingAccess[guid ?? ''];
    if (role !== undefined)
      problems.push({
        ...{ argument, value },
        problem: `is ${role}: the pipeline could grant itself more rights`,
        allowed: 'roles that cannot assign roles',
        hint: 'Let a person deploy resources that need it, such as access windows.',
      });
  }
  return problems;
}
