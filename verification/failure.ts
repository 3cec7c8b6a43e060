/**
 * The meaning of a failed request.
 *
 * - `notPropagated`: Entra has no matching record (yet). Retried.
 * - `mismatch`: Entra has records for this identity, and none matches this token. Not retried.
 * - `disabled`: the secret is disabled; no identity can read it.
 * - `forbidden`: the vault refuses this identity. Retried only where access was granted.
 * - `notFound`: the vault has no such secret, or the cluster no such service account.
 * - `unavailable`: no usable answer: network, throttling, server error. Retried.
 * - `notReady`: pods are not ready (yet). Retried.
 * - `other`: any other answer; it proves nothing.
 */
export type FailureKind =
  'notPropagated' | 'mismatch' | 'disabled' | 'forbidden' | 'notFound' | 'unavailable' | 'notReady' | 'other';

/** Pods that are not ready. */
export class NotReady extends Error {}

export interface Failure {
  kind: FailureKind;
  /** The service's code: `AADSTS700213`, `ForbiddenByRbac`, `ECONNREFUSED`, … */
  code?: string;
  /** One line of text, without tokens or values. */
  text: string;
}

/**
 * The meanings of Entra's codes.
 *
 * 70021x: no credential of the identity has the token's issuer, audience or subject (azure-workload-identity #1200,
 * Azure/login #482), or one differs only in case (Azure/login #517). It is not retried; after a change of an existing
 * credential, run the verification again.
 *
 * Entra answers 70021 for some minutes after a credential was created (MicrosoftDocs/entra-docs
 * workload-identity-federation-considerations.md; azure-workload-identity #340), 70025 while it knows no federated credential
 * of the identity, and 700016 until the service principal of a new identity is replicated.
 *
 * 90061: Entra cannot fetch the issuer's documents, which a new cluster publishes some time after its API server starts.
 * 7000272: Entra still has the documents from before the key was published.
 */
const entraCodes = new Map<string, readonly [FailureKind, string]>([
  ['700211', ['mismatch', 'no federated credential of the identity has the issuer of this token']],
  ['700212', ['mismatch', 'no federated credential of the identity has the audience of this token']],
  ['700213', ['mismatch', 'no federated credential of the identity has the subject of this token']],
  ['7002138', ['mismatch', 'a federated credential differs from this token only in case']],
  ['70021', ['notPropagated', 'no federated credential matches: none exists, or it is not propagated yet']],
  [
    '70025',
    ['notPropagated', 'the identity has no federated credential, or the first is not propagated yet'],
  ],
  ['700016', ['notPropagated', 'the tenant has no such identity: wrong client id, or not propagated yet']],
  ['7000272', ['unavailable', 'the issuer publishes no key with the id in this token']],
  ['90061', ['unavailable', "the issuer's discovery document or keys cannot be fetched"]],
]);

const networkCode = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|REQUEST_SEND_ERROR)\b/;

/** Classifies an error of the Entra, Key Vault or Kubernetes client. */
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

/** Tells whether Entra refused the token only because nothing trusts it. */
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
  // A refusal of the network proves nothing about the identity (azure-docs key-vault rest-error-codes.md).
  if (codes.includes('ForbiddenByConnection') || codes.includes('ForbiddenByFirewall')) {
    return { kind: 'other', code: inner, text: `the vault refuses this network (${inner})` };
  }
  // A disabled secret also gives 403. It does not prove that this identity is refused.
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

/** Returns the codes from the outside in: `Forbidden`, then `innererror`'s `ForbiddenByRbac`; or a socket's code. */
function codesOf(error: unknown): string[] {
  const details = propertyOf(propertyOf(error, 'details'), 'error') ?? propertyOf(error, 'details');
  const inner = propertyOf(details, 'innererror') ?? propertyOf(details, 'innerError');
  const codes = [
    propertyOf(error, 'code'),
    propertyOf(details, 'code'),
    propertyOf(inner, 'code'),
    propertyOf(propertyOf(error, 'cause'), 'code'),
  ].filter((value): value is string => typeof value === 'string' && value !== '');
  return [...new Set(codes)];
}
