import { attempt, systemClock } from '../../verification/attempt';
import type { Access } from '../../verification/access';
import { checkName, type AccessCheck } from '../../verification/checks';
import { planChecks } from '../../verification/plan';
import { WorkloadChecks } from '../../verification/workloadChecks';
import type { DeployedOutputs } from '../stackOutputs';
import { restoreCommand } from '../verify/hint';
import { hintFor } from './failures';
import type { Finding } from './finding';

/** The checks of `verify` that say why a pod does not sign in. It has many more, of who may read what. */
const kinds: readonly AccessCheck['kind'][] = ['exchange', 'credential', 'annotations', 'pods', 'assigned'];

const hintOf = (
  { kind }: AccessCheck,
  isRestorable: boolean | undefined,
  stack: string,
  { cells }: DeployedOutputs,
): string =>
  kind === 'annotations'
    ? `${restoreCommand(stack, cells)} restores them.`
    : isRestorable === true
      ? `${restoreCommand(stack, cells)} restores the label in the pod template, which replaces the pods.`
      : `\`aks-wi verify --stack ${stack}\` waits and checks every grant.`;

/**
 * Checks the sign-in, the annotations, the labels and the pods of each application. It does not wait for propagation: what is not
 * propagated has the code AADSTS70021 or AADSTS70025.
 */
export async function workloadFindings(
  stack: string,
  outputs: DeployedOutputs,
  access: Access,
): Promise<Finding[]> {
  const now = { clock: systemClock, deadline: systemClock.now() };
  const verification = new WorkloadChecks(
    outputs,
    access,
    (action, transient) => attempt(action, transient, now),
    Date.now,
  );
  const findings = outputs.workloads
    .filter(({ revoked }) => revoked !== true)
    .map(async (workload): Promise<Finding[]> => {
      const checks = planChecks(outputs, workload).filter(({ kind }) => kinds.includes(kind));
      const outcomes = await verification.outcomes(workload, checks);
      return outcomes.map(({ check, ok, detail, isNote, isRestorable }) => ({
        check: `${workload.cluster}/${workload.application}: ${checkName(check)}`,
        state: ok ? (isNote === true ? 'warning' : 'ok') : 'failed',
        detail,
        ...((!ok || isNote === true) && {
          hint: hintFor(detail) ?? hintOf(check, isRestorable, stack, outputs),
        }),
      }));
    });
  return (await Promise.all(findings)).flat();
}
