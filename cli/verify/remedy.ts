import type { WorkloadSummary } from '../../verification/report';

/** What to do if a token was refused or a granted secret cannot be read; undefined if neither is the case. */
export function verifyRemedy(
  stack: string,
  workloads: Pick<WorkloadSummary, 'grantsHold'>[],
): string | undefined {
  if (workloads.every(({ grantsHold }) => grantsHold)) return undefined;
  return `If something was changed or removed outside Pulumi: ${restoreCommand(stack)} reads what really exists and restores it. After \`aks-wi revoke\`, \`pulumi up\` makes the stack expect what is revoked.`;
}

/** The command that reads what really exists and restores it. */
export function restoreCommand(stack: string): string {
  return `\`pulumi up --refresh --stack ${stack}\``;
}
