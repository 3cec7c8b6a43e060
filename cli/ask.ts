import { createInterface } from 'node:readline/promises';
import { shownInLine } from './shownOnTerminal';

/** Asks a person; undefined if the input ended without an answer, as with Ctrl-C. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Tells whether a person is at the terminal. */
export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks at the terminal. */
export const ask: Ask = async (question) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) =>
    terminal.once('close', () => {
      resolve(undefined);
    }),
  );
  try {
    return (await Promise.race([terminal.question(shownInLine(question)), ended]))?.trim();
  } finally {
    terminal.close();
  }
};
