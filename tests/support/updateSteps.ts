import { readFileSync } from 'node:fs';

/** One step of the engine in an update or preview. */
export interface Step {
  /**
   * The engine's operation: create, update, delete, replace, create-replacement, delete-replaced, import, …; `retain`
   * for a resource that leaves the stack but is not deleted.
   */
  readonly op: string;
  readonly urn: string;
}

/** Operations that do not change a resource. */
const unchanging = new Set(['same', 'read', 'refresh', 'discard-read']);

/** All steps of an update or a preview. */
export class Steps {
  /** @param unchanged number of unchanged resources */
  constructor(
    readonly all: readonly Step[],
    readonly unchanged = all.filter(({ op }) => op === 'same').length,
  ) {}

  /** The steps that change something, in the engine's order. */
  get changed(): Step[] {
    return this.all.filter(({ op }) => !unchanging.has(op));
  }

  /** The URNs of changed resources, sorted, without duplicates. */
  get urns(): string[] {
    return [...new Set(this.changed.map(({ urn }) => urn))].sort();
  }

  /**
   * The changes, sorted, as `<op> <type> <name>`, for exact assertions: `create azure-native:keyvault:Secret
   * kv-wi-local/orders-db`. The type does not include the parents' types.
   */
  get summary(): string[] {
    return this.changed.map(({ op, urn }) => `${op} ${shortName(urn)}`).sort();
  }
}

/** Returns `<type> <name>` for `urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>`. */
export function shortName(urn: string): string {
  const [, , types = '', ...name] = urn.split('::');
  return `${types.split('$').at(-1) ?? ''} ${name.join('::')}`;
}

/** Returns the steps in the output of `pulumi preview --json`. */
export function previewSteps(stdout: string): Steps {
  // Messages of the program may come first.
  const { steps = [], changeSummary = {} } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    steps?: (Step & { oldState?: Old | null })[];
    changeSummary?: Record<string, number>;
  };
  // By default, unchanged resources are counted but not listed.
  return new Steps(
    steps.map(({ op, urn, oldState }) => stepOf(op, urn, oldState)),
    changeSummary['same'] ?? 0,
  );
}

interface EngineEvent {
  resourcePreEvent?: { metadata: Step & { old?: Old | null } };
  resOutputsEvent?: { metadata: Step & { new?: object | null; diffs?: string[] | null } };
}

/** The resource's previous state. */
interface Old {
  retainOnDelete?: boolean;
}

function stepOf(op: string, urn: string, old?: Old | null): Step {
  return { op: op === 'delete' && old?.retainOnDelete === true ? 'retain' : op, urn };
}

/** Returns the steps that an update started, from its event log (`--event-log`). */
export function loggedSteps(file: string): Steps {
  return new Steps(
    eventsIn(file).flatMap(({ resourcePreEvent: event }) =>
      event === undefined ? [] : [stepOf(event.metadata.op, event.metadata.urn, event.metadata.old)],
    ),
  );
}

/** Returns `<type> <name>` of each resource that an update with `--refresh` found gone or changed, and how. */
export function loggedDrift(file: string): string[] {
  return eventsIn(file).flatMap(({ resOutputsEvent: event }) => {
    if (event?.metadata.op !== 'refresh') return [];
    const { urn, new: found, diffs } = event.metadata;
    if (found == null) return [`${shortName(urn)} is gone`];
    const changed = diffs ?? [];
    return changed.length === 0 ? [] : [`${shortName(urn)} has changed ${changed.join(', ')}`];
  });
}

function eventsIn(file: string): EngineEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EngineEvent);
}
