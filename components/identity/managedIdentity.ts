import { getUserAssignedIdentityOutput, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import { assertExisting, identityType, parseGivenId } from '../azure/resourceId';
import { stableOutputs } from '../azure/stableOutputs';
import { checked, oneOf, read } from '../resource/given';
import { retention } from '../resource/retention';

interface IdentityIds {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
}

/** An identity that the component makes. */
export interface NewManagedIdentity {
  /** Resource group that it is made in. One that outlives the clusters: a recreated identity has lost its grants. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly identityName?: pulumi.Input<string>;
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /** Tags of the identity. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * It stays in Azure when it leaves the program, or the stack is destroyed: grants and trust name it. Default: true.
   */
  readonly retainOnDelete?: boolean;
  /** Every deletion is refused, on purpose too. Default: false. */
  readonly protect?: boolean;
}

/** Arguments of ManagedIdentity: `create` or `existing`. */
export interface ManagedIdentityArgs {
  /** The identity that is made. */
  readonly create?: NewManagedIdentity;
  /** Resource id of an identity that exists already; it is read, never changed and never deleted. */
  readonly existing?: pulumi.Input<string>;
}

/** A user-assigned managed identity, made here or existing; what follows does not ask which. */
export class ManagedIdentity extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:identity:ManagedIdentity';
  /** Resource id. */
  readonly id: pulumi.Output<string>;
  /** Name in Azure. */
  readonly identityName: pulumi.Output<string>;
  /** Resource group that it is in. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** Application (client) id: what a service account is annotated with. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal: what is granted access. */
  readonly principalId: pulumi.Output<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Output<string>;

  constructor(name: string, args: ManagedIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super(ManagedIdentity.token, name, {}, opts);
    const given = oneOf(`ManagedIdentity ${name}`, 'args', { create: args.create, existing: args.existing });
    const identity =
      given.kind === 'existing' ? existing(name, given.value, this) : created(name, given.value, this);
    this.id = identity.id;
    this.identityName = identity.name;
    this.resourceGroupName = identity.resourceGroupName;
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;
    this.tenantId = identity.tenantId;
    this.registerOutputs({
      id: this.id,
      identityName: this.identityName,
      resourceGroupName: this.resourceGroupName,
      clientId: this.clientId,
      principalId: this.principalId,
      tenantId: this.tenantId,
    });
  }
}

function created(name: string, args: NewManagedIdentity, parent: pulumi.Resource) {
  const identity = new UserAssignedIdentity(
    name,
    {
      resourceGroupName: args.resourceGroupName,
      resourceName: checked(args.identityName ?? name, (given) =>
        assertName({
          component: `ManagedIdentity ${name}`,
          argument: 'identityName',
          name: given,
          type: 'userAssignedIdentity',
          problem: 'cannot be the name of an identity',
        }),
      ),
      ...(args.location !== undefined && { location: args.location }),
      ...(args.tags !== undefined && { tags: args.tags }),
    },
    { parent, ...retention(args) },
  );
  const { clientId, principalId, tenantId } = stableOutputs<IdentityIds>(
    { id: identity.id, type: identityType },
    identity,
    ({ resourceGroupName, name: resourceName }) =>
      getUserAssignedIdentityOutput({ resourceGroupName, resourceName }, { parent }),
  );
  return {
    id: identity.id,
    name: identity.name,
    resourceGroupName: pulumi.output(args.resourceGroupName),
    clientId,
    principalId,
    tenantId,
  };
}

function existing(name: string, given: pulumi.Input<string>, parent: pulumi.Resource) {
  const component = `ManagedIdentity ${name}`;
  const { resourceGroupName, name: resourceName } = read(given, (id) =>
    parseGivenId({
      component,
      argument: 'existing',
      id,
      type: identityType,
      what: 'a user-assigned identity',
      command: 'az identity show --query id',
    }),
  );
  const identity = pulumi
    .all([given, getUserAssignedIdentityOutput({ resourceGroupName, resourceName }, { parent })])
    .apply(([id, found]) => {
      assertExisting(component, id, found.id);
      return found;
    });
  return {
    id: identity.id,
    name: identity.name,
    resourceGroupName,
    clientId: identity.clientId,
    principalId: identity.principalId,
    tenantId: identity.tenantId,
  };
}
