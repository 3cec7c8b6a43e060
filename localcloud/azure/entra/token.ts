import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit';
import type { CloudReply, CloudRequest } from '../server/exchange';
import { EntraError, errorReply } from './errors';
import type { Entry, GrantContext } from './grants/clientCredentials';
import { clientCredentials } from './grants/clientCredentials';
import { required } from './grants/form';

/** Everything that the token endpoint needs. */
export interface TokenContext extends GrantContext {
  audit: AuditLog;
}

async function issue(context: TokenContext, form: URLSearchParams, entry: Entry): Promise<CloudReply> {
  const grantType = required(form, 'grant_type');
  if (grantType === 'client_credentials') return clientCredentials(context, form, entry);
  throw new EntraError(
    70003,
    'unsupported_grant_type',
    400,
    `The app requested an unsupported grant type '${grantType}'. The local cloud has client_credentials.`,
  );
}

/** `POST /{tenant}/oauth2/v2.0/token`. Each request adds an entry to the audit record. */
export async function token(context: TokenContext, request: CloudRequest): Promise<CloudReply> {
  const form = new URLSearchParams(request.body);
  const correlationId = request.headers['client-request-id'] ?? form.get('client-request-id') ?? randomUUID();
  const entry: Entry = {};
  let reply: CloudReply;
  let error: number | undefined;
  try {
    reply = await issue(context, form, entry);
  } catch (caught) {
    if (!(caught instanceof EntraError)) throw caught;
    error = caught.code;
    reply = errorReply(caught, context.clock.now(), correlationId);
  }
  context.audit.append({
    clientId: '',
    grant: 'none',
    ...entry,
    time: new Date(context.clock.now()).toISOString(),
    outcome: error === undefined ? 'issued' : 'refused',
    ...(error === undefined ? {} : { error }),
    correlationId,
  });
  return { ...reply, headers: { ...reply.headers, 'client-request-id': correlationId } };
}
