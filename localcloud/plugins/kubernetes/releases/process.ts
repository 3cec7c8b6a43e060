import { spawn } from 'node:child_process';

/**
 * Script that starts "$@" with descriptor 3 as its input, and stops it when descriptor 4 is closed: on cancellation, and
 * when this process is killed. Otherwise helm would continue to change the cluster during the next update. On SIGTERM,
 * helm records the release as failed. The script removes the run's folder, because it contains credentials.
 */
const guarded = `
"$@" <&3 3<&- 4<&- &
child=$!
(
  read -r _ <&4
  exec 4<&-
  kill -TERM "$child" || exit 0
  for _ in $(seq 150); do
    sleep 0.1
    kill -0 "$child" || exit 0
  done
  kill -KILL "$child"
) 3<&- >/dev/null 2>&1 &
guard=$!
wait "$child"
code=$?
kill "$guard" 2>/dev/null
rm -rf "$RUN_FOLDER"
exit "$code"
`;

export interface ProcessResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  env: Record<string, string>;
  input: string;
  /** A folder of this run alone, which is removed at the end. */
  folder: string;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
}

/** Runs a program until it ends or the signal aborts, and returns its output. */
export function runGuarded(command: string, args: string[], options: ProcessOptions): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', guarded, 'helm', command, ...args], {
      env: { ...options.env, RUN_FOLDER: options.folder },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    const [, , , input, lifeline] = child.stdio;
    const output = { stdout: '', stderr: '' };
    const end = (): void => {
      if (lifeline && 'end' in lifeline) lifeline.end();
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
      for (const line of text.split('\n')) if (line.trim() !== '') options.onLine?.(line.trim());
    });
    for (const stream of [input, lifeline]) stream?.on('error', () => undefined);
    if (input && 'end' in input) input.end(options.input);
    if (options.signal?.aborted) end();
    else options.signal?.addEventListener('abort', end);
    child.on('error', reject);
    child.on('close', (code) => {
      options.signal?.removeEventListener('abort', end);
      end();
      resolve({ code: code ?? 1, ...output });
    });
  });
}
