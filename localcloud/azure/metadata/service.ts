import type { AuditLog, TokenIssuance } from '../audit';
import type { Clock } from '../clock';
import { isResource, RESOURCES } from '../entra/resources';
import { groupsOf } from '../identity/groups';
import type { Tokens } from '../identity/tokens';
import { MANAGED_IDENTITY_LIFETIME } from '../identity/tokens';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { commonHeaders } from '../server/exchange';
import { TENANT_ID } from '../../identity';
import type { Store } from '../store/store';
import { clusterWithId, identitiesOf, selectIdentity } from './assignedIdentities';
import { errorReply, invalidRequest, MetadataError } from './errors';
import { asPod } from './nodeManagedIdentity';
import type { Nodes, Sender } from './nodes';

/**
 * The versions of the service that have this endpoint (azure-docs `articles/virtual-machines/instance-metadata-service.md`).
 * Clients send the first (azidentity, msal-node).
 */
const API_VERSIONS: readonly string[] = [
  ...['2018-02-01', '2018-04-02', '2018-10-01', '2019-02-01', '2019-03-11', '2019-04-30', '2019-06-01'],
  ...['2019-06-04', '2019-08-01', '2019-08-15', '2019-11-01', '2020-06-01', '2020-07-15', '2020-09-01'],
  ...['2020-10-01', '2020-12-01', '2021-01-01', '2021-02-01', '2021-03-01', '2021-05-01', '2021-10-01'],
  ...['2021-11-01', '2021-11-15', '2021-12-13', '2023-07-01'],
];
const TOKEN = '/metadata/identity/oauth2/token';
/**
 * The only part of the path that is matched case-insensitively (aad-pod-identity `pkg/nmi/server/server.go`).
 * aad-pod-identity's node component passes on every path that it does not recognize as a token's. If another spelling were
 * served, it would bypass the bindings.
 */
const FIRST_SEGMENT = /^\/metadata\//i;

/** Everything that the metadata service needs. */
export interface MetadataContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly audit: AuditLog;
  readonly nodes: Nodes;
  /** Port of aad-pod-identity's node component in a cluster, if it runs there. */
  readonly nodeManagedIdentity: (clusterId: string) => number | undefined;
  /** Tells whether a resource is the address of the local server itself. */
  readonly isOwnOrigin: (resource: string) => boolean;
}

/**
 * The instance metadata service of the clusters' nodes: tokens of the identities on them, for every process on a node. Source
 * of its rules: MicrosoftDocs/entra-docs `docs/identity/managed-identities-azure-resources/how-to-use-vm-token.md`; of the code
 * "Not found": MicrosoftDocs/azure-docs #15282. These are assumed: status 400 for `X-Forwarded-For` and for all other
 * api-versions, and the order of the checks.
 */
export class MetadataService implements CloudService {
  constructor(private readonly context: MetadataContext) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new MetadataError(status, code, message));
  }

  headers(request: CloudRequest): Record<string, string> {
    return commonHeaders(request);
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      const { clusterId, podAddress } = this.senderOf(request);
      const port = podAddress === undefined ? undefined : this.context.nodeManagedIdentity(clusterId);
      if (podAddress !== undefined && port !== undefined) return await asPod(podAddress, port, request);
      checkHeaders(request);
      checkRoute(request);
      return await this.token(clusterId, request);
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      return errorReply(error);
    }
  }

  private senderOf({ headers }: CloudRequest): Sender {
    const sender = this.context.nodes.senderOf(headers['proxy-authorization']);
    if (sender !== undefined) return sender;
    throw new MetadataError(
      403,
      'access_denied',
      "Only processes of a cluster's pods reach the metadata service, by the proxy in their HTTP_PROXY.",
    );
  }

  /** `GET /metadata/identity/oauth2/token`. Each request adds an entry to the audit record, whatever the answer. */
  private async token(clusterId: string, { id, query }: CloudRequest): Promise<CloudReply> {
    const { audit, clock, store, tokens } = this.context;
    const cluster = clusterWithId(store, clusterId);
    const entry: Partial<TokenIssuance> = { clientId: query.get('client_id') ?? '' };
    const record = (outcome: TokenIssuance['outcome']): void =>
      audit.append({
        clientId: '',
        ...entry,
        grant: 'managed identity',
        cluster: cluster?.name,
        time: new Date(clock.now()).toISOString(),
        outcome,
        correlationId: id,
      });
    try {
      const resource = this.resourceOf(query);
      entry.resource = resource;
      const identities = cluster === undefined ? [] : identitiesOf(store, cluster);
      const { principal } = selectIdentity(identities, query);
      const { clientId, objectId, displayName } = principal;
      Object.assign(entry, { clientId, objectId, displayName });
      const now = Math.floor(clock.now() / 1000);
      const { token, tokenId } = await tokens.issue(principal, resource, {
        groups: groupsOf(store, objectId),
        lifetime: MANAGED_IDENTITY_LIFETIME,
        method: 'signature',
      });
      entry.tokenId = tokenId;
      record('issued');
      return { status: 200, body: tokenBody(token, clientId, resource, now) };
    } catch (error) {
      record('refused');
      throw error;
    }
  }

  private resourceOf(query: URLSearchParams): string {
    const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1);
    if (repeated !== undefined)
      throw invalidRequest(`The request has the parameter '${repeated}' more than once.`);
    const resource = query.get('resource') ?? '';
    if (resource === '') throw invalidRequest("The required parameter 'resource' is missing.");
    if (isResource(resource, this.context.isOwnOrigin)) return resource;
    throw new MetadataError(
      400,
      'invalid_resource',
      `AADSTS500011: The resource principal named ${resource} was not found in the tenant named ${TENANT_ID}. The local cloud has ${RESOURCES.join(', ')}.`,
    );
  }
}

function checkHeaders({ headers }: CloudRequest): void {
  if (headers['metadata'] !== 'true')
    throw new MetadataError(400, 'bad_request_102', 'Required metadata header not specified');
  if (headers['x-forwarded-for'] !== undefined)
    throw invalidRequest('A request with the header X-Forwarded-For is refused: it came from elsewhere.');
}

function checkRoute({ method, target, query }: CloudRequest): void {
  const [path = ''] = target.split('?');
  if (path.replace(FIRST_SEGMENT, '/metadata/') !== TOKEN) {
    const message = `'${path}' is not part of the local cloud's metadata service, which has ${TOKEN}.`;
    throw new MetadataError(404, 'Not found', message);
  }
  if (method !== 'GET') throw new MetadataError(405, 'invalid_request', `${method} is not allowed: use GET.`);
  const version = query.get('api-version');
  if (version !== null && API_VERSIONS.includes(version)) return;
  throw invalidRequest(
    `The api-version '${version ?? ''}' is not known: the local cloud's metadata service has ${API_VERSIONS.join(', ')}.`,
  );
}

/** Numbers are strings here, unlike in the answers of Entra. */
const tokenBody = (token: string, clientId: string, resource: string, now: number) => ({
  access_token: token,
  client_id: clientId,
  expires_in: String(MANAGED_IDENTITY_LIFETIME),
  expires_on: String(now + MANAGED_IDENTITY_LIFETIME),
  ext_expires_in: String(MANAGED_IDENTITY_LIFETIME),
  not_before: String(now - 5),
  resource,
  token_type: 'Bearer',
});
