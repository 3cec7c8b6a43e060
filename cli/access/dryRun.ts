import type { Access } from '../../stacks/access/reach';
import type { DryRunAnswer, DryRunRequest } from '../../stacks/dryRun/request';
import { formatPlaced } from '../../stacks/offline';
import { VisibleError } from '../visibleError';
import { answersInProcess } from './dryRunProcess';

/** Who could use what if stack files were deployed, in their order: the deployment runs without an engine. */
export async function dryRun(requests: readonly DryRunRequest[]): Promise<Access[]> {
  if (requests.length === 0) return [];
  const { code, stdout, stderr } = await answersInProcess(JSON.stringify(requests));
  if (code !== 0) {
    throw new VisibleError(
      `${requests.map(({ file }) => file).join(' and ')} cannot be run without an engine: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      'Run `aks-wi validate`; if that finds nothing, compare with `pulumi preview`.',
    );
  }
  return (JSON.parse(stdout) as DryRunAnswer[]).map((answer, index) => {
    if ('access' in answer) return answer.access;
    throw new VisibleError(
      `${requests[index]?.file ?? ''} is not valid.\n${answer.problems.map(formatPlaced).join('\n')}`,
      'Correct it first.',
    );
  });
}
