import type { Access } from '../../stacks/access/reach';
import type { DryRunAnswer, DryRunRequest } from '../../stacks/dryRun/request';
import { formatPlaced } from '../../stacks/stackFile';
import { UserError } from '../userError';
import { runInProcess } from './dryRunProcess';

/**
 * Runs the deployment of stack files without an engine.
 * @returns who could use what afterwards, in the order of the requests
 */
export async function dryRun(requests: readonly DryRunRequest[]): Promise<Access[]> {
  if (requests.length === 0) return [];
  const { code, stdout, stderr } = await runInProcess(JSON.stringify(requests));
  if (code !== 0) {
    throw new UserError(
      `${requests.map(({ file }) => file).join(' and ')} cannot be run without an engine: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      'Run `aks-wi validate`; if that finds nothing, compare with `pulumi preview`.',
    );
  }
  return (JSON.parse(stdout) as DryRunAnswer[]).map((answer, index) => {
    if ('access' in answer) return answer.access;
    throw new UserError(
      `${requests[index]?.file ?? ''} is not valid.\n${answer.problems.map(formatPlaced).join('\n')}`,
      'Correct it first.',
    );
  });
}
