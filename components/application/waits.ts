/** The arguments of a workload that decide who waits for its pods. */
interface Waits {
  readonly awaited?: boolean;
  readonly dependencies?: readonly unknown[];
  readonly chart?: { readonly provisions?: object };
}

/** Says that pods may start with something missing, until the operator has provisioned it. */
export function startsLater({ dependencies = [], chart }: Waits): boolean {
  return dependencies.length > 0 || chart?.provisions !== undefined;
}

/** Says that the engine waits for the pods. Where they start later, this program does. */
export function engineWaits(args: Waits): boolean {
  return args.awaited !== false && !startsLater(args);
}

/** Says that this program waits for the pods. */
export function programWaits(args: Waits): boolean {
  return args.awaited !== false && startsLater(args);
}
