/** Where the clusters report what a person may want to know. Messages never hold secret values. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that puts the cluster's name before every message. */
export function prefixed(logger: Logger, prefix: string): Logger {
  return {
    info: (message) => logger.info(`${prefix}: ${message}`),
    warn: (message) => logger.warn(`${prefix}: ${message}`),
    error: (message) => logger.error(`${prefix}: ${message}`),
  };
}

/** The text of whatever was thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
