import { defaultAudience } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import { programWaits } from './running';
import type { WorkloadArgs } from './workload';

/** Problems of a workload that would run without its secrets, and of pods that nobody could wait for. */
export function workloadProblems({
  vault,
  delivery = 'application',
  audience,
  credential,
  signIn,
  ...args
}: WorkloadArgs): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  if (programWaits(args) && args.kubeconfig === undefined) {
    problems.push({
      argument: 'kubeconfig',
      value: undefined,
      problem: 'is missing: updates wait for pods that wait for services of Azure',
      allowed: 'the kubeconfig of an administrator, or `awaited: false`',
    });
  }
  if (credential !== undefined && audience !== undefined && audience !== defaultAudience) {
    problems.push({
      argument: 'audience',
      value: audience,
      problem: 'does not go with `credential`: no token of a service account is presented',
      allowed: 'no audience',
    });
  }
  if (delivery === 'application') return problems;
  if (signIn === 'podIdentity') {
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem: 'does not go with the sign-in podIdentity: the driver signs in by workload identity',
      allowed: 'application',
    });
  }
  if (credential !== undefined) {
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem: 'does not go with `credential`: the driver signs in by the token of the service account',
      allowed: 'application',
    });
  }
  if (vault.secretNames.length === 0) {
    problems.push({
      argument: 'delivery',
      value: delivery,
      problem: 'has nothing to deliver',
      allowed: 'application, or secrets in `vault.secretNames`',
    });
  }
  if (audience !== undefined && audience !== defaultAudience) {
    problems.push({
      argument: 'audience',
      value: audience,
      problem: `does not go with the delivery ${delivery}: the driver asks for tokens of its own audience`,
      allowed: defaultAudience,
    });
  }
  return problems;
}
