import * as z from 'zod';
import { TENANT_ID } from '../../identity';
import type { Caller, Tokens } from '../identity/tokens';
import { TokenRefused } from '../identity/tokens';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import { commonHeaders, requestIdIn } from '../server/exchange';
import { destinationOf } from '../server/hosts';
import { matchPath } from '../arm/endpoint';
import type { AccessCheck } from '../logs/vaultAudit';
import { logVaultRequest } from '../logs/vaultAudit';
import { CLIENT_ADDRESS } from '../network';
import type { PrincipalDocument, ResourceDocument } from '../store/documents';
import type { VaultCall, VaultContext } from './context';
import { deleteSecret } from './endpoints/deleteSecret';
import { getDeleted, listDeleted, purgeDeleted, recoverDeleted } from './endpoints/deletedSecrets';
import { getSecret } from './endpoints/getSecret';
import { keyOperation } from './endpoints/keyOperation';
import { createKey, getKey } from './endpoints/keys';
import { listSecrets, listVersions } from './endpoints/listSecrets';
import { versionsOf } from '../arm/publishedVersions';
import { setSecret } from './endpoints/setSecret';
import { updateSecret } from './endpoints/updateSecret';
import { badParameter, errorReply, VaultError } from './errors';

const RESOURCE = 'https://vault.azure.net';
/** API versions of the data plane. What clients read and write is the same in each. */
const API_VERSIONS = versionsOf('Microsoft.KeyVault/dataPlane');
const CHALLENGE = `Bearer authorization="https://login.microsoftonline.com/${TENANT_ID}", resource="${RESOURCE}"`;

interface Endpoint {
  /** Its name in the audit log. Source: MicrosoftDocs/azure-security-docs `key-vault/general/logging.md`. */
  operation: string;
  method: string;
  path: string;
  query?: readonly string[];
  handle: (context: VaultContext, call: VaultCall) => CloudReply;
}

const PAGED = ['maxresults', '$skiptoken'];

/** Fixed segments come before parameters, so that `versions` does not match as a version. */
export const VAULT_ENDPOINTS: readonly Endpoint[] = [
  { operation: 'SecretList', method: 'GET', path: 'secrets', query: PAGED, handle: listSecrets },
  {
    operation: 'SecretListVersions',
    method: 'GET',
    path: 'secrets/{name}/versions',
    query: PAGED,
    handle: listVersions,
  },
  { operation: 'SecretGet', method: 'GET', path: 'secrets/{name}', handle: getSecret },
  { operation: 'SecretGet', method: 'GET', path: 'secrets/{name}/{version}', handle: getSecret },
  { operation: 'SecretSet', method: 'PUT', path: 'secrets/{name}', handle: setSecret },
  { operation: 'SecretUpdate', method: 'PATCH', path: 'secrets/{name}', handle: updateSecret },
  { operation: 'SecretUpdate', method: 'PATCH', path: 'secrets/{name}/{version}', handle: updateSecret },
  { operation: 'SecretDelete', method: 'DELETE', path: 'secrets/{name}', handle: deleteSecret },
  {
    operation: 'SecretListDeleted',
    method: 'GET',
    path: 'deletedsecrets',
    query: PAGED,
    handle: listDeleted,
  },
  { operation: 'SecretGetDeleted', method: 'GET', path: 'deletedsecrets/{name}', handle: getDeleted },
  {
    operation: 'SecretRecover',
    method: 'POST',
    path: 'deletedsecrets/{name}/recover',
    handle: recoverDeleted,
  },
  { operation: 'SecretPurge', method: 'DELETE', path: 'deletedsecrets/{name}', handle: purgeDeleted },
  { operation: 'KeyCreate', method: 'POST', path: 'keys/{name}/create', handle: createKey },
  { operation: 'KeyGet', method: 'GET', path: 'keys/{name}', handle: getKey },
  { operation: 'KeyGet', method: 'GET', path: 'keys/{name}/{version}', handle: getKey },
  ...(
    [
      ['KeyEncrypt', 'encrypt'],
      ['KeyDecrypt', 'decrypt'],
      ['KeyWrap', 'wrapKey'],
      ['KeyUnwrap', 'unwrapKey'],
    ] as const
  ).flatMap(([operation, segment]) =>
    // Go's client sends an empty segment if no version is named.
    [`keys/{name}/${segment}`, `keys/{name}/{version}/${segment}`].map((path) => ({
      ...{ operation, method: 'POST', path, handle: keyOperation(segment) },
    })),
  ),
];

/** Operations of Key Vault that the local cloud lacks, by the segment that would otherwise match as a version. */
const NOT_HERE: ReadonlySet<string> = new Set([
  ...['backup', 'release', 'rotate', 'rotationpolicy', 'sign', 'verify', 'versions'],
]);

const unauthorised = (message: string, reason?: string): VaultError =>
  new VaultError(401, 'Unauthorized', message, undefined, {
    'www-authenticate':
      reason === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token", error_description="${reason}"`,
  });

/** Entry of the audit log, collected while a request is answered. */
interface Entry {
  operation: string | undefined;
  caller?: Caller;
  access: AccessCheck;
}

