import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { roleName } from '../azure/roles';

/** A role at a scope. */
export interface RoleGrant {
  /** GUID of the role, a built-in or a custom one. */
  readonly role: string;
  /** Id of the scope: a resource, a resource group, a subscription or a management group. */
  readonly scope: string;
}

/** Arguments of RoleGrants. */
export interface RoleGrantsArgs {
  /** Object id in Entra of the identity or the group that gets the roles. */
  readonly principalId: pulumi.Input<string>;
  /** True for a group. Default: false, for an identity. */
  readonly isGroup?: boolean;
  /** The roles, each with its scope. A role also applies to everything in its scope. */
  readonly roles: RoleGrant[];
  /**
   * Names (GUIDs) of existing role assignments, by their names in the stack (`<component>/<role><scope>`, with the name of a
   * well-known role or the GUID of another). Default: each is named after its scope, role and principal.
   */
  readonly importedAssignments?: Record<string, string>;
}

/** Roles of one identity or group on any scope in Azure. Access to the secrets of a vault is granted by KeyVault. */
export class RoleGrants extends pulumi.ComponentResource {
  constructor(name: string, args: RoleGrantsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:access:RoleGrants', name, {}, opts);
    const {
      principalId,
      isGroup,
      roles,
      importedAssignments = {},
    } = checkedArguments('RoleGrants', name, args);
    for (const { role, scope } of roles) {
      const inStack = `${name}/${roleName(role) ?? role}${scope.toLowerCase()}`;
      assignRole(
        inStack,
        { scope, role: { guid: role }, principalId, isGroup, assignmentName: importedAssignments[inStack] },
        // With the same name, a scope can differ only in case, which Azure ignores.
        { parent: this, ignoreChanges: ['scope'] },
      );
    }
    this.registerOutputs({});
  }
}
