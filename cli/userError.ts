import { shownHere } from './print';
import { exitCodes } from './exitCodes';

/** An error for the user, with a hint. It is printed without a stack trace. */
export class UserError extends Error {
  constructor(
    message: string,
    /** Instruction that fixes the problem, as a sentence. */
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'UserError';
  }
}

/**
 * Writes an error for the user and returns the exit code. Each bundle has its own class UserError, so it is recognized by name.
 */
export function reportError(error: unknown, writeText: (text: string) => void): number {
  const write = (text: string): void => {
    writeText(shownHere(text));
  };
  if (!(error instanceof Error)) {
    write(`error: ${String(error)}\n`);
  } else {
    write(`error: ${error.message}\n`);
    const hint: unknown = 'hint' in error ? error.hint : undefined;
    if (typeof hint === 'string') write(`  → ${hint}\n`);
    const isExplained = error.name === 'UserError' && error.cause === undefined;
    if (!isExplained && process.env.AKS_WI_DEBUG !== undefined) write(`${error.stack ?? ''}\n`);
  }
  const code: unknown = error instanceof Error && 'exitCode' in error ? error.exitCode : undefined;
  return typeof code === 'number' ? code : exitCodes['every command'].failed;
}
