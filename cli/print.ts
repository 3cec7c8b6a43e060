import { commandsHere } from '../stacks/offline';
import { shownOnTerminal } from './shownOnTerminal';

/** Writes a result to the standard output. All that the command writes goes through here or through `say`. */
export function print(text: string): void {
  process.stdout.write(shownHere(text));
}

/** Writes to the standard error what is not part of a result. */
export function say(text: string): void {
  process.stderr.write(shownHere(text));
}

/** The text as it is shown, with Pulumi's commands as they are run where the stack is: the local cloud sets the variable. */
export function shownHere(text: string): string {
  return shownOnTerminal(commandsHere(text, process.env.AKS_WI_PULUMI));
}
