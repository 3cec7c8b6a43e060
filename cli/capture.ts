import { spawn } from 'node:child_process';

/** What a finished program wrote. */
export interface Captured {
  /** Exit code; 1 when a signal ended it. */
  code: number;
  stdout: string;
  stderr: string;
  /** The program does not exist on PATH. */
  notFound: boolean;
}

/** Runs a program to its end, without input. Never rejects. */
export function capture(
  file: string,
  args: string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Captured> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString('utf8');
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: 1, stdout: '', stderr: error.message, notFound: error.code === 'ENOENT' });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? 1, stdout: text(stdout), stderr: text(stderr), notFound: false });
    });
  });
}
