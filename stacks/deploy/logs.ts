import type { LogDestination } from '../../components/logs/diagnosticLogs';
import { LogWorkspace } from '../../components/logs/logWorkspace';
import type { EnvironmentContext } from './context';
import { providerOf } from './context';

/** Deploys the environment's log workspace or uses an existing one; undefined if audit logs have no destination. */
export function environmentLogs(
  context: Pick<EnvironmentContext, 'settings' | 'group' | 'subscriptions' | 'tags' | 'central'>,
): LogDestination | undefined {
  const { settings, group, tags, central } = context;
  const { logs, location, protect, retainOnDelete } = settings;
  if (logs === undefined) return undefined;
  const { workspace } = logs;
  const args =
    workspace.existing === undefined && central?.logWorkspace === undefined
      ? {
          create: {
            resourceGroupName: group.name,
            location,
            retentionInDays: 'retentionInDays' in workspace ? workspace.retentionInDays : undefined,
            tags,
            protect,
            retainOnDelete,
          },
        }
      : { existing: workspace.existing?.id ?? central?.logWorkspace };
  const { id: workspaceId } = new LogWorkspace(workspace.name, args, providerOf(context, workspace.existing));
  return { workspaceId };
}
