import { DiagnosticSetting } from '@pulumi/azure-native/monitor';
import type * as pulumi from '@pulumi/pulumi';

/** Destination of the logs of a resource. */
export interface LogDestination {
  /** Resource id of a Log Analytics workspace. */
  readonly workspaceId: pulumi.Input<string>;
}

/**
 * Logs of who read and changed what in a key vault (azure-docs articles/key-vault/general/logging), in the table AZKVAuditLogs.
 */
export const vaultAuditLogs = {
  logs: [{ categoryGroup: 'audit', enabled: true }],
  logAnalyticsDestinationType: 'Dedicated',
};

/**
 * Logs of who changed what in a cluster, and who signed in with Entra (azure-docs articles/aks/monitor-aks-reference). Reads
 * are left out: `kube-audit`, which contains them, is most of a cluster's log volume.
 */
export const clusterAuditLogs = {
  logs: [
    { category: 'kube-audit-admin', enabled: true },
    { category: 'guard', enabled: true },
  ],
};

/** Sends logs of a resource to a workspace. */
export function sendLogs(
  name: string,
  resourceId: pulumi.Input<string>,
  logs: typeof vaultAuditLogs | typeof clusterAuditLogs,
  { workspaceId }: LogDestination,
  opts: pulumi.CustomResourceOptions,
): DiagnosticSetting {
  return new DiagnosticSetting(
    name,
    // A resource can have several settings, including those of others, so this one has a name of its own.
    { name: 'aks-workload-identity', resourceUri: resourceId, workspaceId, ...logs },
    opts,
  );
}
