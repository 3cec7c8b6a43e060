import type { LogDestination } from '../../components/logs/diagnosticLogs';
import { LogWorkspace } from '../../components/logs/logWorkspace';
import type { EnvironmentContext } from './context';

/** The environment's log workspace, made or existing; undefined if audit logs go nowhere. */
export function environmentLogs({
  settings,
  group,
  subscriptions,
  tags,
}: Pick<EnvironmentContext, 'settings' | 'group' | 'subscriptions' | 'tags'>): LogDestination | undefined {
  const { logs, location, protect, retainOnDelete } = settings;
  if (logs === undefined) return undefined;
  const { workspace } = logs;
  const { id: workspaceId } =
    workspace.existing === undefined
      ? new LogWorkspace(
          workspace.name,
          {
            create: {
              resourceGroupName: group.name,
              location,
              retentionInDays: workspace.retentionInDays,
              tags,
              protect,
              retainOnDelete,
            },
          },
          group.opts,
        )
      : new LogWorkspace(
          workspace.name,
          { existing: workspace.existing.id },
          { providers: [subscriptions.provider(workspace.existing.subscriptionId)] },
        );
  return { workspaceId };
}
