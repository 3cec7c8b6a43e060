import type { WorkloadSummary } from '../../verification/report';
import type { UnlistedVault } from '../../verification/vaultInventory';

/** The stack that `make up` deploys; pulumi is led to it by `npx aks-wi`. */
const localStack = 'local';

/** What to do about a refused token or a granted secret that cannot be read; undefined where none is. */
export function remedyFor(
  stack: string,
  workloads: Pick<WorkloadSummary, 'grantsHold'>[],
): string | undefined {
  if (workloads.every(({ grantsHold }) => grantsHold)) return undefined;
  const way =
    stack === localStack
      ? '`npx aks-wi pulumi up --refresh` (or `npx aks-wi pulumi refresh`, then `make up`)'
      : `\`pulumi up --refresh --stack ${stack}\``;
  return `If something was changed or removed outside Pulumi: ${way} reads what really exists and restores it.`;
}

/** Says of which vaults only the named secrets were tried, one line a reason. */
export function inventoryNotes(unlisted: UnlistedVault[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { vault, reason } of unlisted) byReason.set(reason, [...(byReason.get(reason) ?? []), vault]);
  return [...byReason].map(
    ([reason, vaults]) =>
      `Only the secrets that the stack names were tried in ${vaults.join(', ')}: what else is there could not be listed: ${reason}`,
  );
}
