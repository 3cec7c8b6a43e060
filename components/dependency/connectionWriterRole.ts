import { RoleDefinition } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import { v5 as uuid } from 'uuid';
import { checkedArguments } from '../azure/arguments';
import { roleAssignmentNamespace } from '../azure/roles';
import { connectionWriterActions } from './keys';

/** Arguments of ConnectionWriterRole. */
export interface ConnectionWriterRoleArgs {
  /** Name of the role, unique in the Entra tenant. */
  readonly roleName: pulumi.Input<string>;
  /** Resource id of the resource group that the role is defined in. */
  readonly scope: pulumi.Input<string>;
  /** Resource ids of further resource groups, of services and vaults, that the role is assigned in. Default: none. */
  readonly furtherScopes?: pulumi.Input<string>[];
}

/**
 * The role of a writer of connection strings. No built-in role allows so little: those that list the keys of a Redis cache
 * or of a Service Bus rule can also delete it. Writing a secret through the resource manager gives no access to its value.
 */
export class ConnectionWriterRole extends pulumi.ComponentResource {
  /** Its GUID. */
  readonly guid: pulumi.Output<string>;

  constructor(name: string, args: ConnectionWriterRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:dependency:ConnectionWriterRole', name, {}, opts);
    args = checkedArguments('ConnectionWriterRole', name, args);
    const { scope, roleName, furtherScopes = [] } = args;
    const scopes = pulumi
      .all([scope, ...furtherScopes])
      .apply((all) => [...new Map(all.map((id) => [id.toLowerCase(), id])).values()]);
    const guid = pulumi
      .all([scope, roleName])
      .apply(([id, called]) => uuid(`${id}|${called}`.toLowerCase(), roleAssignmentNamespace));
    const role = new RoleDefinition(
      name,
      {
        ...{ scope, roleDefinitionId: guid, roleName, roleType: 'CustomRole' },
        description: 'Lists the keys of single services and writes them to single secrets.',
        permissions: [{ actions: [...connectionWriterActions] }],
        assignableScopes: scopes,
      },
      { parent: this },
    );
    // Known only once the role exists: nothing can be assigned before.
    this.guid = pulumi.all([guid, role.id]).apply(([known]) => known);
    this.registerOutputs({ guid: this.guid });
  }
}
