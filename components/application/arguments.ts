import { defaultAudience } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import type { WorkloadArgs } from './workload';

/** What would run without its secrets. */
export function workloadProblems({
  vault,
  delivery = 'application',
  audience,
}: WorkloadArgs): ArgumentProblem[] {
  if (delivery === 'application') return [];
  const problems: ArgumentProblem[] = [];
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
