import { DiagnosticSetting } from '@pulumi/azure-native/monitor';
import type * as pulumi from '@pulumi/pulumi';

/** Where the logs of a resource go. */
export interface LogDestination {
  /** Resource id of a Log Analytics workspace. */
  readonly workspaceId: pulumi.Input<string>;
}

/** Who read and changed what in a key vault (azure-docs articles/key-vault/general/logging), in the table AZKVAuditLogs. */
export const vaultAuditLogs = {
  logs: [{ categoryGroup: 'audit', enabled: true }],
  logAnalyticsDestinationType: 'Dedicated',
};

/**
 * Who changed what in a cluster, and who signed in with Entra (azure-docs articles/aks/monitor-aks-reference). Reads are
 * left out: `kube-audit`, which has them, is most of a cluster's log volume.
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
    // A resource can have several settings, and others may have made some.
    { name: 'aks-workload-identity', resourceUri: resourceId, workspaceId, ...logs },
    opts,
  );
}
