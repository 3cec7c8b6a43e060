import { getWorkspaceOutput, Workspace } from '@pulumi/azure-native/operationalinsights';
import * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import { assertExisting, parseGivenId, workspaceType } from '../azure/resourceId';
import { checked, oneOf, read } from '../resource/given';
import { retention } from '../resource/retention';

/** A workspace that the component makes. */
export interface NewLogWorkspace {
  /** Resource group that it is made in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly workspaceName?: pulumi.Input<string>;
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /** Days, 30 to 730, for which logs are kept. Default: 30. */
  readonly retentionInDays?: number;
  /** Tags of the workspace. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** It stays in Azure, with the logs in it, when it leaves the program or the stack is destroyed. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Every deletion is refused, on purpose too. Default: false. */
  readonly protect?: boolean;
}

/** Arguments of LogWorkspace: `create` or `existing`. */
export interface LogWorkspaceArgs {
  /** The workspace that is made. */
  readonly create?: NewLogWorkspace;
  /** Resource id of a workspace that exists already; it is read, never changed and never deleted. */
  readonly existing?: pulumi.Input<string>;
}

/** A Log Analytics workspace, made here or existing: where audit logs go. */
export class LogWorkspace extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:logs:LogWorkspace';
  /** Resource id. */
  readonly id: pulumi.Output<string>;

  constructor(name: string, args: LogWorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    super(LogWorkspace.token, name, {}, opts);
    const given = oneOf(`LogWorkspace ${name}`, 'args', { create: args.create, existing: args.existing });
    this.id =
      given.kind === 'existing' ? existing(name, given.value, this) : created(name, given.value, this);
    this.registerOutputs({ id: this.id });
  }
}

function created(name: string, args: NewLogWorkspace, parent: pulumi.Resource): pulumi.Output<string> {
  const { id } = new Workspace(
    name,
    {
      resourceGroupName: args.resourceGroupName,
      workspaceName: checked(args.workspaceName ?? name, (given) =>
        assertName({
          component: `LogWorkspace ${name}`,
          argument: 'workspaceName',
          name: given,
          type: 'logWorkspace',
          problem: 'cannot be the name of a workspace',
        }),
      ),
      ...(args.location !== undefined && { location: args.location }),
      // Pay as you go; the free tier keeps logs for a week.
      sku: { name: 'PerGB2018' },
      retentionInDays: args.retentionInDays ?? 30,
      ...(args.tags !== undefined && { tags: args.tags }),
    },
    { parent, ...retention(args) },
  );
  return id;
}

function existing(name: string, given: pulumi.Input<string>, parent: pulumi.Resource): pulumi.Output<string> {
  const component = `LogWorkspace ${name}`;
  const { resourceGroupName, name: workspaceName } = read(given, (id) =>
    parseGivenId({
      component,
      argument: 'existing',
      id,
      type: workspaceType,
      what: 'a Log Analytics workspace',
      command: 'az monitor log-analytics workspace show --query id',
    }),
  );
  return pulumi
    .all([given, getWorkspaceOutput({ resourceGroupName, workspaceName }, { parent })])
    .apply(([wanted, { id }]) => {
      assertExisting(component, wanted, id);
      return id;
    });
}
