import type { Properties } from './values';

/** An input that cannot be accepted. */
export interface CheckFailure {
  /** Path of the input, for example `properties.sku.name`; empty for the resource as a whole. */
  property: string;
  /** What is wrong, what is allowed and what to do. */
  reason: string;
}

export type ChangeKind = 'add' | 'add-replace' | 'delete' | 'delete-replace' | 'update' | 'update-replace';

/** How new inputs differ from what is recorded. */
export interface Diff {
  changes: boolean;
  /** Top-level inputs whose change takes a new resource. */
  replaces: string[];
  /** Top-level inputs that differ. */
  diffs: string[];
  /** Outputs that no update changes. @default none are promised to be stable */
  stables?: string[];
  /** @default false: a replacement is created before the old resource is deleted */
  deleteBeforeReplace?: boolean;
  /** Change by property path (`a.b[0]`). @default the engine works the details out from the inputs */
  detailed?: Record<string, ChangeKind>;
}

export type Severity = 'debug' | 'info' | 'warning' | 'error';

/** What a single operation is given by the server. */
export interface Context {
  /** Aborted when the engine cancels the operation or goes away. */
  signal: AbortSignal;
  /**
   * Shows a message to the user. `ephemeral` messages appear in the progress display only. Never rejects: a message
   * that cannot be delivered is no reason to fail an operation.
   */
  log(severity: Severity, message: string, urn?: string, ephemeral?: boolean): Promise<void>;
}

export interface OperationOptions {
  /** Nothing may be changed; outputs that are not known yet are {@link unknown}. */
  preview: boolean;
  /** The user's `customTimeouts`, in seconds; 0 if not set. */
  timeoutSeconds: number;
}

/** What a plugin implements. Inputs and states carry secret marks; `check` must return inputs with the marks kept. */
export interface ProviderImplementation {
  name: string;
  version: string;
  /** @default an empty schema of the right name and version */
  schema?(): Promise<object>;
  /** @default everything is accepted */
  checkConfig?(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  /** @default a change of configuration replaces nothing */
  diffConfig?(oldInputs: Properties, news: Properties): Promise<Diff>;
  configure(config: Properties): Promise<void>;
  check(
    urn: string,
    type: string,
    olds: Properties,
    news: Properties,
    options: CheckOptions,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  diff(
    urn: string,
    type: string,
    id: string,
    oldState: Properties,
    oldInputs: Properties,
    newInputs: Properties,
    ignoreChanges: string[],
  ): Promise<Diff>;
  /** A resource that exists but is not as it should be is reported by throwing {@link PartialFailure}. */
  create(
    urn: string,
    type: string,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }>;
  /** Undefined: the resource does not exist (any more). On import `state` and `inputs` are empty. */
  read(
    urn: string,
    type: string,
    id: string,
    state: Properties,
    inputs: Properties,
    context: Context,
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined>;
  update(
    urn: string,
    type: string,
    id: string,
    oldState: Properties,
    oldInputs: Properties,
    newInputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ state: Properties }>;
  delete(
    urn: string,
    type: string,
    id: string,
    state: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<void>;
  invoke(
    token: string,
    args: Properties,
    context: Context,
  ): Promise<{ result: Properties; failures: CheckFailure[] }>;
}

export interface CheckOptions {
  /** The resource's name in the program: the stem of a generated name. */
  name: string;
  /** Deterministic randomness for generated names, so that a preview and its update agree. May be empty. */
  randomSeed: Uint8Array;
}
