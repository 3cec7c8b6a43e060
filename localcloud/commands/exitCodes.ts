import { UserError } from '../userError';

/** Exit codes of the local cloud's commands, as in docs/commands.md, besides 0 and, for an error, 1. */
export const exitCodes = {
  'every command': { interrupted: 130 },
  'cloud status': { notRunning: 3 },
} as const;

/** Returns the error of a command that a person interrupted. */
export const interrupted = (): UserError =>
  new UserError('Interrupted.', 'Run the command again: it continues where it was.', {
    exitCode: exitCodes['every command'].interrupted,
  });
