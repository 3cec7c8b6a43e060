import { execFile } from 'node:child_process';

/** Exit code of a program that is not on PATH, as in shells. */
export const notFound = 127;

/** The output of a finished program. */
export interface Captured {
  /** Exit code; 1 if a signal ended the program, `notFound` if it is not on PATH. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program until it ends. Never rejects. */
export function capture(
  file: string,
  args: readonly string[],
  { cwd, env, input }: { cwd: string; env?: Readonly<Record<string, string>>; input?: string },
): Promise<Captured> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: Infinity };
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? 1);
      resolve({ code: typeof code === 'number' ? code : notFound, stdout, stderr });
    });
    // The program may end before it has read everything.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
