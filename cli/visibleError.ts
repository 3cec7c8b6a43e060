import { shownHere } from './print';

/** An error for the user, with a remedy. It is printed without a stack trace. */
export class VisibleError extends Error {
  constructor(
    message: string,
    /** Instruction that fixes the problem, as a sentence. */
    readonly remedy?: string,
  ) {
    super(message);
    this.name = 'VisibleError';
  }
}

/**
 * Writes an error for the user and returns the exit code. Each bundle has its own class VisibleError, so it is recognized by name.
 */
export function reportError(error: unknown, writeText: (text: string) => void): number {
  const write = (text: string): void => {
    writeText(shownHere(text));
  };
  if (!(error instanceof Error)) {
    write(`error: ${String(error)}\n`);
  } else {
    write(`error: ${error.message}\n`);
    const remedy: unknown = 'remedy' in error ? error.remedy : undefined;
    if (typeof remedy === 'string') write(`  → ${remedy}\n`);
    if (error.name !== 'VisibleError' && process.env.AKS_WI_DEBUG !== undefined)
      write(`${error.stack ?? ''}\n`);
  }
  const code: unknown = error instanceof Error && 'exitCode' in error ? error.exitCode : undefined;
  return typeof code === 'number' ? code : 1;
}
