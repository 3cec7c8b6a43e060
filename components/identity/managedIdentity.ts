import { getUserAssignedIdentityOutput, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import { assertExisting, identityType, parseGivenId } from '../azure/resourceId';
import { stableOutputs } from '../azure/stableOutputs';
import { retention } from '../resource/retention';
import type { Grantee } from '../vault/grant';

interface IdentityIds {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
}

/** An identity that the component makes. */
export interface CreatedManagedIdentityArgs {
  /** Resource group that it is made in. One that outlives the clusters: a recreated identity has lost its grants. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly identityName?: string;
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

/** An identity that exists already; it is read, never changed and never deleted. */
export interface ExistingManagedIdentityArgs {
  /** Its resource id. */
  readonly existing: string;
}

/** Arguments of ManagedIdentity: made here, or existing. */
export type ManagedIdentityArgs = CreatedManagedIdentityArgs | ExistingManagedIdentityArgs;

/** A user-assigned managed identity, made here or existing; what follows does not ask which. */
export class ManagedIdentity extends pulumi.ComponentResource implements Grantee {
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
  /** Name that its grants are known by in the stack: the component's. */
  readonly grantName: string;

  constructor(name: string, args: ManagedIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super(ManagedIdentity.token, name, {}, opts);
    const identity = 'existing' in args ? this.read(name, args) : this.create(name, args);
    this.grantName = name;
    this.id = identity.id;
    this.identityName = identity.name;
    this.resourceGroupName = identity.resourceGroupName;
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;
    this.tenantId = identity.tenantId;
    this.registerOutputs({
      id: this.id,
      identityName: this.identityName,
      clientId: this.clientId,
      principalId: this.principalId,
      tenantId: this.tenantId,
    });
  }

  private create(name: string, args: CreatedManagedIdentityArgs) {
    const identityName = args.identityName ?? name;
    assertName({
      component: `ManagedIdentity ${name}`,
      argument: 'identityName',
      name: identityName,
      type: 'userAssignedIdentity',
      problem: 'cannot be the name of an identity',
    });
    const identity = new UserAssignedIdentity(
      name,
      {
        resourceGroupName: args.resourceGroupName,
        resourceName: identityName,
        ...(args.location !== undefined && { location: args.location }),
        ...(args.tags !== undefined && { tags: args.tags }),
      },
      { parent: this, ...retention(args) },
    );
    const { clientId, principalId, tenantId } = stableOutputs<IdentityIds>(
      { id: identity.id, type: identityType },
      identity,
      ({ resourceGroupName, name: resourceName }) =>
        getUserAssignedIdentityOutput({ resourceGroupName, resourceName }, { parent: this }),
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

  private read(name: string, { existing }: ExistingManagedIdentityArgs) {
    const { resourceGroupName, name: resourceName } = parseGivenId({
      component: `ManagedIdentity ${name}`,
      argument: 'existing',
      id: existing,
      type: identityType,
      what: 'a user-assigned identity',
      command: 'az identity show --query id',
    });
    const identity = getUserAssignedIdentityOutput(
      { resourceGroupName, resourceName },
      { parent: this },
    ).apply((found) => {
      assertExisting(`ManagedIdentity ${name}`, existing, found.id);
      return found;
    });
    return {
      id: identity.id,
      name: identity.name,
      resourceGroupName: pulumi.output(resourceGroupName),
      clientId: identity.clientId,
      principalId: identity.principalId,
      tenantId: identity.tenantId,
    };
  }
}
