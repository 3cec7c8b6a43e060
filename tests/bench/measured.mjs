// Processor time and memory of a command with all its processes.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Time between two looks at the processes. What a process uses after the last look at it is missing from its own figure. */
const everyMilliseconds = 50;
/** Length of a tick in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Runs a command and says what the shell counted for it and its ended children, on file descriptor 3. */
const counted = '"$@"; code=$?; times >&3; exit $code';

let running;

/** Ends the command that runs, with its session. */
export function stopMeasured() {
  try {
    if (running !== undefined) process.kill(-running.pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

/**
 * Runs a command to its end. Returns its exit code and output, its wall time, the processor seconds of all its processes, and for
 * each process its command line, processor seconds and peak memory in MB.
 */
export function runMeasured(command, args, { cwd, env }) {
  const started = performance.now();
  const child = spawn('sh', ['-c', counted, 'sh', command, ...args], {
    cwd,
    env: { ...process.env, ...env },
    // In a session of its own, so that Ctrl-C reaches only this process, which then cleans up.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  running = child;
  const texts = child.stdio.slice(1).map((stream) => {
    const text = { all: '' };
    stream.setEncoding('utf8').on('data', (part) => (text.all += part));
    return text;
  });
  const seen = new Map();
  let looking = false;
  const watch = setInterval(() => {
    if (looking) return;
    looking = true;
    void look(child.pid, seen).finally(() => (looking = false));
  }, everyMilliseconds);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const [stdout, stderr, times] = texts.map(({ all }) => all);
      resolve({
        code,
        stdout,
        stderr,
        wallSeconds: (performance.now() - started) / 1000,
        seconds: secondsOfChildren(times),
        processes: [...seen.values()],
      });
    });
  }).finally(() => {
    running = undefined;
    clearInterval(watch);
  });
}

/** The second line of `times`: user and system time of the ended children, as in `0m1.230s 0m0.040s`. */
function secondsOfChildren(times) {
  const line = times.trim().split('\n').at(-1) ?? '';
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

/** Notes all processes below one. */
async function look(root, seen) {
  const parents = new Map();
  await Promise.all(
    (await readdir('/proc').catch(() => []))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
        // The name of the program, in brackets, may contain anything.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const [, parent] = fields;
        const ticks = Number(fields[11]) + Number(fields[12]);
        if (parent !== undefined) parents.set(Number(name), { parent: Number(parent), ticks });
      }),
  );
  const isBelow = (pid) => {
    for (let at = parents.get(pid); at !== undefined; at = parents.get(at.parent))
      if (at.parent === root) return true;
    return false;
  };
  await Promise.all(
    [...parents].filter(([pid]) => isBelow(pid)).map(([pid, { ticks }]) => note(pid, ticks, seen)),
  );
}

async function note(pid, ticks, seen) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  // A process that has ended and is not collected yet has no memory.
  if (peak === undefined) return;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const before = seen.get(pid);
  seen.set(pid, {
    command: command === '' ? (before?.command ?? '') : command.replaceAll('\0', ' ').trim(),
    seconds: Math.max(before?.seconds ?? 0, ticks / ticksPerSecond),
    megabytes: Math.max(before?.megabytes ?? 0, Number(peak) / 1024),
  });
}
