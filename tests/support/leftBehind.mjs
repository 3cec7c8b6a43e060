// Finds what a test run left behind. All its processes have its name in their environment, working folder or command
// line, even those with their own session or environment.
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Time that a local cloud gets to stop its clusters. */
const graceMilliseconds = 30_000;

async function processesOf(name) {
  const found = [];
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const command = await readFile(`/proc/${entry}/cmdline`, 'utf8');
      const folder = await readlink(`/proc/${entry}/cwd`);
      const environment = await readFile(`/proc/${entry}/environ`, 'utf8');
      if (command !== '' && [command, folder, environment].some((text) => text.includes(name)))
        found.push({ pid: Number(entry), command: command.replaceAll('\0', ' ').trim().slice(0, 120) });
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return found;
}

function signal(processes, kind) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, kind);
    } catch {
      // The process has ended.
    }
  }
}

/** Ends remaining processes with SIGTERM, then SIGKILL. Returns a line for each. */
export async function endProcessesLeft(name) {
  const left = await processesOf(name);
  signal(left, 'SIGTERM');
  const deadline = performance.now() + graceMilliseconds;
  for (let rest = left; rest.length > 0; rest = await processesOf(name)) {
    if (performance.now() > deadline) signal(rest, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return left.map(({ pid, command }) => `process ${pid}: ${command}`);
}

/** Returns the state folders of local clouds that were not cleaned, one line each. */
export async function foldersLeft(parent) {
  const names = await readdir(parent).catch(() => []);
  return names.map((folder) => `state folder ${folder}`);
}
