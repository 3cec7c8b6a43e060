import { commandsHere } from '../components/resource/commandsHere';
import { shownOnTerminal } from './shownOnTerminal';
import { ownVariables } from '../stacks/settings/ownVariables';

/** Writes a result to standard output. All output goes through this or `printNote`. */
export function print(text: string): void {
  process.stdout.write(shownHere(text));
}

/** Writes messages that are not part of a result to standard error. */
export function printNote(text: string): void {
  process.stderr.write(shownHere(text));
}

/** Makes a text safe for the terminal. In the local cloud, which sets the variable, Pulumi commands get its wrapper. */
export function shownHere(text: string): string {
  return shownOnTerminal(commandsHere(text, process.env[ownVariables.pulumi]));
}
