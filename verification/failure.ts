/**
 * What a failed request says about the system.
 *
 * - `notPropagated`: Entra has no matching record (yet). Retried.
 * - `mismatch`: Entra has records for this identity, and none matches this token. Not retried.
 * - `disabled`: the vault gives the secret to nobody, whatever the identity may do.
 * - `forbidden`: the vault refuses this identity. Retried only where access was granted.
 * - `notFound`: the vault has no such secret, or the cluster no such service account.
 * - `unavailable`: no usable answer: network, throttling, server error. Retried.
 * - `notReady`: pods are not ready (yet). Retried.
 * - `other`: an answer that proves nothing.
 */
export type FailureKind =
  'notPropagated' | 'mismatch' | 'disabled' | 'forbidden' | 'notFound' | 'unavailable' | 'notReady' | 'other';

/** Pods that are not ready. */
export class NotReady extends Error {}

export interface Failure {
  kind: FailureKind;
  /** The service's own code: `AADSTS700213`, `ForbiddenByRbac`, `ECONNREFUSED`, … */
  code?: string;
  /** One line for people, without tokens or values. */
  text: string;
}

/**
 * What Entra's codes say.
 *
 * 70021x is its statement about credentials that it has: no credential of the identity has the token's issuer, audience or
 * subject (azure-workload-identity #1200, Azure/login #482), or one differs in case only (Azure/login #517). It is reported
 * at once; after a change of an existing credential run the verification again.
 *
 * 70021 is the answer for minutes after a credential was created
 * (MicrosoftDocs/entra-docs workload-identity-federation-considerations.md; azure-workload-identity #340), 70025 as long as
 * Entra knows none of the identity's at all, and 700016 while a new identity's service principal is not known everywhere.
 *
 * 90061 is Entra failing to fetch the issuer's documents, which a new cluster publishes a little later than it answers, and
 * 7000272 Entra still having those from before the key was published.
 */
const entraCodes = new Map<string, readonly [FailureKind, string]>([
  ['700211', ['mismatch', 'no federated credential of the identity has the issuer of this token']],
  ['700212', ['mismatch', 'no federated credential of the identity has the audience of this token']],
  ['700213', ['mismatch', 'no federated credential of the identity has the subject of this token']],
  ['7002138', ['mismatch', 'a federated credential differs from this token in upper and lower case only']],
  ['70021', ['notPropagated', 'no federated credential matches: none exists, or it is not propagated yet']],
  [
    '70025',
    ['notPropagated', 'the identity has no federated credential, or the first is not propagated yet'],
  ],
  ['700016', ['notPropagated', 'the tenant has no such identity: wrong client id, or not propagated yet']],
  ['7000272', ['unavailable', "the issuer's documents have no key with the id in this token"]],
  ['90061', ['unavailable', "the issuer's discovery document or keys cannot be fetched"]],
]);

const networkCode = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|REQUEST_SEND_ERROR)\b/;

/** Reads the error of any of the three clients: Entra, Key Vault, Kubernetes. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof NotReady) return { kind: 'notReady', text: error.message };
  const message = errorMessage(error);
  const entra = /AADSTS(\d+)/.exec(message)?.[1];
  if (entra !== undefined) return classifyEntra(entra, message);
  const status = httpStatusOf(error);
  const codes = codesOf(error);
  if (status === 403) return classifyForbidden(codes, message);
  const network = networkCode.exec([...codes, message].join(' '))?.[0];
  const code = network ?? codes[0] ?? status?.toString();
  const text = firstLine(message);
  if (status === 404) return { kind: 'notFound', code, text };
  const isUnavailable =
    network !== undefined || status === 408 || status === 429 || (status !== undefined && status >= 500);
  return { kind: isUnavailable ? 'unavailable' : 'other', code, text };
}

/** Whether Entra's answer says "this token is not trusted", and not merely that something went wrong. */
export function isTrustRefusal(failure: Failure): boolean {
  return failure.kind === 'mismatch' || failure.code === 'AADSTS70021';
}

function classifyEntra(number: string, message: string): Failure {
  const code = `AADSTS${number}`;
  const [kind, meaning] = entraCodes.get(number) ?? [];
  if (kind !== undefined) {
    return { kind, code, text: `${kind === 'mismatch' ? 'does not match: ' : ''}${meaning} (${code})` };
  }
  return { kind: 'other', code, text: firstLine(message.slice(message.indexOf(code))) };
}

function classifyForbidden(codes: string[], message: string): Failure {
  const inner = codes.at(-1) ?? '403';
  // The network's refusal says nothing about the identity (azure-docs key-vault rest-error-codes.md).
  if (codes.includes('ForbiddenByConnection') || codes.includes('ForbiddenByFirewall')) {
    return { kind: 'other', code: inner, text: `the vault refuses this network (${inner})` };
  }
  // Also 403, but because of the secret: no proof that this identity is refused.
  if (codes.includes('SecretDisabled')) return { kind: 'disabled', code: inner, text: `disabled (${inner})` };
  if (!codes.includes('Forbidden')) return { kind: 'other', code: inner, text: firstLine(message) };
  return { kind: 'forbidden', code: inner, text: `403 ${inner}` };
}

function errorMessage(error: unknown): string {
  // Kubernetes' client puts headers into its message; the API server's own message is in the body.
  const body = propertyOf(error, 'body');
  const message =
    typeof body === 'string' ? /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1] : undefined;
  if (message !== undefined) return JSON.parse(message) as string;
  return error instanceof Error ? error.message : String(error);
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** `statusCode` in Azure's clients; a numeric `code` in Kubernetes' client. */
function httpStatusOf(error: unknown): number | undefined {
  return [propertyOf(error, 'statusCode'), propertyOf(error, 'code')].find(
    (value) => typeof value === 'number',
  );
}

/** The codes from the outside in: `Forbidden`, then `innererror`'s `ForbiddenByRbac`; or a socket's code. */
function codesOf(error: unknown): string[] {
  const details = propertyOf(propertyOf(error, 'details'), 'error') ?? propertyOf(error, 'details');
  const inner = propertyOf(details, 'innererror') ?? propertyOf(details, 'innerError');
  const all = [
    propertyOf(error, 'code'),
    propertyOf(details, 'code'),
    propertyOf(inner, 'code'),
    propertyOf(propertyOf(error, 'cause'), 'code'),
  ].filter((value): value is string => typeof value === 'string' && value !== '');
  return [...new Set(all)];
}
