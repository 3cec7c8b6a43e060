import { messageHere } from '../resource/errors';
import * as pulumi from '@pulumi/pulumi';
import { messageOf, UserError } from '../resource/errors';
import type { Cluster } from './cluster';
import { ClusterAnswerError, clusters } from './cluster';
import type { Refusal } from './refusals';
import { patienceWith, hintFor } from './refusals';
import { answersAtAll, skipsUnreachable } from './unreachable';

/** Result of one look at a cluster: the answer, what is missing until there is one, or a refusal. */
export type Look<T> = { readonly answer: T } | NoAnswer;

/** A look without an answer. */
type NoAnswer = (
  | {
      readonly missing: string;
      /** Another wait limits this time; the question's own time starts afterwards. */
      readonly untimed?: true;
    }
  | { readonly refusal: Refusal }
) & {
  /** The last event of the object, if it has one. */
  readonly event?: string | undefined;
};

/** A question that a cluster is asked until it has the answer. */
export interface Question<T> {
  /** The statement that is true while there is no answer: `cert-manager does not answer`. */
  readonly problem: string;
  readonly look: (cluster: Cluster) => Promise<Look<T>>;
  readonly limitMs: number;
  /** Hint for the user when the time is up. */
  readonly hint: string;
  /** Hint for a refusal without one in the table of refusals. Default: `hint`. */
  readonly refusalHint?: string;
}

/** The clock of all waits. Tests replace its functions. */
export const clock = {
  now: () => Date.now(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

const firstPauseMs = 250;
const longestPauseMs = 2_000;

/**
 * Asks a question once `after` is known, until it is answered. A preview asks nothing, because its cluster may not exist
 * yet.
 * @param resource resource that shows the progress and the error
 * @param kubeconfig kubeconfig of an administrator
 * @returns the answer; undefined in a preview, and for a cluster that the update skips
 */
export function waitFor<T, A>(
  resource: pulumi.Resource,
  kubeconfig: pulumi.Input<string>,
  after: pulumi.Output<A>,
  questionOf: (after: A) => Question<T>,
): pulumi.Output<T | undefined> {
  const asked = pulumi.runtime.isDryRun()
    ? pulumi.output(undefined)
    : pulumi
        .output(kubeconfig)
        .apply((text) => after.apply((known) => askAt(resource, text, questionOf(known))));
  // The answer is not secret, although the kubeconfig is.
  return pulumi.unsecret(asked);
}

/** Asks whether the cluster answers; the table of refusals limits the time. */
const isReachable: Question<true> = {
  problem: 'its cluster does not answer',
  look: answersAtAll,
  limitMs: Infinity,
  hint: '',
};

/** Reasons for which this update skips clusters, by kubeconfig: later questions do not wait for these again. */
const skipped = new Map<string, string>();

/**
 * Asks a question, and shows its progress and its error at the resource.
 * @returns undefined if the cluster does not answer and updates skip such clusters
 */
export async function askAt<T>(
  resource: pulumi.Resource,
  kubeconfig: string,
  question: Question<T>,
): Promise<T | undefined> {
  try {
    const cluster = await clusters.connect(kubeconfig);
    const asked = <A>(asking: Question<A>) =>
      ask(cluster, asking, (missing) => {
        // The variable part comes first, because the engine truncates lines.
        void pulumi.log.info(`Waiting: ${missing} (${asking.problem} yet)`, resource, undefined, true);
      });
    if (skipsUnreachable()) {
      const reason = skipped.get(kubeconfig) ?? (await asked(isReachable).then(() => undefined, messageOf));
      if (reason !== undefined) {
        skipped.set(kubeconfig, reason);
        void pulumi.log.warn(`The update does not wait for it: ${reason}`, resource);
        return undefined;
      }
    }
    return await asked(question);
  } catch (error) {
    if (error instanceof UserError) throw errorAt(resource, error.message);
    throw error;
  }
}

/**
 * Asks a cluster until it has the answer.
 * @param report called with what is missing, whenever that changes
 * @throws UserError when the time is up, and earlier for a lasting refusal
 */
export async function ask<T>(
  cluster: Cluster,
  { problem, look, limitMs, hint, refusalHint = hint }: Question<T>,
  report: (missing: string) => void,
): Promise<T> {
  const refusals = new Refusals();
  let end = clock.now() + limitMs;
  let reported = '';
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const found = await look(cluster).catch(failure);
    if ('answer' in found) return found.answer;
    const now = clock.now();
    if ('untimed' in found) end = now + limitMs;
    const missing = textOf(found);
    if ('refusal' in found && refusals.age(found.refusal, now) >= patienceWith(found.refusal)) {
      throw new UserError(`${problem}: ${missing}. ${hintFor(found.refusal) ?? refusalHint}`);
    }
    if (now >= end) {
      throw new UserError(`${problem}: ${missing} (for ${limitMs / 60_000} minutes). ${hint}`);
    }
    if (missing !== reported) report(missing);
    reported = missing;
    await clock.sleep(Math.min(pause, end - now));
  }
}

/** Returns the result of a failed look. An API server can be unavailable for moments while it is updated. */
function failure(error: unknown): { readonly refusal: Refusal } {
  if (error instanceof UserError) throw error;
  const forbidden = error instanceof ClusterAnswerError && error.reason === 'forbidden';
  const code = forbidden ? 'ClusterForbidden' : 'ClusterUnreachable';
  return { refusal: { code, message: messageOf(error) } };
}

/** Returns the result on one line; Azure's refusals have several. */
function textOf(found: NoAnswer): string {
  const text = 'missing' in found ? found.missing : `${found.refusal.code}: ${found.refusal.message}`;
  const { event } = found;
  const clause = (words: string) => words.replace(/\s+/g, ' ').replace(/\.?\s*$/, '');
  return event === undefined ? clause(text) : `${clause(text)} (last event: ${clause(event)})`;
}

/**
 * Time after which a refusal counts as new. While the operator retries, it does not show the refusal: for moments if Azure
 * refuses again, longer if not.
 */
const forgottenAfterMs = 30_000;

/** The refusals of one wait. */
class Refusals {
  private readonly seen = new Map<string, { readonly first: number; readonly last: number }>();

  /** Returns the time since the refusal was first seen, in milliseconds. */
  age({ code }: Refusal, now: number): number {
    const before = this.seen.get(code);
    const first = before === undefined || now - before.last > forgottenAfterMs ? now : before.first;
    this.seen.set(code, { first, last: now });
    return now - first;
  }
}

/**
 * Returns an error that the engine shows at a resource, without a stack trace (see UserError). The SDK itself shows an
 * error at its resource only during the program's first run, and later at the stack, with its stack trace
 * (cmd/run/index.ts). Therefore, the error is logged here, and the trace shows where to look.
 */
function errorAt(resource: pulumi.Resource, text: string): pulumi.ResourceError {
  const message = messageHere(text);
  const error = new pulumi.ResourceError(message, resource, true);
  void pulumi.log.error(message, resource);
  error.stack = 'The update failed; the error is shown at the resource that failed.';
  return error;
}
