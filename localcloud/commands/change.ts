import type { Command } from 'commander';

/** The options of a command that deletes or replaces something: those of the product's commands. */
export interface ChangeFlags {
  yes: boolean;
  dryRun: boolean;
  /** Nothing is asked then. */
  json?: boolean;
}

/**
 * Whether to do what cannot be undone. The product has it, which has commands that ask as well, and the launcher hands it over.
 *
 * @param done what is not done else, such as `deleted`
 * @param what would happen, as the rest of a sentence
 */
export type Confirmed = (flags: ChangeFlags, done: string, what: string) => Promise<boolean>;

/** What the launcher gives. */
export interface LocalOptions {
  projectRoot: string;
  confirmed: Confirmed;
}

/** Adds `--dry-run` and `--yes`. */
export function withChangeFlags(command: Command): Command {
  return command
    .option('--dry-run', 'only say what would be deleted', false)
    .option('--yes', 'delete it without a question; without a terminal, nothing is deleted otherwise', false);
}
