import type { Access } from '../../stacks/access/reach';
import type { DryRunAnswer, DryRunRequest, Parts } from '../../stacks/dryRun/request';
import { formatPlaced } from '../../stacks/stackFile';
import { UserError } from '../userError';
import { runInProcess } from './dryRunProcess';

/**
 * Runs the deployment of stack files without an engine.
 * @returns who could use what afterwards, in the order of the requests
 */
export async function dryRun(requests: readonly DryRunRequest[]): Promise<Access[]> {
  return (await answers(requests)).flatMap((answer) => ('access' in answer ? answer.access : []));
}

/** Returns the resources that each stack of an environment with cells registers. */
export async function dryRunOfParts(request: DryRunRequest): Promise<Parts> {
  const [answer] = await answers([{ ...request, parts: true }]);
  return answer !== undefined && 'parts' in answer ? answer.parts : {};
}

/** @throws UserError if one cannot be run, or is not valid */
async function answers(requests: readonly DryRunRequest[]): Promise<DryRunAnswer[]> {
  if (requests.length === 0) return [];
  const { code, stdout, stderr } = await runInProcess(JSON.stringify(requests));
  if (code !== 0) {
    throw new UserError(
      `${requests.map(({ file }) => file).join(' and ')} cannot be run without an engine: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      'Run `aks-wi validate`; if that finds nothing, compare with `pulumi preview`.',
    );
  }
  return (JSON.parse(stdout) as DryRunAnswer[]).map((answer, index) => {
    if (!('problems' in answer)) return answer;
    throw new UserError(
      `${requests[index]?.file ?? ''} is not valid.\n${answer.problems.map(formatPlaced).join('\n')}`,
      'Correct it first.',
    );
  });
}
