// Runs the programs of a test run, each in its own session. Ctrl-C reaches only this process, which ends them.
import { spawn } from 'node:child_process';

const running = new Set();

/** Runs a program to its end. Resolves with success, seconds and, if captured, its output. */
export function run(command, args, { cwd, env = {}, captured = false }) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: ['ignore', ...(captured ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
      env: { ...process.env, ...env },
    });
    running.add(child);
    let output = '';
    for (const stream of captured ? [child.stdout, child.stderr] : []) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    const end = (ok) => {
      running.delete(child);
      resolve({ ok, seconds: (performance.now() - started) / 1000, output });
    };
    child.on('error', (error) => {
      output += `${command} could not be started: ${error.message}\n`;
      if (!captured) console.error(output);
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** Ends all running programs and their sessions. */
export function stopAll() {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // The program has ended.
    }
  }
}
