// Programs that the test run starts, each in a session of its own: Ctrl-C reaches this process alone, which ends them.
import { spawn } from 'node:child_process';

const running = new Set();

/** Runs a program to its end: whether it succeeded, its seconds, and, if it is captured, what it printed. */
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

/** Ends what runs, with all that is in its session. */
export function stopAll() {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has just ended.
    }
  }
}
