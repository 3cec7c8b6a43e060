import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../api/client';
import { isStatus } from '../api/client';
import type { Pod } from '../api/types';

/** Deletes a pod whose containers have ended. Repeats it until the API server answers, or the signal is aborted. */
export async function deletePod(
  { metadata: { namespace, name, uid } }: Pod,
  client: ApiClient,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, {
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } },
      });
      return;
    } catch (error) {
      if (isStatus(error, 404, 409)) return;
      await delay(300, undefined, { signal }).catch(() => undefined);
    }
  }
}
