import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { AuditLog, TokenIssuance } from '../audit';
import type { CloudReply, CloudRequest } from '../server/exchange';
import { requestIdIn } from '../server/exchange';
import { checkTenant } from './discovery';
import { EntraError, errorReply } from './errors';
import type { Authenticate, EndpointVersion, Entry, GrantContext } from './grants/clientCredentials';
import { byForm, clientCredentials } from './grants/clientCredentials';
import { checkOnce, readForm, required } from './grants/form';

/** Everything that the token endpoint needs. */
export interface TokenContext extends GrantContext {
  audit: AuditLog;
}

async function issue(
  context: TokenContext,
  tenant: string,
  form: URLSearchParams,
  entry: Entry,
  version: EndpointVersion,
  authenticate: Authenticate,
): Promise<CloudReply> {
  checkTenant(tenant, 'invalid_request');
  checkOnce(form);
  const grantType = required(form, 'grant_type');
  if (grantType === 'client_credentials')
    return clientCredentials(context, form, entry, version, authenticate);
  throw new EntraError(
    70003,
    'unsupported_grant_type',
    400,
    `The app requested an unsupported grant type '${grantType}'. The local cloud has client_credentials.`,
  );
}

/** The correlation id that the client sent in a header or in the form; otherwise a new one. */
export function correlationIdOf(request: CloudRequest, form?: URLSearchParams): string {
  const inForm = z.guid().safeParse(form?.get('client-request-id')).data;
  return requestIdIn(request, 'client-request-id') ?? inForm ?? randomUUID();
}

/**
 * Answers `POST /{tenant}/oauth2/v2.0/token` and `POST /{tenant}/oauth2/token`. Each request adds an entry to the audit record,
 * whatever the answer.
 */
export async function token(
  context: TokenContext,
  request: CloudRequest,
  version: EndpointVersion,
  authenticate: Authenticate = byForm,
): Promise<CloudReply> {
  const [tenant = ''] = request.segments;
  const form = readForm(request.body, request.headers['content-type']);
  const correlationId = correlationIdOf(request, form);
  const entry: Entry = {};
  const record = (end: Pick<TokenIssuance, 'outcome' | 'error'>): void =>
    context.audit.append({
      clientId: '',
      grant: 'none',
      ...entry,
      time: new Date(context.clock.now()).toISOString(),
      ...end,
      correlationId,
    });
  let reply: CloudReply;
  try {
    reply = await issue(context, tenant, form, entry, version, authenticate);
    record({ outcome: 'issued' });
  } catch (caught) {
    record({ outcome: 'refused', error: caught instanceof EntraError ? caught.code : undefined });
    if (!(caught instanceof EntraError)) throw caught;
    reply = errorReply(caught, context.clock.now(), correlationId);
  }
  return { ...reply, headers: { ...reply.headers, 'client-request-id': correlationId } };
}
