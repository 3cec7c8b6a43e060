import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { lastRun } from './backendState';
import type { PulumiContext } from './runPulumi';

/** A resource in an event: type, URN, parent, provider, protection, inputs, outputs, …, with masked secrets. */
const state = z.record(z.string(), z.unknown()).nullish();

const event = z.object({
  /** Event of a resource whose step has ended, and whose outputs are registered. */
  resOutputsEvent: z.object({ metadata: z.object({ op: z.string(), old: state, new: state }) }).optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
});

/**
 * Returns the number of resources by operation (`same` only), if the events of a preview show that an update would change
 * nothing; undefined otherwise, and if the preview did not end.
 *
 * The engine counts a resource as the same whose outputs, protection, parent or provider differ (pulumi pkg/backend,
 * `sameSnapshotMutation.mustWrite`), so old and new states are compared, also those of components and of the stack, which
 * contain its outputs. An output that is unknown until the update differs. Two kinds of differences are not noticed, and the
 * next update records them. Events contain no dependencies, time limits, hooks and `deletedWith`. The first three are the
 * program's: after a commit or with uncommitted changes, `isRecorded` asks for an update. `deletedWith` follows the setting
 * `retainOnDelete`, which the events contain. And a secret output of a component may change although no resource does.
 */
export function unchanged(log: string): Record<string, number> | undefined {
  const lines = log.split('\n').filter((line) => line !== '');
  const events = lines.map((line) => event.parse(JSON.parse(line)));
  const counts = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent
    ?.resourceChanges;
  const onlySame = Object.keys(counts ?? {}).join() === 'same';
  const differs = events.some(
    ({ resOutputsEvent: { metadata } = {} }) =>
      metadata !== undefined && (metadata.op !== 'same' || !isDeepStrictEqual(metadata.old, metadata.new)),
  );
  return onlySame && !differs ? (counts ?? undefined) : undefined;
}

/**
 * Tells whether the last operation was a successful update from the current commit, without uncommitted changes. Otherwise,
 * an update without changes is needed for its record: `fleet status` and promotions read the deployed commit there, and a
 * failed update has not waited for what it deploys.
 */
export function isRecorded({ instance, stack }: PulumiContext): boolean {
  const last = lastRun(instance, stack.name);
  if (last?.kind !== 'update' || last.result !== 'succeeded') return false;
  if (last.environment?.['git.dirty'] === 'true') return false;
  return last.environment?.['git.head'] === headCommit(instance.projectRoot);
}

/** Returns the current commit; undefined outside of a git repository. */
function headCommit(cwd: string): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
