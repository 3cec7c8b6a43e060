import type { Json, JsonObject } from '../json';
import { isJsonObject, objectsAt, textAt } from '../json';

/** The error for a request that the API server refused. `message` is the server's. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    /** Kubernetes' machine-readable reason, for example `AlreadyExists`. */
    readonly reason: string,
    message: string,
    /** Field path and text of each cause. */
    readonly causes: { field: string; message: string }[] = [],
    /** The server's `Retry-After`, in seconds. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The error if no API server responds: the address, the network, TLS or the credential plugin failed. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Tells whether the error means that the object's namespace does not exist (yet). */
export function isNamespaceMissing(error: unknown): boolean {
  return isNotFound(error) && error instanceof Error && /^namespaces? ".*" not found$/.test(error.message);
}

/**
 * Returns the error in a response:
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export function apiErrorOf(status: number, body: string, retryAfter?: string): ApiError {
  const parsed = parse(body);
  const causes = objectsAt(parsed, 'details', 'causes').map((cause) => ({
    field: textAt(cause, 'field') ?? '',
    message: textAt(cause, 'message') ?? '',
  }));
  const message = textAt(parsed, 'message') ?? (body.trim().slice(0, 300) || `HTTP status ${status}`);
  const seconds = Number(retryAfter);
  return new ApiError(
    status,
    textAt(parsed, 'reason') ?? '',
    message,
    causes,
    Number.isFinite(seconds) && retryAfter !== undefined ? seconds : undefined,
  );
}

function parse(body: string): JsonObject | undefined {
  try {
    const value = JSON.parse(body) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
