import { DiagnosticSetting } from '@pulumi/azure-native/monitor';
import type * as pulumi from '@pulumi/pulumi';

/** Where the logs of a resource go. */
export interface LogDestination {
  /** Resource id of a Log Analytics workspace. */
  readonly workspaceId: pulumi.Input<string>;
}

/** The logs that are sent: single categories, or a group of categories that Azure maintains. */
export type LogSelection =
  { readonly categories: readonly string[] } | { readonly categoryGroup: 'audit' | 'allLogs' };

/** Who read and changed what in a key vault (azure-docs articles/key-vault/general/logging). */
export const vaultAuditLogs: LogSelection = { categoryGroup: 'audit' };

/**
 * Who changed what in a cluster, and who signed in with Entra (azure-docs articles/aks/monitor-aks-reference). Reads are
 * left out: `kube-audit`, which has them, is most of a cluster's log volume.
 */
export const clusterAuditLogs: LogSelection = { categories: ['kube-audit-admin', 'guard'] };

/** Sends logs of a resource to a workspace. */
export function sendLogs(
  name: string,
  resourceId: pulumi.Input<string>,
  selection: LogSelection,
  { workspaceId }: LogDestination,
  opts: pulumi.CustomResourceOptions,
): DiagnosticSetting {
  const logs =
    'categoryGroup' in selection
      ? [{ categoryGroup: selection.categoryGroup, enabled: true }]
      : selection.categories.map((category) => ({ category, enabled: true }));
  return new DiagnosticSetting(
    name,
    // A resource can have several settings, and others may have made some.
    { name: 'aks-workload-identity', resourceUri: resourceId, workspaceId, logs },
    opts,
  );
}
