import type { Properties } from './values';

/** An invalid input. */
export interface CheckFailure {
  /** Path of the input, for example `properties.sku.name`; empty for the resource as a whole. */
  property: string;
  /** The problem, the allowed values, and a hint. */
  reason: string;
}

export type ChangeKind = 'add' | 'add-replace' | 'delete' | 'delete-replace' | 'update' | 'update-replace';

/** The differences between new and recorded inputs. */
export interface Diff {
  changes: boolean;
  /** Top-level inputs whose change needs a replacement. */
  replaces: string[];
  /** Top-level inputs that changed. */
  diffs: string[];
  /** Outputs that no update changes. @default none */
  stables?: string[];
  /** True to delete the old resource before the new one is created. @default false */
  deleteBeforeReplace?: boolean;
  /** Change by property path (`a.b[0]`). @default the engine derives the details from the inputs */
  detailed?: Record<string, ChangeKind>;
}

export type Severity = 'debug' | 'info' | 'warning' | 'error';

/** The context of a single operation. */
export interface Context {
  /** Aborts when the engine cancels the operation or exits. */
  signal: AbortSignal;
  /** Shows a message to the user; `ephemeral` messages appear only in the progress display. Never rejects. */
  log(severity: Severity, message: string, urn?: string, ephemeral?: boolean): Promise<void>;
}

export interface OperationOptions {
  /** True if nothing may be changed; unknown outputs are {@link unknown}. */
  preview: boolean;
  /** The user's `customTimeouts` in seconds; 0 if not set. */
  timeoutSeconds: number;
}

/** A plugin's implementation. Inputs and states have secret marks, and `check` must keep those of the inputs. */
export interface ProviderImplementation {
  name: string;
  version: string;
  /** @default an empty schema with the name and version */
  schema?(): Promise<object>;
  /** @default all configurations are accepted */
  checkConfig?(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  /** @default a change of the configuration replaces nothing */
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
  /** Creates a resource. Throws {@link PartialFailure} for one that exists but is not in the requested state. */
  create(
    urn: string,
    type: string,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }>;
  /** Reads a resource; undefined if it does not exist (any more). For an import, `state` and `inputs` are empty. */
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
  /** The resource's Pulumi name, the prefix of a generated name. */
  name: string;
  /** Deterministic seed for generated names, the same for a preview and its update. May be empty. */
  randomSeed: Uint8Array;
}
