/** Receives messages of the local cloud's parts; never a secret. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Writes one line per message with time and level. If a start fails, `cloud start` shows the last `error:`
 * line.
 */
export function createLogger(write: (line: string) => void): Logger {
  const at = (level: string) => (message: string) =>
    write(`${new Date().toISOString()} ${level}: ${message.replaceAll('\n', '\n  ')}\n`);
  return { info: at('info'), warn: at('warning'), error: at('error') };
}
