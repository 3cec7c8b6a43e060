import { execFile } from 'node:child_process';
import path from 'node:path';

export const projectRoot = path.resolve(__dirname, '..', '..');

/** Commands that the tests ran. The output of a failed test shows the last ones. */
const commandsRun: string[] = [];
Object.assign(globalThis, { commandsRun });

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The result of a finished command. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the project's own command as a user would, with its own state folder; never throws on a non-zero exit. */
export function runCommand(
  args: readonly string[],
  options: { state: string; env?: Record<string, string>; input?: string; cwd?: string },
): Promise<Finished> {
  const env = { AKS_WI_STATE: options.state, CI: 'true', ...options.env };
  const variables = { AKS_WI_STATE: path.relative(projectRoot, options.state), ...options.env };
  const set = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)} `);
  const input = options.input === undefined ? '' : ' < INPUT';
  commandsRun.push(`${set.join('')}npx aks-wi ${args.map(quoted).join(' ')}${input}`);
  const command = [path.join(projectRoot, 'cli', 'bin.mjs'), ...args];
  return runProcess(process.execPath, command, env, options);
}

/**
 * Runs a program to its end. Any exit code is allowed. `input` goes to its standard input; `cwd` is its working folder, by
 * default the project's.
 */
export function runProcess(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  { input, cwd = projectRoot }: { input?: string; cwd?: string } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr });
      },
    );
    // A command that reads nothing may have ended already.
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
  });
}
