/** Where the parts of the local cloud report what a person may want to know; never a secret. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** One line each with time and level; `cloud start` shows the last `error:` line when a start fails. */
export function createLogger(write: (line: string) => void): Logger {
  const at = (level: string) => (message: string) =>
    write(`${new Date().toISOString()} ${level}: ${message.replaceAll('\n', '\n  ')}\n`);
  return { info: at('info'), warn: at('warning'), error: at('error') };
}
