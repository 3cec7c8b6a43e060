import pLimit from 'p-limit';
import { stacksAtOnce } from '../cells';
import { cellsOutput } from '../deployedAccess';
import { lastUpdate } from '../lastUpdate';
import { promote } from '../promote/command';
import { runPulumi } from '../pulumi';
import { shownInMarkdown } from '../shownInMarkdown';
import { UserError } from '../userError';
import type { PullRequests } from './pullRequests';
import { git, headCommit } from './run';
import { printNote } from '../print';

/** A promotion from one stack to another, as a pull request. */
export interface PromotionRequest {
  readonly from: string;
  readonly to: string;
  /** Target branch of the pull request. */
  readonly base: string;
  /** Only show the releases. */
  readonly dryRun: boolean;
  /** Time limit of the verification in seconds. */
  readonly timeout: number;
}

const author = ['-c', 'user.name=aks-wi pipeline', '-c', 'user.email=aks-wi@users.noreply.invalid'];

/**
 * Verifies the first stack, which must have been deployed at this commit, and opens a pull request that pins its releases for
 * the other stack. An open pull request is updated.
 */
export async function promoteByPullRequest(
  { from, to, base, dryRun, timeout }: PromotionRequest,
  project: string,
  requests: PullRequests | undefined,
): Promise<void> {
  if (requests === undefined)
    throw new UserError(
      'Only GitHub Actions and Azure DevOps with Azure Repos open pull requests here.',
      `Run \`aks-wi promote --from ${from} --to ${to}\`, and commit what it writes.`,
    );
  if ((await git(project, 'status', '--porcelain', '--untracked-files=no')) !== '')
    throw new UserError('The checkout has changes that are not committed.', 'Start from a clean checkout.');
  const commit = await headCommit(project);
  await requireDeployed(from, project, commit);
  await promote({ from, to, yes: true, dryRun, timeout });
  const changed = await git(project, 'diff', '--name-only');
  if (changed === '') return;
  const branch = `promote/${from}-to-${to}`;
  const title = `Promote ${from} to ${to}`;
  const text = `${shownInMarkdown(from)} runs these releases at ${commit}, and its verification passed.`;
  await git(project, 'switch', '--force-create', branch);
  await git(project, ...author, 'commit', '--all', '--message', title, '--message', text);
  // The branch belongs to the pipeline. An earlier promotion that is not merged is replaced.
  await git(project, 'push', '--force', 'origin', `HEAD:refs/heads/${branch}`);
  const address = await requests.open({ branch, base, title, text });
  printNote(`The pull request: ${address}\n`);
}

/** Refuses a stack unless the last update of it, and of each of its cells, was of this commit and succeeded. */
export async function requireDeployed(stack: string, cwd: string, commit: string): Promise<void> {
  await requireUpdate(stack, cwd, commit);
  const outputs = await runPulumi({ name: stack, cwd }, ['stack', 'output', '--json']);
  const { cells } = cellsOutput.parse(JSON.parse(outputs));
  const limited = pLimit(stacksAtOnce);
  await Promise.all(cells.map((cell) => limited(() => requireUpdate(cell.stack, cwd, commit))));
}

async function requireUpdate(stack: string, cwd: string, commit: string): Promise<void> {
  const last = await lastUpdate({ name: stack, cwd });
  if (last?.result === 'succeeded' && last.commit === commit) return;
  throw new UserError(
    `Stack ${stack} is not deployed at ${commit}: its last update was at ${last?.commit ?? 'no commit'} (${last?.result ?? 'none'}). Its releases were not verified at this commit.`,
    `Deploy and verify ${stack} at this commit first. In the pipeline, the earlier stages do this.`,
  );
}
