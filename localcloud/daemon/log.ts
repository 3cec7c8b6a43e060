import type { Logger } from '../logger';

/** Writes one line per message, with time and level. If a start fails, `cloud start` shows the last `error:` line. */
export function createLogger(write: (line: string) => void): Logger {
  const at = (level: string) => (message: string) =>
    write(`${new Date().toISOString()} ${level}: ${message.replaceAll('\n', '\n  ')}\n`);
  return { info: at('info'), warn: at('warning'), error: at('error') };
}
