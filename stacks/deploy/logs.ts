import type { LogDestination } from '../../components/logs/diagnosticLogs';
import { LogWorkspace } from '../../components/logs/logWorkspace';
import type { EnvironmentContext } from './context';
import { providerOf } from './context';

/** Deploys the environment's log workspace or uses an existing one; undefined if audit logs have no destination. */
export function environmentLogs(
  context: Pick<EnvironmentContext, 'settings' | 'group' | 'subscriptions' | 'tags'>,
): LogDestination | undefined {
  const { settings, group, tags } = context;
  const { logs, location, protect, retainOnDelete } = settings;
  if (logs === undefined) return undefined;
  const { workspace } = logs;
  const args =
    workspace.existing === undefined
      ? {
          create: {
            resourceGroupName: group.name,
            location,
            retentionInDays: workspace.retentionInDays,
            tags,
            protect,
            retainOnDelete,
          },
        }
      : { existing: workspace.existing.id };
  const { id: workspaceId } = new LogWorkspace(workspace.name, args, providerOf(context, workspace.existing));
  return { workspaceId };
}
