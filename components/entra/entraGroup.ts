import * as azuread from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { oneOf } from '../resource/argumentValues';
import { PrivateState } from '../resource/privateState';
import { retention } from '../resource/newResource';

/** A group that the component creates. The deploying account owns it. */
export interface NewEntraGroup {
  /** Display name in Entra, where it must be unique. Default: the component's name. */
  readonly displayName?: string;
  /** Description in Entra. Default: none. */
  readonly description?: string;
  /** Keep the group in Entra when it is removed from the program; its members are removed. Default: true. */
  readonly retainOnDelete?: boolean;
}

/** An identity to add to a group. */
export interface EntraGroupMember {
  /** Name of the membership in the stack. */
  readonly name: string;
  /** Object id in Entra of the identity. */
  readonly principalId: pulumi.Input<string>;
}

/** Arguments of EntraGroup: `create` or `existing`, and the members. */
export interface EntraGroupArgs {
  /** The group to create. */
  readonly create?: NewEntraGroup;
  /** Object id of an existing security group. Members are added to it; it is never otherwise changed or deleted. */
  readonly existing?: pulumi.Input<string>;
  /** Identities to add as members. Members that others add are kept. Default: none. */
  readonly members?: EntraGroupMember[];
}

const heldMemberships = new PrivateState<ReadonlyMap<string, pulumi.Resource>>();

/** A security group in Entra, new or existing, with identities as its members. */
export class EntraGroup extends pulumi.ComponentResource {
  /** Object id, to which access is granted. */
  readonly objectId: pulumi.Output<string>;
  /** Display name in Entra. */
  readonly displayName: pulumi.Output<string>;

  constructor(name: string, args: EntraGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:entra:EntraGroup', name, {}, opts);
    const { create, existing, members = [] } = checkedArguments('EntraGroup', name, args);
    const source = oneOf({ create, existing });
    const { objectId, displayName } =
      source.kind === 'create'
        ? createdGroup(name, source.value, this)
        : azuread.getGroupOutput({ objectId: source.value, securityEnabled: true }, { parent: this });
    this.objectId = objectId;
    this.displayName = displayName;
    const memberships = members.map((member) => {
      const inStack = `${name}/${member.name}`;
      const ids = { groupObjectId: objectId, memberObjectId: member.principalId };
      return [member.name, new azuread.GroupMember(inStack, ids, { parent: this })] as const;
    });
    heldMemberships.keep(this, new Map(memberships));
    this.registerOutputs({ objectId, displayName });
  }

  /**
   * Returns resources for the `dependsOn` option of anything that acts as a member: a token that is issued before the
   * membership exists lacks the group until it expires.
   */
  membership(member: string): pulumi.Resource[] {
    const found = heldMemberships.of(this).get(member);
    return found === undefined ? [] : [found];
  }
}

function createdGroup(
  name: string,
  { displayName = name, description, ...kept }: NewEntraGroup,
  parent: pulumi.Resource,
): azuread.Group {
  return new azuread.Group(
    name,
    // Entra allows two groups with the same name, which users could not tell apart. Without `owners`, the account that
    // creates the group becomes its owner, and may then add members with only Group.Create.
    { displayName, description, securityEnabled: true, preventDuplicateNames: true },
    { parent, ...retention(kept) },
  );
}
