import type { WorkloadSummary } from '../../verification/report';

/** Returns the hint if a token was refused or a granted secret cannot be read; otherwise undefined. */
export function verifyHint(
  stack: string,
  workloads: Pick<WorkloadSummary, 'grantsHold'>[],
): string | undefined {
  if (workloads.every(({ grantsHold }) => grantsHold)) return undefined;
  return `If something was changed or removed outside Pulumi, ${restoreCommand(stack)} restores it. After \`aks-wi revoke\`: \`pulumi up\` updates the stack to the revocation.`;
}

/** Returns the command that restores the actual resources. */
export function restoreCommand(stack: string): string {
  return `\`pulumi up --refresh --stack ${stack}\``;
}
