import { defaultAudience } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import { programWaits } from './running';
import type { WorkloadArgs } from './workload';

/** Problems of a workload whose pods would never start, and of pods that nobody could wait for. */
export function workloadProblems({
  delivery = 'application',
  audience = defaultAudience,
  credential,
  signIn,
  ...args
}: WorkloadArgs): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  if (programWaits(args) && args.kubeconfig === undefined)
    problems.push({
      argument: 'kubeconfig',
      problem: 'is missing: updates wait for pods that wait for services of Azure',
      allowed: 'the kubeconfig of an administrator, or `awaited: false`',
    });
  const byDriver = credential === undefined && signIn !== 'podIdentity' && audience === defaultAudience;
  if (delivery !== 'application' && !byDriver)
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem:
        'does not go with this sign-in: the driver signs in by workload identity, for its own audience',
      allowed: 'application',
    });
  return problems;
}
