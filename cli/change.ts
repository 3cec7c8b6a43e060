import type { Command } from 'commander';
import { ask, isAtTerminal } from './ask';
import { printNote } from './print';
import { UserError } from './userError';

/** The options of every command that changes something. */
export interface ChangeFlags {
  yes: boolean;
  dryRun: boolean;
  json?: boolean;
}

/** Adds `--dry-run` and `--yes`, which mean the same in every command. */
export function withChangeFlags(command: Command): Command {
  return command
    .option('--dry-run', 'only show what would be changed', false)
    .option('--yes', 'do not ask for confirmation (required without a terminal)', false);
}

/**
 * Decides by the options, or by asking at the terminal, whether to make the change that was shown. With `--json`, it never asks.
 *
 * @param done participle of the action, such as `revoked`
 * @param effect describes what would happen, as a clause
 * @throws UserError if the change is not confirmed
 */
export async function confirmed(
  { yes, dryRun, json = false }: ChangeFlags,
  done: string,
  effect: string,
): Promise<boolean> {
  if (dryRun) {
    printNote(`Nothing was ${done} (--dry-run).\n`);
    return false;
  }
  if (yes) return true;
  if (json || !isAtTerminal())
    throw new UserError(
      `Nothing was ${done}: ${effect}.`,
      'Review it, and run the command again with --yes.',
    );
  const question = `${effect.charAt(0).toUpperCase()}${effect.slice(1)}. Continue? [y/N] `;
  if (!/^y(es)?$/i.test((await ask(question)) ?? '')) throw new UserError(`Nothing was ${done}.`);
  return true;
}
