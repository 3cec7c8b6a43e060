import type { Command } from 'commander';

/** Options of a command that deletes or replaces something; the product's commands have the same. */
export interface ChangeFlags {
  yes: boolean;
  dryRun: boolean;
  /** Nothing is asked then. */
  json?: boolean;
}

/**
 * Asks whether to do something that cannot be undone. The product implements it for its own commands too, and the
 * launcher passes it in.
 *
 * @param done participle for messages such as "Nothing was deleted": `deleted`
 * @param effect describes what would happen, as a clause
 */
export type Confirmed = (flags: ChangeFlags, done: string, effect: string) => Promise<boolean>;

/** Adds `--dry-run` and `--yes`. */
export function withChangeFlags(command: Command): Command {
  return command
    .option('--dry-run', 'only show what would be changed', false)
    .option('--yes', 'do not ask for confirmation (required without a terminal)', false);
}
