import type { Logger } from './arm/context';
import type { Clock } from './clock';
import type { Faults } from './faults';
import type { CloudReply, CloudRequest, CloudService } from './server/exchange';
import { destinationOf, refusal } from './server/hosts';

export interface Services {
  arm: CloudService;
  entra: CloudService;
  vault: CloudService;
  issuer: CloudService;
  graph: CloudService;
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

/** Routes a request to the service of its host, after the injected faults. */
export function createDispatcher(
  services: Services,
  faults: Faults,
  clock: Clock,
  logger: Logger,
): (request: CloudRequest) => Promise<CloudReply> {
  return async (request) => {
    const service = serviceFor(request, services);
    if (service === undefined) {
      return { status: 421, body: { error: { code: 'HostNotServed', message: refusal(request.host) } } };
    }
    const fault = await faults.apply(request, clock);
    if (fault !== undefined) {
      const reply = service.fault(fault.status, fault.code, fault.message);
      return { ...reply, headers: { ...reply.headers, ...fault.headers } };
    }
    try {
      return await service.handle(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      logger.error(`${request.method} https://${request.host}/${request.segments.join('/')}: ${message}`);
      return service.fault(500, 'InternalServerError', message);
    }
  };
}
