import type { WorkloadSummary } from '../../verification/report';
import type { VerifyResult } from '../../verification/runner';
import type { Unlisted } from '../../verification/vaultInventory';

/** The stack that `make up` deploys; `npx aks-wi pulumi` runs pulumi on it. */
const localStack = 'local';

/** What to do if a token was refused or a granted secret cannot be read; undefined if neither is the case. */
export function verifyRemedy(
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

/** What could not be listed, a line for each reason. */
export function inventoryNotes({
  unlisted,
  trusts,
  grants,
}: Pick<VerifyResult, 'unlisted' | 'trusts' | 'grants'>): string[] {
  return [
    ...byReason(unlisted).map(
      ([reason, vaults]) =>
        `Only the secrets that the stack names were tried in ${vaults}: what else is there could not be listed: ${reason}`,
    ),
    ...byReason(trusts.unlisted).map(
      ([reason, identities]) => `What else ${identities} may trust could not be listed: ${reason}`,
    ),
    ...byReason(grants.unlisted).map(
      ([reason, places]) => `Grants of others could not be listed in ${places}: ${reason}`,
    ),
  ];
}

/** Each reason, with the names of those that it holds for. */
function byReason(unlisted: readonly Unlisted[]): [reason: string, names: string][] {
  const reasons = [...new Set(unlisted.map(({ reason }) => reason))];
  return reasons.map((reason) => [
    reason,
    unlisted
      .filter((one) => one.reason === reason)
      .map(({ name }) => name)
      .join(', '),
  ]);
}
