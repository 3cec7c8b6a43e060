/** A container that runs as a process. */
export interface ContainerProcess {
  /** Output of all its runs, one after the other. */
  logFile: string;
  /** Number of the run that is under way; undefined while none is. */
  readonly run: number | undefined;
  /** Why its first run has not begun yet; undefined once it has. */
  readonly waitingFor: string | undefined;
}

/** A pod that runs as processes. */
export interface ProcessPod {
  /** Undefined: no process plays the container. */
  container(name: string): ContainerProcess | undefined;
  /** Container port → loopback port. */
  hostPorts(): Record<number, number>;
}

/** `played`: by kwok. Undefined: the node has no such pod. */
export type FindPod = (namespace: string, name: string) => ProcessPod | 'played' | undefined;
