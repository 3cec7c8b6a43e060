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
  const { name } = logs.workspace;
  if (logs.workspace.existing !== undefined) {
    const { id, subscriptionId } = logs.workspace.existing;
    const workspace = new LogWorkspace(
      name,
      { existing: id },
      { providers: [subscriptions.provider(subscriptionId)] },
    );
    return { logs: { workspaceId: workspace.id } };
  }
  const { retentionInDays } = logs.workspace;
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
