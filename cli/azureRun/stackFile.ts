import { stringify } from 'yaml';
import { project } from '../../stacks/settings/problem';
import type { StackFileText } from '../../stacks/stackFile';

/** A run and the names of what it creates. The random suffix makes them unique. */
export interface Run {
  readonly id: string;
  readonly subscription: string;
  readonly location: string;
}

/** Tag of the resource group, whose value is the id of the run. Without it, nothing is deleted. */
export const runTag = 'aks-wi-azure-run';

export const stackOf = ({ id }: Pick<Run, 'id'>): string => `azure-run-${id}`;
export const groupOf = ({ id }: Pick<Run, 'id'>): string => `rg-aks-wi-run-${id}`;
export const vaultOf = ({ id }: Pick<Run, 'id'>): string => `kv-wi-run-${id}`;

/** Size of the only node. */
export const vmSize = 'Standard_D2ds_v5';

/** The secrets: of the application, and of another one whose secret it must not read. */
export const secretNames = ['granted', 'not-granted'] as const;

/**
 * Returns the smallest stack that can be verified: one cluster, and two secrets with one owner each. No pods are deployed: the
 * verification signs in as the service accounts, so no image has to be published.
 */
export function stackFile(run: Run): string {
  const settings = {
    location: run.location,
    resourceGroup: groupOf(run),
    vault: {
      ...{ name: vaultOf(run), access: 'rbac', publicAccess: true },
      ...{ softDeleteRetentionInDays: 7, purgeProtection: false },
    },
    retainOnDelete: false,
    clusters: [{ name: 'aks-run', tier: 'Free', nodes: { count: 1, vmSize } }],
    certManager: { install: false },
    serviceOperator: { install: false },
    applications: secretNames.map((secret) => ({
      ...{ name: secret === 'granted' ? 'reader' : 'other', deployedBy: 'others' },
      ...{ identity: 'application', secrets: [secret] },
    })),
    tags: { [runTag]: run.id },
  };
  const entries = Object.entries(settings).map(([key, value]) => [`${project}:${key}`, value]);
  return stringify({ config: Object.fromEntries(entries) as object });
}

/** Returns the stack file as checks and runs without an engine take it. */
export function stackFileText(run: Run): StackFileText {
  const environment = stackOf(run);
  return { environment, file: `Pulumi.${environment}.yaml`, text: stackFile(run) };
}
