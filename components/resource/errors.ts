// Not imported from the package's root, which would load the whole SDK for code that reads a configuration without the engine.
import { RunError } from '@pulumi/pulumi/errors';
import { commandsHere } from './commandsHere';
import { pagesHere } from './pagesHere';
import { visibleText } from './visibleText';

/** A problem of one argument of a component. */
export interface ArgumentProblem {
  /** Path of the argument, `subjects[3].namespace`. */
  readonly argument: string;
  /** The problem, as a clause that follows the value: `is not a valid name`. */
  readonly problem: string;
  /** The value. Default: not shown, for secrets and missing values. */
  readonly value?: string | number | boolean;
  /** The allowed values, in words. */
  readonly allowed: string;
  /** Instruction that mends it, as a sentence. Default: none beyond the allowed values. */
  readonly hint?: string;
}

/**
 * An error that the user should read and act on. Pulumi prints a RunError without a stack trace. This one has none at all,
 * because Pulumi formats it anyway. In Node 20, this takes twenty seconds if frames are in node_modules (it goes on until
 * "Invalid string length"; cf. pulumi/pulumi #20567, #21326).
 */
export class UserError extends RunError {
  constructor(text: string) {
    const message = messageHere(text);
    super(message);
    this.name = new.target.name;
    this.stack = `${this.name}: ${message}`;
  }
}

let pulumi: string | undefined;
let pages = 'docs';

/** Sets, once for the program, the replacement for `pulumi` in the messages of its errors; see `commandsHere`. */
export function setPulumiCommand(command: string | undefined): void {
  pulumi = command;
}

/** Sets, once for the program, the folder of the pages that its messages name; see `pagesHere`. */
export function setPages(folder: string): void {
  pages = folder;
}

/** Returns the message of an error, with its commands and pages in the form that the user needs. */
export function messageHere(message: string): string {
  return pagesHere(commandsHere(message, pulumi), pages);
}

/** The only error that components throw for invalid arguments. */
export class InvalidArgumentError extends UserError {
  /** @param component the component and its name, `FederatedCredentials aks-1` */
  constructor(component: string, ...problems: readonly ArgumentProblem[]) {
    super(problems.map((problem) => `${component}: ${sentenceOf(problem)}`).join('\n'));
  }
}

function sentenceOf({ argument, value, problem, allowed, hint }: ArgumentProblem): string {
  const subject = value === undefined ? argument : `${argument} ${JSON.stringify(value)}`;
  return `${visibleText(subject)} ${problem}. Allowed: ${allowed}.${hint === undefined ? '' : ` ${hint}`}`;
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
