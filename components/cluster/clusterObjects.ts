/** An object of a cluster, as its API server has it. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly generation?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** Where objects of one kind are. */
export interface ClusterKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** @default the kind has no namespaces, or all of them are meant */
  readonly namespace?: string;
}

/** One object. */
export interface ClusterObjectReference extends ClusterKind {
  readonly name: string;
}

/**
 * What the program asks a cluster by itself, beside what the engine does: whether something is ready, or there already. A
 * preview waits for nothing: it may be of a cluster that is not there yet.
 */
export interface ClusterObjects {
  /** The object, or undefined if there is none, or no such kind (yet). */
  get(reference: ClusterObjectReference): Promise<ClusterObject | undefined>;
  /** Makes the object; with `dryRun`, the API server only says whether it would. Throws what it answered if it does not. */
  create(object: ClusterObject, options?: { readonly dryRun?: boolean }): Promise<ClusterObject>;
  /** All objects of the kind; none if there is no such kind (yet). */
  list(kind: ClusterKind): Promise<readonly ClusterObject[]>;
}

/** What kinds of objects a cluster has. */
export interface ClusterDiscovery {
  /** Names of the groups of its API, without those that have no name (`v1`). */
  groups(): Promise<readonly string[]>;
  /** The kinds of a group, of all its versions; none if there is no such group (yet). */
  kinds(group: string): Promise<readonly string[]>;
}

/** What a cluster answered instead of what it was asked for. */
export class ClusterAnswerError extends Error {
  constructor(
    /** Status code of HTTP. */
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** All that the program asks a cluster. */
export type ClusterApi = ClusterObjects & ClusterDiscovery;

/** Connects to a cluster by an administrator's kubeconfig. */
export type ConnectCluster = (kubeconfig: string) => Promise<ClusterApi>;
