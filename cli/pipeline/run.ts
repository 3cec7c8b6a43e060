import { spawn } from 'node:child_process';
import { capture } from '../capture';
import { UserError } from '../userError';

/** Runs a program to its end, with the caller's output. Resolves with its exit code. */
export function streamed(file: string, args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', ({ message }) => {
      reject(new UserError(`${file} did not start: ${message}.`, 'Install it in a step before this one.'));
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Returns the output of git. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await capture('git', args, { cwd });
  if (code === 0) return stdout.trim();
  throw new UserError(`git ${args[0] ?? ''} failed: ${stderr.trim() || `exit code ${code}`}`);
}

export const headCommit = (project: string): Promise<string> => git(project, 'rev-parse', 'HEAD');
