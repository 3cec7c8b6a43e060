import { shownHere } from './print';

/** An error for the user: what is wrong, and what to do. Printed without a stack trace. */
export class VisibleError extends Error {
  constructor(
    message: string,
    /** What to do about it, as a sentence. */
    readonly remedy?: string,
  ) {
    super(message);
    this.name = 'VisibleError';
  }
}

/**
 * Writes an error for the user and gives the exit code. Commands of other bundles have their own class of
 * visible error, so the name decides, not the prototype.
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
