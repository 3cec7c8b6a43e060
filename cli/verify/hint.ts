import type { WorkloadSummary } from '../../verification/report';

/** Returns the hint if a token was refused or a granted secret cannot be read; otherwise undefined. */
export function verifyHint(
  stack: string,
  cells: readonly unknown[] | undefined,
  workloads: Pick<WorkloadSummary, 'grantsHold'>[],
): string | undefined {
  if (workloads.every(({ grantsHold }) => grantsHold)) return undefined;
  const update = cells === undefined ? '`pulumi up`' : deployCommand(stack, cells);
  return `If something was changed or removed outside Pulumi, ${restoreCommand(stack, cells)} restores it. After \`aks-wi revoke\`: ${update} updates the stack to the revocation.`;
}

/** Returns the command that restores the actual resources. @param cells cells of the environment */
export function restoreCommand(stack: string, cells: readonly unknown[] = []): string {
  const command = `\`pulumi up --refresh --stack ${stack}\``;
  return cells.length === 0
    ? command
    : `\`pulumi up --refresh --stack <cell>\` with the stack of its cell, or ${command} for what has no cluster,`;
}

/** Returns the command that deploys the stack. @param cells cells of the environment */
export function deployCommand(stack: string, cells: readonly unknown[] = []): string {
  return cells.length === 0 ? `\`pulumi up --stack ${stack}\`` : `\`npx aks-wi fleet up --stack ${stack}\``;
}
