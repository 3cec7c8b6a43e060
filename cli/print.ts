import path from 'node:path';
import { commandsHere } from '../components/resource/commandsHere';
import { pagesHere } from '../components/resource/pagesHere';
import { shownOnTerminal } from './shownOnTerminal';
import { ownVariables } from '../stacks/settings/ownVariables';

/** Writes a result to standard output. All output goes through the functions of this file. */
export function print(text: string): void {
  process.stdout.write(shownHere(text));
}

let showsNotes = true;

/** Shows or hides the notes that follow: `--quiet` hides them. */
export function showNotes(shown: boolean): void {
  showsNotes = shown;
}

/** Writes notes and progress to standard error, unless `--quiet` is set. */
export function printNote(text: string): void {
  if (showsNotes) printProblem(text);
}

/** Writes what must not be overlooked to standard error, even with `--quiet`. */
export function printProblem(text: string): void {
  process.stderr.write(shownHere(text));
}

/** The documentation of this checkout, or in the package. */
const pages = path.resolve(__dirname, '..', 'docs');

function pagesFolder(): string {
  const relative = path.relative(process.cwd(), pages);
  return relative.startsWith('..') ? pages : relative || '.';
}

/**
 * Makes a text safe for the terminal, with the paths of the pages that it names. In the local cloud, which sets the variable,
 * Pulumi commands get its wrapper.
 */
export function shownHere(text: string): string {
  return shownOnTerminal(pagesHere(commandsHere(text, process.env[ownVariables.pulumi]), pagesFolder()));
}
