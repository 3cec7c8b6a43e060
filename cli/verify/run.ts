import type { VerifiedOutputs } from '../../verification/checks';
import { createAzureAccess } from '../../verification/azureAccess';
import { toReport, type Report } from '../../verification/report';
import { verifyStack, type VerifyResult } from '../../verification/runner';
import { stackCloud } from '../azureTarget';
import { accessOf } from '../../stacks/access/reach';
import { assignedIn } from '../../stacks/access/assigned';
import { reasonsToReach } from '../../stacks/access/question';
import { deployedStack } from '../deployedAccess';
import type { PulumiStack } from '../pulumi';
import { listsIn } from '../azureLists';
import { printNote } from '../print';
import { requireUnattended } from '../unattended';

/**
 * Role assignments "can take up to several minutes" to reach a vault, and new federated credentials as long to reach Entra. The
 * verification waits up to five minutes in total, only for refused grants. An environment without propagation sets
 * AKS_WI_VERIFY_TIMEOUT.
 */
export const defaultTimeoutSeconds = 300;

/** The results of the verification of a deployed stack. */
export type Verified = VerifyResult & { report: Report };

/** Verifies a deployed stack through the real client libraries, and shows the progress on a terminal. */
export async function verifyDeployed(
  stack: PulumiStack,
  outputs: VerifiedOutputs,
  options: { timeoutSeconds: number; quiet: boolean },
): Promise<Verified> {
  const { env } = process;
  requireUnattended(outputs.kubeconfigs);
  const registered = await deployedStack(stack);
  const result = await verifyStack({
    outputs,
    assigned: assignedIn(registered),
    access: {
      ...createAzureAccess(outputs),
      ...listsIn(() => stackCloud(stack, env), env),
      reasonToReach: reasonsToReach(accessOf(registered, stack.name)),
    },
    timeoutSeconds: options.timeoutSeconds,
    onWorkload: ({ workload, outcomes }) => {
      const failed = outcomes.filter(({ ok }) => !ok).length;
      if (!options.quiet && process.stderr.isTTY) {
        printNote(
          `${workload.cluster}/${workload.application}: ${failed === 0 ? 'ok' : `${failed} failed`}\n`,
        );
      }
    },
  });
  return { ...result, report: toReport(result) };
}
