import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process, named so that a later one with the same id is not taken for it: the start time is in the
 * kernel's clock ticks since boot (proc(5), field 22 of /proc/PID/stat).
 */
export interface ProcessRef {
  pid: number;
  startTicks: string;
}

/** The living process with this id; undefined when there is none, or only a zombie. */
export function identifyProcess(pid: number): ProcessRef | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The command in parentheses may hold anything, parentheses too.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const startTicks = fields?.[19];
  if (startTicks === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, startTicks };
}

export function isAlive(ref: ProcessRef): boolean {
  return identifyProcess(ref.pid)?.startTicks === ref.startTicks;
}

/** Living processes that were started with `variable=value` in their environment, without this one. */
export function processesWith(variable: string, value: string): ProcessRef[] {
  const wanted = `${variable}=${value}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
    .filter((pid) => readOrNothing(`/proc/${pid}/environ`)?.split('\0').includes(wanted) ?? false)
    .flatMap((pid) => identifyProcess(pid) ?? []);
}

/** Sends a signal to exactly this process; false when it is gone. */
export function signalProcess(ref: ProcessRef, signal: NodeJS.Signals): boolean {
  if (!isAlive(ref)) return false;
  try {
    process.kill(ref.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends processes: asked first, killed after `graceMilliseconds`. Resolves when all are gone. */
export async function endProcesses(refs: ProcessRef[], graceMilliseconds: number): Promise<void> {
  for (const ref of refs) signalProcess(ref, 'SIGTERM');
  if (await waitForEnd(refs, graceMilliseconds)) return;
  for (const ref of refs) signalProcess(ref, 'SIGKILL');
  await waitForEnd(refs, 5000);
}

/** True when all ended within the time. */
export async function waitForEnd(refs: ProcessRef[], milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (refs.some(isAlive)) {
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
