/**
 * Signals a process and everything it started: each runs in a process group of its own, whose id is its pid.
 * A group that is gone already is what the caller wanted.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
