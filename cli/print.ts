import { shownOnTerminal } from './shownOnTerminal';

/** Writes a result to the standard output. All that the command writes goes through here or through `say`. */
export function print(text: string): void {
  process.stdout.write(shownOnTerminal(text));
}

/** Writes to the standard error what is not part of a result. */
export function say(text: string): void {
  process.stderr.write(shownOnTerminal(text));
}
