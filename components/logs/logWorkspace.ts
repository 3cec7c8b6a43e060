import { getWorkspaceOutput, Workspace } from '@pulumi/azure-native/operationalinsights';
import * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import { assertExisting, parseGivenId, workspaceType } from '../azure/resourceId';
import { retention } from '../resource/retention';

/** A workspace that the component makes. */
export interface CreatedLogWorkspaceArgs {
  /** Resource group that it is made in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly workspaceName?: string;
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

/** A workspace that exists already; it is read, never changed and never deleted. */
export interface ExistingLogWorkspaceArgs {
  /** Its resource id. */
  readonly existing: string;
}

/** Arguments of LogWorkspace: made here, or existing. */
export type LogWorkspaceArgs = CreatedLogWorkspaceArgs | ExistingLogWorkspaceArgs;

/** A Log Analytics workspace, made here or existing: where audit logs go. */
export class LogWorkspace extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:logs:LogWorkspace';
  /** Resource id. */
  readonly id: pulumi.Output<string>;

  constructor(name: string, args: LogWorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    super(LogWorkspace.token, name, {}, opts);
    this.id = 'existing' in args ? this.read(name, args) : this.create(name, args);
    this.registerOutputs({ id: this.id });
  }

  private create(name: string, args: CreatedLogWorkspaceArgs): pulumi.Output<string> {
    const workspaceName = args.workspaceName ?? name;
    assertName({
      component: `LogWorkspace ${name}`,
      argument: 'workspaceName',
      name: workspaceName,
      type: 'logWorkspace',
      problem: 'cannot be the name of a workspace',
    });
    const { id } = new Workspace(
      name,
      {
        resourceGroupName: args.resourceGroupName,
        workspaceName,
        ...(args.location !== undefined && { location: args.location }),
        // Pay as you go; the free tier keeps logs for a week.
        sku: { name: 'PerGB2018' },
        retentionInDays: args.retentionInDays ?? 30,
        ...(args.tags !== undefined && { tags: args.tags }),
      },
      { parent: this, ...retention(args) },
    );
    return id;
  }

  private read(name: string, { existing }: ExistingLogWorkspaceArgs): pulumi.Output<string> {
    const { resourceGroupName, name: workspaceName } = parseGivenId({
      component: `LogWorkspace ${name}`,
      argument: 'existing',
      id: existing,
      type: workspaceType,
      what: 'a Log Analytics workspace',
      command: 'az monitor log-analytics workspace show --query id',
    });
    return getWorkspaceOutput({ resourceGroupName, workspaceName }, { parent: this }).apply(({ id }) => {
      assertExisting(`LogWorkspace ${name}`, existing, id);
      return id;
    });
  }
}
