import { readFileSync } from 'node:fs';

/** What the engine did with one resource, or in a preview would do. */
export interface Step {
  /**
   * As the engine calls it: create, update, delete, replace, create-replacement, delete-replaced, import, …; and `retain`
   * for what leaves the stack and is not deleted.
   */
  readonly op: string;
  readonly urn: string;
}

/** Steps that leave a resource as it is. */
const unchanging = new Set(['same', 'read', 'refresh', 'discard-read']);

/** All steps of an update or a preview. */
export class Steps {
  /** @param unchanged how many resources stay as they are */
  constructor(
    readonly all: readonly Step[],
    readonly unchanged = all.filter(({ op }) => op === 'same').length,
  ) {}

  /** The steps that change something, in the engine's order. */
  get changed(): Step[] {
    return this.all.filter(({ op }) => !unchanging.has(op));
  }

  /** The URNs of what is changed, sorted, each once. */
  get urns(): string[] {
    return [...new Set(this.changed.map(({ urn }) => urn))].sort();
  }

  /**
   * What is changed, sorted, as `<op> <type> <name>`, for assertions on the exact set: `create
   * azure-native:keyvault:Secret kv-wi-local/orders-db`. The type is the resource's own, without its parents'.
   */
  get summary(): string[] {
    return this.changed.map(({ op, urn }) => `${op} ${shortName(urn)}`).sort();
  }
}

/** `<type> <name>` of `urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>`. */
export function shortName(urn: string): string {
  const [, , types = '', ...name] = urn.split('::');
  return `${types.split('$').at(-1) ?? ''} ${name.join('::')}`;
}

/** The steps in what `pulumi preview --json` printed. */
export function previewSteps(stdout: string): Steps {
  // Notes of the program may stand before it.
  const { steps = [], changeSummary = {} } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    steps?: (Step & { oldState?: Old | null })[];
    changeSummary?: Record<string, number>;
  };
  // What stays is counted and, unless it is asked for, not listed.
  return new Steps(
    steps.map(({ op, urn, oldState }) => stepOf(op, urn, oldState)),
    changeSummary['same'] ?? 0,
  );
}

interface EngineEvent {
  resourcePreEvent?: { metadata: Step & { old?: Old | null } };
}

/** What the stack had. */
interface Old {
  retainOnDelete?: boolean;
}

function stepOf(op: string, urn: string, old?: Old | null): Step {
  return { op: op === 'delete' && old?.retainOnDelete === true ? 'retain' : op, urn };
}

/** The steps that an update began, of its event log (`--event-log`). */
export function loggedSteps(file: string): Steps {
  const events = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EngineEvent);
  return new Steps(
    events.flatMap(({ resourcePreEvent: event }) =>
      event === undefined ? [] : [stepOf(event.metadata.op, event.metadata.urn, event.metadata.old)],
    ),
  );
}
