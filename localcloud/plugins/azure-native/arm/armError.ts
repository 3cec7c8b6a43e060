/** An error answer of the resource manager or a vault. */
export class ArmError extends Error {
  override name = 'ArmError';

  constructor(
    readonly status: number,
    /** Azure's error code, for example `ResourceNotFound`. */
    readonly code: string,
    message: string,
    readonly request: string,
  ) {
    super(`${code}: ${message} (${request}: status ${status})`);
  }
}

/** The error for a long-running operation that was accepted and then failed. The resource may exist partially. */
export class OperationFailed extends Error {
  override name = 'OperationFailed';
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ArmError && error.status === 404;
}

/** Parses the error envelope: `{error: {code, message, details}}`, or the same without `error`. */
export function armError(status: number, body: string | null | undefined, request: string): ArmError {
  const parsed = parse(body);
  const envelope = record(parsed['error']) ?? parsed;
  const code = text(envelope['code']) ?? `HttpStatus${status}`;
  const details = Array.isArray(envelope['details']) ? envelope['details'] : [];
  const messages = [text(envelope['message']) ?? text(body) ?? 'the service gave no explanation'];
  for (const detail of details) {
    const entry = record(detail);
    const detailed = entry && [text(entry['code']), text(entry['message'])].filter(Boolean).join(': ');
    if (detailed) messages.push(detailed);
  }
  return new ArmError(status, code, messages.join('; '), request);
}

function parse(body: string | null | undefined): Record<string, unknown> {
  try {
    return record(JSON.parse(body ?? '')) ?? {};
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
