/** The arguments of a workload that determine who waits for its pods. */
interface Waits {
  readonly awaited?: boolean;
  readonly dependencies?: readonly unknown[];
  readonly chart?: { readonly provisions?: object };
}

/** Tells whether pods may start before the operator has provisioned everything that they need. */
export function startsLater({ dependencies = [], chart }: Waits): boolean {
  return dependencies.length > 0 || chart?.provisions !== undefined;
}

/** Tells whether the engine waits for the pods. If they start later, this program waits instead. */
export function engineWaits(args: Waits): boolean {
  return args.awaited !== false && !startsLater(args);
}

/** Tells whether this program waits for the pods. */
export function programWaits(args: Waits): boolean {
  return args.awaited !== false && startsLater(args);
}
