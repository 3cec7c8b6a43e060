/**
 * What a failed request says about the system.
 *
 * - `notPropagated`: Entra has no matching record (yet). Retried.
 * - `mismatch`: Entra has records for this identity, and none matches this token. Not retried.
 * - `disabled`: the vault gives the secret to nobody, whatever the identity may do.
 * - `forbidden`: the vault refuses this identity. Retried only where access was granted.
 * - `notFound`: the vault has no such secret, or the cluster no such service account.
 * - `unavailable`: no usable answer: network, throttling, server error. Retried.
 * - `other`: an answer that proves nothing.
 */
export type FailureKind =
  'notPropagated' | 'mismatch' | 'disabled' | 'forbidden' | 'notFound' | 'unavailable' | 'other';

export interface Failure {
  kind: FailureKind;
  /** The service's own code: `AADSTS700213`, `ForbiddenByRbac`, `ECONNREFUSED`, … */
  code?: string;
  /** One line for people, without tokens or values. */
  text: string;
}

/**
 * "Does not match": the code says which part of the token no credential of the identity has: issuer
 * 700211, audience 700212, subject 700213 (azure-workload-identity #1200, Azure/login #482), or that it
 * differs in case only, 7002138 (Azure/login #517).
 */
const mismatches = new Map([
  ['700211', 'no federated credential of the identity has the issuer of this token'],
  ['700212', 'no federated credential of the identity has the audience of this token'],
  ['700213', 'no federated credential of the identity has the subject of this token'],
  ['7002138', 'a federated credential differs from this token in upper and lower case only'],
]);

/**
 * "Not propagated yet": Entra answers 70021 for minutes after a credential was created
 * (MicrosoftDocs/entra-docs workload-identity-federation-considerations.md; azure-workload-identity #340),
 * 70025 as long as it knows none of the identity's at all, and 700016 while a new identity's service principal
 * is not known everywhere.
 * Only these are waited for: 70021x is Entra's statement about records that it has, so it is reported at
 * once as "does not match". After a change of an existing credential run the verification again.
 */
const pending = new Map([
  ['70021', 'no federated credential matches: none exists, or it is not propagated yet'],
  ['70025', 'the identity has no federated credential, or the first is not propagated yet'],
  ['700016', 'the identity is unknown in this tenant: wrong client id, or not propagated yet'],
]);

const networkCode = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|REQUEST_SEND_ERROR)\b/;

/** Reads the error of any of the three clients: Entra, Key Vault, Kubernetes. */
export function classifyFailure(error: unknown): Failure {
  const message = messageOf(error);
  const entra = /AADSTS(\d+)/.exec(message)?.[1];
  if (entra !== undefined) return classifyEntra(entra, message);
  const status = statusOf(error);
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
  const mismatch = mismatches.get(number);
  if (mismatch !== undefined)
    return { kind: 'mismatch', code, text: `does not match: ${mismatch} (${code})` };
  const waiting = pending.get(number);
  if (waiting !== undefined) return { kind: 'notPropagated', code, text: `${waiting} (${code})` };
  // Entra cannot fetch the issuer's documents, which a new cluster publishes a little later than it answers.
  if (number === '90061') {
    const text = `the issuer's discovery document or keys cannot be fetched (${code})`;
    return { kind: 'unavailable', code, text };
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

function messageOf(error: unknown): string {
  // Kubernetes' client puts headers into its message; the API server's own sentence is in the body.
  const body = field(error, 'body');
  const told = typeof body === 'string' ? /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1] : undefined;
  if (told !== undefined) return JSON.parse(told) as string;
  return error instanceof Error ? error.message : String(error);
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** `statusCode` in Azure's clients; a numeric `code` in Kubernetes' client. */
function statusOf(error: unknown): number | undefined {
  return [field(error, 'statusCode'), field(error, 'code')].find((value) => typeof value === 'number');
}

/** The codes from the outside in: `Forbidden`, then `innererror`'s `ForbiddenByRbac`; or a socket's code. */
function codesOf(error: unknown): string[] {
  const details = field(field(error, 'details'), 'error') ?? field(error, 'details');
  const inner = field(details, 'innererror') ?? field(details, 'innerError');
  const all = [
    field(error, 'code'),
    field(details, 'code'),
    field(inner, 'code'),
    field(field(error, 'cause'), 'code'),
  ].filter((value): value is string => typeof value === 'string' && value !== '');
  return [...new Set(all)];
}
