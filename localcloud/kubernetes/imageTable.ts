/** The container that an image entry starts. */
export interface LaunchContext {
  /** Arguments of the container, expanded, with mount paths replaced. */
  args: readonly string[];
  /**
   * Returns the loopback port for a container port.
   *
   * @throws if neither the pod nor `ports` of the entry has the port
   */
  port: (containerPort: number | string) => number;
  /** Returns the host folder for a mount path of the container; undefined if nothing is mounted there. */
  mount: (mountPath: string) => string | undefined;
  /** An empty folder for this container. */
  folder: string;
}

/** How containers of an image run as processes. */
export interface ImageEntry {
  /**
   * Program and first arguments, or a function that finds them. `signal` aborts when the pod is deleted.
   */
  command: readonly string[] | ((signal: AbortSignal) => Promise<readonly string[]>);
  /** Ports that the program listens on, besides those that the pod declares or its probes name. */
  ports?: readonly number[];
  /** Arguments of the process. @default those of the container */
  args?: (context: LaunchContext) => string[];
  /** Files in the image's working directory: name → path on this host. */
  files?: () => Promise<Readonly<Record<string, string>>>;
  /** Folder on this host for the image's working directory. @default an empty folder of the container */
  workingFolder?: string;
  /** True if the program exits with 0 to be restarted. Such an exit is no failure, and the restart is not delayed. */
  restartsItself?: boolean;
  /** Additional variables, which override those of the pod. */
  env?: (context: LaunchContext) => Record<string, string>;
}

/** Entries by image repository (without tag and digest). kwok simulates pods that have none of these images. */
export type ImageTable = Readonly<Record<string, ImageEntry>>;

/** Sets flags as `--name=value`, replacing existing ones (also `--name value`). */
export function withFlags(args: readonly string[], flags: Record<string, string>): string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const name = /^--?([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && Object.hasOwn(flags, name)) {
      const next = args[index + 1];
      if (!arg.includes('=') && next !== undefined && !next.startsWith('-')) index += 1;
    } else kept.push(arg);
  }
  return [...kept, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
}
