/** A container that runs as a process. */
export interface ContainerProcess {
  /** Output of its current run, or of the last one. */
  logFile: string;
  /** Output of the run before; undefined before the first restart. */
  previousLogFile(): string | undefined;
  /** Number of the current run; undefined if it is not running. */
  readonly run: number | undefined;
  /** Why its first run has not started yet; undefined once it has. */
  readonly waitingFor: string | undefined;
}

/** A pod that runs as processes. */
export interface ProcessPod {
  /** Undefined: the container has no process. */
  container(name: string): ContainerProcess | undefined;
  /** Container port → loopback port. */
  hostPorts(): Record<number, number>;
}

/** `simulated`: by kwok. Undefined: the node has no such pod. */
export type FindPod = (namespace: string, name: string) => ProcessPod | 'simulated' | undefined;
