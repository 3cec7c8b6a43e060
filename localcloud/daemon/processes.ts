import { readdirSync, readFileSync } from 'node:fs';
import { identifyProcess, isAlive, type ProcessIdentity } from '../processIdentity';

/** Returns the living processes with `variable=value` in their initial environment, except this one. */
export function processesWith(variable: string, value: string): ProcessIdentity[] {
  const assignment = `${variable}=${value}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
    .filter((pid) => readOrNothing(`/proc/${pid}/environ`)?.split('\0').includes(assignment) ?? false)
    .flatMap((pid) => identifyProcess(pid) ?? []);
}

/** Signals exactly this process; returns false if it has ended. */
function signalProcess(ref: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(ref)) return false;
  try {
    process.kill(ref.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends processes with SIGTERM, and with SIGKILL after `graceMilliseconds`. Resolves when all have ended. */
export async function endProcesses(refs: ProcessIdentity[], graceMilliseconds: number): Promise<void> {
  for (const ref of refs) signalProcess(ref, 'SIGTERM');
  if (await waitForEnd(refs, graceMilliseconds)) return;
  for (const ref of refs) signalProcess(ref, 'SIGKILL');
  await waitForEnd(refs, 5000);
}

/** Tells whether all processes end within the time. */
export async function waitForEnd(refs: ProcessIdentity[], milliseconds: number): Promise<boolean> {
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
