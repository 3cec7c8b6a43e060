// Not the package's root: what reads a configuration without the engine would load all of it.
import { RunError } from '@pulumi/pulumi/errors';
import { commandsHere } from './commandsHere';
import { visibleText } from './visibleText';

/** What is wrong with one argument of a component. */
export interface ArgumentProblem {
  /** Path of the argument, `subjects[3].namespace`. */
  readonly argument: string;
  /** What is wrong, as a clause that follows the value: `is not a valid name`. */
  readonly problem: string;
  /** The value as given. Default: it is not shown: for secrets, and for what is missing. */
  readonly value?: string | number | boolean;
  /** What is allowed instead. */
  readonly allowed: string;
  /** What to do. Default: the allowed values say it all. */
  readonly hint?: string;
}

/**
 * An error that is meant to be read, and acted on, by the user. Pulumi prints a RunError without a stack trace;
 * this one has none at all, since Pulumi formats it all the same, and in Node 20 that takes twenty seconds when
 * frames are in node_modules (it goes on until "Invalid string length"; cf. pulumi/pulumi #20567, #21326).
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

/** Sets once for the program what stands for `pulumi` in the messages of its errors; see `commandsHere`. */
export function sayPulumiAs(command: string | undefined): void {
  pulumi = command;
}

/** A message of an error, with the commands as they are run here. */
export function messageHere(message: string): string {
  return commandsHere(message, pulumi);
}

/** The one error that components throw for bad arguments. */
export class InvalidArgumentError extends UserError {
  /** @param component the component and its name, `FederatedCredentials aks-1` */
  constructor(component: string, ...problems: readonly ArgumentProblem[]) {
    super(problems.map((one) => `${component}: ${sentenceOf(one)}`).join('\n'));
  }
}

function sentenceOf({ argument, value, problem, allowed, hint }: ArgumentProblem): string {
  const subject = value === undefined ? argument : `${argument} ${JSON.stringify(value)}`;
  return `${visibleText(subject)} ${problem}. Allowed: ${allowed}.${hint === undefined ? '' : ` ${hint}`}`;
}

/** What somebody else's error says; anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
