import { getWorkspaceOutput, Workspace } from '@pulumi/azure-native/operationalinsights';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { existingResource } from '../azure/existingResource';
import { oneOf } from '../resource/argumentValues';
import type { NewResource } from '../resource/newResource';
import { retention } from '../resource/newResource';

/** A workspace that the component creates. */
export interface NewLogWorkspace extends NewResource {
  /** Resource group to create it in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly workspaceName?: pulumi.Input<string>;
  /** Retention of the logs, in days, 30 to 730. Default: 30. */
  readonly retentionInDays?: number;
}

/** Arguments of LogWorkspace: `create` or `existing`. */
export interface LogWorkspaceArgs {
  /** The workspace to create. */
  readonly create?: NewLogWorkspace;
  /** Resource id of an existing workspace. It is read, never changed or deleted. */
  readonly existing?: pulumi.Input<string>;
}

/** A Log Analytics workspace for audit logs, new or existing. */
export class LogWorkspace extends pulumi.ComponentResource {
  /** Resource id. */
  readonly id: pulumi.Output<string>;

  constructor(name: string, args: LogWorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:logs:LogWorkspace', name, {}, opts);
    const { create, existing } = checkedArguments('LogWorkspace', name, args);
    const source = oneOf({ create, existing });
    this.id =
      source.kind === 'create'
        ? createdWorkspace(name, source.value, this)
        : existingWorkspace(name, source.value, this);
    this.registerOutputs({ id: this.id });
  }
}

function createdWorkspace(name: string, args: NewLogWorkspace, parent: pulumi.Resource) {
  const { resourceGroupName, workspaceName = name, location, tags, retentionInDays = 30 } = args;
  const { id } = new Workspace(
    name,
    {
      resourceGroupName,
      workspaceName,
      location,
      // Pay as you go; the free tier keeps logs for only a week.
      sku: { name: 'PerGB2018' },
      retentionInDays,
      tags,
    },
    { parent, ...retention(args) },
  );
  return id;
}

function existingWorkspace(name: string, id: pulumi.Input<string>, parent: pulumi.Resource) {
  const { found } = existingResource(
    id,
    `LogWorkspace ${name}`,
    ({ resourceGroupName, name: workspaceName }) =>
      getWorkspaceOutput({ resourceGroupName, workspaceName }, { parent }),
  );
  return found.id;
}
