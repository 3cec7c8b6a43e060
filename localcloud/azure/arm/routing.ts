import type { CloudRequest } from '../server/exchange';
import { KNOWN_TYPES, NAMESPACES } from './apiVersions';
import type { ArmEndpoint } from './endpoint';
import { matchPath } from './endpoint';
import { ArmError } from './errors';

/** The endpoint that matches a request, with the values in its path. */
export interface Found {
  endpoint: ArmEndpoint;
  params: Record<string, string>;
  scope: string;
}

/** The namespace and the type segments after the last `providers` segment of a path. */
function typeIn(segments: readonly string[]): { namespace?: string; kind: string } {
  const at = segments.map((segment) => segment.toLowerCase()).lastIndexOf('providers');
  if (at < 0) return { kind: '' };
  const kind = segments.slice(at + 2).filter((_segment, index) => index % 2 === 0);
  return { namespace: segments[at + 1], kind: kind.join('/') };
}

/** The error for a namespace that the local cloud does not have (Azure/aci-connector-k8s #13). */
export function unknownNamespace(namespace: string): ArmError {
  return new ArmError(
    404,
    'InvalidResourceNamespace',
    `The resource namespace '${namespace}' is invalid. The local cloud has ${NAMESPACES.join(', ')}.`,
  );
}

/**
 * The error for a path that matches no endpoint. Source for an unknown type: Azure/azure-powershell #11022. Azure's answer for
 * a path without a namespace, or with a known type in another place, is not known.
 */
function unknownPath({ segments, query }: CloudRequest): ArmError {
  const { namespace, kind } = typeIn(segments);
  const known = NAMESPACES.find((name) => name.toLowerCase() === namespace?.toLowerCase());
  if (namespace !== undefined && known === undefined) return unknownNamespace(namespace);
  const path = `/${segments.join('/')}`;
  const type = KNOWN_TYPES.find((name) => name.toLowerCase() === `${known ?? ''}/${kind}`.toLowerCase());
  const text =
    known === undefined || type !== undefined
      ? `The path '${path}' is not known to the local cloud.`
      : `The resource type could not be found in the namespace '${known}' for api version '${query.get('api-version') ?? ''}'.`;
  return new ArmError(
    404,
    'InvalidResourceType',
    `${text} The local cloud has these resource types: ${KNOWN_TYPES.join(', ')}.`,
  );
}

/** Finds the endpoint of a request; throws if there is none. The endpoint of `GET` also answers `HEAD`. */
export function route(endpoints: readonly ArmEndpoint[], request: CloudRequest): Found {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const others = new Set<string>();
  for (const endpoint of endpoints) {
    const match = matchPath(endpoint.path, request.segments);
    if (match === undefined) continue;
    if (endpoint.method === method) return { endpoint, ...match };
    others.add(endpoint.method);
  }
  if (others.size === 0) throw unknownPath(request);
  // Source: Azure/azure-powershell #9709.
  throw new ArmError(
    405,
    'MethodNotAllowed',
    `The HTTP method '${request.method}' is not supported on the resource '${request.origin}/${request.segments.join('/')}'. Supported here: ${[...others].sort().join(', ')}.`,
    { headers: { allow: [...others].sort().join(', ') } },
  );
}