/** Claims of the token as the audit log has them. Those of a managed identity include its resource id. */
const claimsOf = ({ objectId, clientId }: Caller, principal?: PrincipalDocument): Record<string, string> => ({
  oid: objectId,
  appid: clientId,
  ...(principal?.resourceId !== undefined && { xms_mirid: principal.resourceId }),
});

/** The data planes of all vaults, selected by host name. */
export class VaultService implements CloudService {
  constructor(
    private readonly context: VaultContext,
    private readonly tokens: Tokens,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new VaultError(status, code, message));
  }

  /** As in the answers that the tests of `@azure/keyvault-secrets` 4.2 recorded (Azure/azure-sdk-for-js). */
  headers(request: CloudRequest): Record<string, string> {
    const clientRequestId = request.headers['x-ms-client-request-id'];
    return {
      ...commonHeaders(request),
      ...(clientRequestId === undefined ? {} : { 'x-ms-client-request-id': clientRequestId }),
    };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    const destination = destinationOf(request.host);
    const name = destination?.service === 'vault' ? destination.vault : '';
    const vault = this.context.store.vaultByName(name);
    if (vault === undefined) {
      // In Azure the name would not resolve.
      return this.fault(404, 'VaultNotFound', `There is no vault '${name}' in the local cloud.`);
    }
    const entry: Entry = { operation: 'Authentication', access: {} };
    try {
      const reply = await this.answer(request, vault, entry);
      this.log(request, vault, entry, reply.status, reply.body);
      return reply;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      this.log(request, vault, entry, error.status);
      return errorReply(error);
    }
  }

  private async answer(request: CloudRequest, vault: ResourceDocument, entry: Entry): Promise<CloudReply> {
    const caller = await this.authenticate(request.headers['authorization']);
    entry.caller = caller;
    entry.operation = undefined;
    checkApiVersion(request.query.get('api-version'));
    const endpoint = find(request);
    entry.operation = endpoint.operation;
    return endpoint.handle(this.context, {
      vault,
      caller,
      segments: request.segments,
      query: request.query,
      body: parseJson(request.body),
      access: entry.access,
    });
  }

  /** Adds a request to the audit log. A request that matches no endpoint has no operation and is not logged. */
  private log(
    request: CloudRequest,
    vault: ResourceDocument,
    { operation, caller, access }: Entry,
    status: number,
    body?: unknown,
  ): void {
    if (operation === undefined) return;
    const { store, clock, tables } = this.context;
    logVaultRequest(store, tables, {
      time: new Date(clock.now()).toISOString(),
      vault,
      operation,
      apiVersion: request.query.get('api-version') ?? '',
      status,
      segments: request.segments,
      query: request.query,
      claims: caller && claimsOf(caller, store.principals.get(caller.objectId)),
      id: z.object({ id: z.string() }).safeParse(body).data?.id,
      clientInfo: request.headers['user-agent'] ?? '',
      clientAddress: CLIENT_ADDRESS,
      correlationId: requestIdIn(request, 'x-ms-client-request-id') ?? '',
      access,
    });
  }

  private async authenticate(header: string | undefined): Promise<Caller> {
    const token = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) throw unauthorised('AKV10000: Request is missing a Bearer or PoP token.');
    try {
      return await this.tokens.verify(token, (audience) => audience.replace(/\/+$/, '') === RESOURCE);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      const reason = {
        expired: 'AKV10006: The token has expired.',
        invalid: 'AKV10005: The token is invalid: its signature or form is wrong.',
        tenant: `AKV10032: Invalid issuer. Expected one of https://sts.windows.net/${TENANT_ID}/, found ${error.message}.`,
        audience: `AKV10022: Invalid audience. Expected ${RESOURCE}, found: ${error.message}.`,
      }[error.reason];
      throw unauthorised(reason, reason);
    }
  }
}

function checkApiVersion(version: string | null): void {
  if (version === null || version === '') throw badParameter('api-version must be specified');
  if (API_VERSIONS.includes(version)) return;
  throw badParameter(
    `The specified version (${version}) is not recognized. The local cloud has ${API_VERSIONS.join(', ')}.`,
  );
}

function find(request: CloudRequest): Endpoint {
  const at = VAULT_ENDPOINTS.filter(({ path }) => {
    const params = matchPath(path, request.segments)?.params;
    return params !== undefined && !NOT_HERE.has(params['version']?.toLowerCase() ?? '');
  });
  const endpoint = at.find(({ method }) => method === request.method);
  if (endpoint === undefined) {
    const known = VAULT_ENDPOINTS.map(({ method, path }) => `${method} /${path}`).join(', ');
    throw new VaultError(
      at.length === 0 ? 404 : 405,
      at.length === 0 ? 'NotFound' : 'MethodNotAllowed',
      `'${request.method} /${request.segments.join('/')}' is not known to the local cloud. It has ${known}.`,
    );
  }
  for (const name of request.query.keys()) {
    if (name !== 'api-version' && !(endpoint.query ?? []).includes(name)) {
      throw badParameter(`The query parameter '${name}' is not known to the local cloud here.`);
    }
  }
  return endpoint;
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message is not used, because it quotes the body, which may contain a secret.
    throw badParameter('The request body is not JSON.');
  }
}
