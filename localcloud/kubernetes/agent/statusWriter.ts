import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../api/client';
import { ApiError } from '../api/client';
import type { Logger } from '../../logger';
import { reason } from '../../logger';

const retryMs = 300;

/**
 * Writes the status of one pod. Changes during a write are combined into the next write. While the API server is down,
 * it retries.
 */
export class StatusWriter {
  private written = '';
  private loop: Promise<void> | undefined;
  private pending = false;

  constructor(
    private readonly client: ApiClient,
    private readonly pod: { namespace: string; name: string; uid: string },
    private readonly status: () => object,
    private readonly signal: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /** Resolves when the current status is written. */
  async write(): Promise<void> {
    this.pending = true;
    this.loop ??= this.writeAll().finally(() => {
      this.loop = undefined;
    });
    await this.loop;
  }

  private async writeAll(): Promise<void> {
    const { namespace, name, uid } = this.pod;
    const over = () => this.signal.aborted;
    while (this.pending && !over()) {
      this.pending = false;
      const status = this.status();
      const text = JSON.stringify(status);
      if (text === this.written) continue;
      try {
        // With the uid, the API server refuses (409) to change a newer pod with the same name.
        await this.client.request('PATCH', `/api/v1/namespaces/${namespace}/pods/${name}/status`, {
          body: { metadata: { uid }, status },
          contentType: 'application/strategic-merge-patch+json',
          signal: this.signal,
        });
        this.written = text;
      } catch (error) {
        if (over()) return;
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
          if (error.status !== 404 && error.status !== 409)
            this.logger.warn(`status of pod ${namespace}/${name} is refused: ${reason(error)}`);
          continue;
        }
        this.pending = true;
        await delay(retryMs, undefined, { signal: this.signal }).catch(() => undefined);
      }
    }
  }
}
