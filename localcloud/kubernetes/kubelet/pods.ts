/** A container that runs as a process. */
export interface ContainerProcess {
  /** File with the output of its current run, or of the last one. */
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
  /** Returns the process of a container; undefined if the container has none. */
  container(name: string): ContainerProcess | undefined;
  /** Returns the loopback port of each container port. */
  hostPorts(): Record<number, number>;
}

/** Finds a pod of the node. `simulated`: kwok simulates the pod. Undefined: the node has no such pod. */
export type FindPod = (namespace: string, name: string) => ProcessPod | 'simulated' | undefined;
