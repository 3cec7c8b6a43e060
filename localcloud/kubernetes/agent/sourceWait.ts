import { setTimeout as delay } from 'node:timers/promises';
import { reason } from '../../logger';
import { isStatus } from '../api/client';
import { MissingSource } from './sources';

/** Milliseconds after which a missing Secret or ConfigMap is read again without a change event. */
const lookAgainMs = 10_000;

/** A container that reports why it does not start yet. */
export interface Waiting {
  wait(reason: string, message: string): void;
}

/** Repeats what a pod does with Secrets and ConfigMaps until they exist. */
export class SourceWait {
  private wakeUp: (() => void) | undefined;

  /** @param ending aborted when nothing may be started any more */
  constructor(private readonly ending: AbortSignal) {}

  /** Ends the current pause: a Secret or ConfigMap has changed, or the pod ends. */
  changed(): void {
    this.wakeUp?.();
  }

  /**
   * Repeats an action while a Secret or ConfigMap is missing, or the API server does not respond.
   *
   * @param waitingReason reason for which the containers wait meanwhile
   */
  async untilPresent<T>(
    action: () => Promise<T>,
    waitingReason: string,
    containers: readonly Waiting[],
  ): Promise<T> {
    for (;;) {
      const timer = new AbortController();
      const changed = new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
      try {
        return await action();
      } catch (error) {
        const isMissing = isStatus(error, 403, 404, 422) || error instanceof MissingSource;
        if ((!isMissing && !isConnectionError(error)) || this.ending.aborted) throw error;
        for (const container of containers) container.wait(waitingReason, reason(error));
        const wait = delay(isMissing ? lookAgainMs : 500, undefined, {
          signal: AbortSignal.any([timer.signal, this.ending]),
        }).catch(() => undefined);
        await Promise.race([changed, wait]);
        timer.abort();
      }
    }
  }
}

function isConnectionError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE';
}
