import type { Confirmed } from './change';

/** Returns the value of an option in a command line, under any of its names. */
type OptionOf = (args: string[], ...names: string[]) => string | undefined;

/** A command of the product that reads a deployed stack, or sends requests to its cloud. */
interface ProductCommand {
  /**
   * Returns the stack whose deployment a command line reads.
   *
   * @default the value of `--stack`
   */
  stack?: (args: string[], optionOf: OptionOf) => string | undefined;
  /** True if it also writes to the stack file, which `--stack-file` names. */
  writes?: boolean;
  /** True if it runs the engine and the program. */
  runsProgram?: boolean;
}

/** Facts that the commands need about the product that they deploy. Names of files and variables are in `localcloud.json`. */
export interface Product {
  /**
   * The product's commands that run against either cloud, by name. With `verify`, `up` verifies what it deployed; with `import`,
   * messages name it for what exists already. Both get the stack by `--stack`.
   */
  commands: Readonly<Record<string, ProductCommand>>;
  /** Commands that need no cloud, but whose messages name pulumi commands for the stack. */
  showPulumi: readonly string[];
  /** Tells whether a configuration uses programs of the toolchain that are built only when needed. */
  usesRareTools: (config: unknown) => boolean;
  /** Tells whether the policies of a configuration are only advisory, so that they refuse nothing. */
  onlyAdvises: (config: unknown) => boolean;
  /**
   * Returns the names of all secrets that a stack's configuration needs.
   *
   * @param read text of a file that the configuration references; undefined if it cannot be read
   */
  secretNames: (config: unknown, stack: string, read: (file: string) => string | undefined) => string[];
  errors: {
    /** The program's error for an invalid stack file. */
    invalid: RegExp;
    /** The program's errors for a resource that exists but is not in the stack. */
    exists: RegExp;
    /** Way out of a violation of a policy, besides a correction; follows "or". */
    policies: string;
  };
  /** Commands of pulumi to try after a deployment, and what they show. */
  nextCommands: readonly (readonly [command: string, shows: string])[];
  /** An example of a change of the stack file. */
  exampleChange: string;
}

/** Options that the launcher passes in. */
export interface LocalOptions {
  projectRoot: string;
  confirmed: Confirmed;
  product: Product;
}
