import * as z from 'zod';
import { SUBSCRIPTION_ID } from '../identity';
import { isManagement } from './arm/audience';
import { subscriptionScope } from './arm/resourceId';
import { CLUSTER_TYPE, clusterGuid, isStopped, type Clusters } from './arm/resources/clusterLifecycle';
import type { AuditLog } from './audit';
import type { Faults } from './faults';
import { isAllowed } from './identity/access';
import type { Tokens } from './identity/tokens';
import { TokenRefused } from './identity/tokens';
import { addNamedFault } from './provisioningFaults';
import type { CloudReply, CloudRequest, CloudService } from './server/exchange';
import type { Store } from './store/store';
import { reason } from '../logger';

const faultBody = z.strictObject({
  name: z.string(),
  resource: z.string().optional(),
  times: z.int().positive().optional(),
});

/**
 * Endpoints that Azure does not have, below `/_local` on the loopback address:
 * - `GET /_local/health`, without credentials.
 * - `GET /_local/audit`: the audit record of token requests, for callers who may read the activity log.
 * - `GET /_local/pods`, for callers who may read clusters: waits until every cluster that ran before the start runs again, and
 *   lists the pods that were ready before and are not ready again yet.
 * - `POST /_local/faults` with `{name, resource?, times?}`, and `DELETE /_local/faults`, which removes all faults, for owners
 *   of the subscription.
 */
export class LocalService implements CloudService {
  constructor(
    private readonly store: Store,
    private readonly tokens: Tokens,
    private readonly audit: AuditLog,
    private readonly faults: Faults,
    private readonly clusters: Clusters,
    private readonly isOwnOrigin: (origin: string) => boolean,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return { status, body: { error: { code, message } } };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    const route = `${request.method} ${request.segments.slice(1).join('/')}`;
    switch (route) {
      case 'GET health':
        return { status: 200, body: { status: 'serving' } };
      case 'GET audit':
        return (
          (await this.refusal(request, 'Microsoft.Insights/eventtypes/values/read')) ?? {
            status: 200,
            body: { value: this.audit.read() },
          }
        );
      case 'GET pods':
        return (
          (await this.refusal(request, 'Microsoft.ContainerService/managedClusters/read')) ?? {
            status: 200,
            body: { value: await this.unreadyPods() },
          }
        );
      case 'POST faults':
        return (await this.refusal(request, '*')) ?? this.addFault(request.body);
      case 'DELETE faults': {
        const refusal = await this.refusal(request, '*');
        if (refusal !== undefined) return refusal;
        this.faults.clear();
        return { status: 204 };
      }
      default:
        return this.fault(
          404,
          'NotFound',
          `'${route}' is not one of GET health, GET audit, GET pods, POST faults, DELETE faults.`,
        );
    }
  }

  private async unreadyPods(): Promise<{ cluster: string; pod: string }[]> {
    const serving = this.store
      .ofType(CLUSTER_TYPE)
      .filter((each) => each.properties['provisioningState'] === 'Succeeded' && !isStopped(each));
    await Promise.all(serving.map((cluster) => this.clusters.ready(cluster)));
    return serving.flatMap((cluster) =>
      (this.clusters.runtime.unreadyPods?.(clusterGuid(cluster)) ?? []).map((pod) => ({
        cluster: cluster.name,
        pod,
      })),
    );
  }

  private addFault(body: string): CloudReply {
    try {
      const { name, ...request } = faultBody.parse(JSON.parse(body));
      addNamedFault(this.faults, name, request);
      return { status: 201, body: { name, ...request } };
    } catch (error) {
      return this.fault(400, 'BadRequest', reason(error));
    }
  }

  /** The refusal for a caller whose roles do not allow the action; undefined if they do. */
  private async refusal(request: CloudRequest, action: string): Promise<CloudReply | undefined> {
    const token = /^Bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
    try {
      const caller = await this.tokens.verify(token, (audience) => isManagement(audience, this.isOwnOrigin));
      if (isAllowed(this.store, caller, action, subscriptionScope(SUBSCRIPTION_ID))) return undefined;
      return this.fault(
        403,
        'AuthorizationFailed',
        `The caller may not perform '${action}' on the subscription.`,
      );
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      return this.fault(
        401,
        'InvalidAuthenticationToken',
        'A token for https://management.azure.com is needed.',
      );
    }
  }
}
