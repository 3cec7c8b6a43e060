/** Writes one structured log line. */
export type Log = (event: Readonly<Record<string, string>>) => void;

/** Returns the first line of an error's message. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
