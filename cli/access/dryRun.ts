import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Access } from '../../stacks/access/reach';
import type { DryRunAnswer, DryRunRequest } from '../../stacks/dryRun/request';
import { formatPlaced } from '../../stacks/offline';
import { VisibleError } from '../visibleError';

/** The program that runs the deployment without an engine, beside the bundle of the command. */
const program = path.join(path.dirname(path.dirname(__dirname)), 'dist', 'dry-run.cjs');
const bundled = path.join(__dirname, 'dry-run.cjs');

/** Who could use what if a stack file were deployed: the deployment runs in a process of its own, without an engine. */
export async function dryRun(request: DryRunRequest): Promise<Access> {
  const file = path.basename(__dirname) === 'dist' ? bundled : program;
  // Most of the time would go into collecting what the SDK makes for each resource.
  const child = spawn(process.execPath, ['--max-semi-space-size=128', '--max-old-space-size=12000', file], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(request));
  const [told, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1))),
  ]);
  if (code !== 0) {
    throw new VisibleError(
      `${request.file} cannot be run without an engine: ${errors.trim().split('\n').at(-1) ?? ''}`,
      'Run `aks-wi validate`; if that finds nothing, compare with `pulumi preview`.',
    );
  }
  const answer = JSON.parse(told) as DryRunAnswer;
  if ('access' in answer) return answer.access;
  throw new VisibleError(
    `${request.file} is not valid.\n${answer.problems.map(formatPlaced).join('\n')}`,
    'Correct it first.',
  );
}
