/** Receives messages about clusters. Messages never contain secret values. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that prefixes every message with the cluster's name. */
export function prefixed(logger: Logger, prefix: string): Logger {
  return {
    info: (message) => logger.info(`${prefix}: ${message}`),
    warn: (message) => logger.warn(`${prefix}: ${message}`),
    error: (message) => logger.error(`${prefix}: ${message}`),
  };
}

/** The message of any thrown value. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
