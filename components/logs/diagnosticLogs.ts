import { DiagnosticSetting } from '@pulumi/azure-native/monitor';
import type * as pulumi from '@pulumi/pulumi';

/** Where the logs of a resource go. */
export interface LogDestination {
  /** Resource id of a Log Analytics workspace. */
  readonly workspaceId: pulumi.Input<string>;
}

/** Which logs: single categories, or a group of them that Azure keeps up to date. */
export type LogSelection =
  { readonly categories: readonly string[] } | { readonly categoryGroup: 'audit' | 'allLogs' };

/** What a key vault tells of who read and changed what (azure-docs articles/key-vault/general/logging). */
export const vaultAuditLogs: LogSelection = { categoryGroup: 'audit' };

/**
 * What a cluster tells of who changed what, without reads, and of who signed in with Entra (azure-docs
 * articles/aks/monitor-aks-reference; `kube-audit` with its reads is most of a cluster's log volume).
 */
export const clusterAuditLogs: LogSelection = { categories: ['kube-audit-admin', 'guard'] };

/** Sends logs of the resource to the workspace. */
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
    // A name of its own: a resource has several settings, of others too.
    { name: 'aks-workload-identity', resourceUri: resourceId, workspaceId, logs },
    opts,
  );
}
