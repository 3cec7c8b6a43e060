import { parseResourceId, workspaceType } from '../../components/azure/resourceId';
import type { LogDestination } from '../../components/logs/diagnosticLogs';
import { LogWorkspace } from '../../components/logs/logWorkspace';
import type { StackSettings } from '../settings/schema';
import type { EnvironmentGroup } from './resourceGroup';
import type { Subscriptions } from '../preflight/subscriptions';
import type { Tags } from '../plan/tags';

/** Where audit logs go: as arguments of a component, absent if they go nowhere. */
export interface EnvironmentLogs {
  readonly logs?: LogDestination;
}

/** The environment's log workspace, made or existing. */
export function environmentLogs(
  settings: StackSettings,
  group: EnvironmentGroup,
  subscriptions: Subscriptions,
  tags: Tags,
): EnvironmentLogs {
  const { logs, location, protect, retainOnDelete } = settings;
  if (logs === undefined) return {};
  const { existing, name, retentionInDays } = logs.workspace;
  if (existing !== undefined) {
    const { subscriptionId, name: workspaceName } = parseResourceId(existing, workspaceType);
    const workspace = new LogWorkspace(
      workspaceName,
      { existing },
      { providers: [subscriptions.provider(subscriptionId)] },
    );
    return { logs: { workspaceId: workspace.id } };
  }
  if (name === undefined)
    throw new Error('The workspace has neither a name nor an id; the checks let none through.');
  const workspace = new LogWorkspace(
    name,
    {
      create: {
        resourceGroupName: group.name,
        location,
        ...(retentionInDays !== undefined && { retentionInDays }),
        tags,
        protect,
        retainOnDelete,
      },
    },
    group.opts,
  );
  return { logs: { workspaceId: workspace.id } };
}
