import type { Logger } from '../logger';
import type { Clock } from './clock';
import type { Faults } from './faults';
import type { CloudReply, CloudRequest, CloudService, Dispatch, Refusal } from './server/exchange';
import { destinationOf, refusal } from './server/hosts';

export interface Services {
  arm: CloudService;
  entra: CloudService;
  vault: CloudService;
  blob: CloudService;
  issuer: CloudService;
  graph: CloudService;
  logs: CloudService;
  metadata: CloudService;
  charts: CloudService;
  local: CloudService;
}

/** First path segments of the resource manager; all other requests to a loopback address go to Entra. */
const ARM_ROOTS = new Set(['subscriptions', 'providers', 'tenants']);

function serviceFor(request: CloudRequest, services: Services): CloudService | undefined {
  const destination = destinationOf(request.host);
  if (destination === undefined) return undefined;
  if (destination.service !== 'loopback') return services[destination.service];
  const root = request.segments[0]?.toLowerCase() ?? '';
  if (root === '_local') return services.local;
  return ARM_ROOTS.has(root) ? services.arm : services.entra;
}

/**
 * Creates the dispatcher. It applies the injected faults, then routes a request to the service of its host. Every answer gets
 * that service's error envelope and headers, even if the request is refused before the service reads it.
 */
export function createDispatcher(services: Services, faults: Faults, clock: Clock, logger: Logger): Dispatch {
  const answer = async (
    service: CloudService,
    request: CloudRequest,
    refused: Refusal | undefined,
  ): Promise<CloudReply> => {
    const fault = await faults.apply(request, clock);
    if (fault !== undefined) {
      const reply = service.fault(fault.status, fault.code, fault.message);
      return { ...reply, headers: { ...reply.headers, ...fault.headers } };
    }
    if (refused !== undefined) return service.fault(refused.status, refused.code, refused.message);
    try {
      return await service.handle(request);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger.error(
        `${request.id}: ${request.method} https://${request.host}/${request.segments.join('/')}: ${reason}`,
      );
      // The reason is only logged: it may come from a library and contain a secret.
      return service.fault(
        500,
        'InternalServerError',
        `Encountered internal server error. Diagnostic information: timestamp '${new Date(clock.now()).toISOString()}', tracking id '${request.id}'. The local cloud's log says why.`,
      );
    }
  };
  return async (request, refused) => {
    const service = serviceFor(request, services);
    if (service === undefined) {
      return { status: 421, body: { error: { code: 'HostNotServed', message: refusal(request.host) } } };
    }
    const reply = await answer(service, request, refused);
    return { ...reply, headers: { ...service.headers?.(request), ...reply.headers } };
  };
}
