import { createHash } from 'node:crypto';
import type { ApiClient } from '../api/client';
import { isStatus } from '../api/client';
import type { Pod } from '../api/types';
import type { Logger } from '../../logger';
import { reason as reasonOf } from '../../logger';
import { nodeName } from '../controlplane/node';

const timestamp = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

export interface PodEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The agent's events of one pod, as `kubectl describe pod` shows a kubelet's. */
export class PodEvents {
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly client: ApiClient,
    private readonly logger: Logger,
  ) {}

  /** Records an event. A repetition increases the count of the existing event. Never throws. */
  async record(pod: Pod, { type, reason, message }: PodEvent): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const hash = createHash('sha256').update(`${uid} ${reason} ${message}`).digest('hex').slice(0, 16);
    const collection = `/api/v1/namespaces/${namespace}/events`;
    const event = `${name}.${hash}`;
    const count = (this.counts.get(event) ?? 0) + 1;
    this.counts.set(event, count);
    try {
      if (count === 1) {
        await this.client.create(collection, {
          metadata: { name: event, namespace },
          involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
          type,
          reason,
          message,
          count,
          source: { component: 'kubelet', host: nodeName },
          firstTimestamp: timestamp(),
          lastTimestamp: timestamp(),
        });
        return;
      }
      await this.client.request('PATCH', `${collection}/${event}`, {
        body: { count, lastTimestamp: timestamp() },
        contentType: 'application/merge-patch+json',
      });
    } catch (error) {
      // The pod's namespace is being deleted, the event has expired, or an earlier daemon recorded it.
      if (!isStatus(error, 403, 404, 409)) this.logger.warn(`event ${reason} of ${name}: ${reasonOf(error)}`);
    }
  }
}
