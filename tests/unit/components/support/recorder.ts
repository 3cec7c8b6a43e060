import * as pulumi from '@pulumi/pulumi';
import * as debuggable from '@pulumi/pulumi/runtime/debuggable';
import { clusters } from '../../../../components/waiting/cluster';
import { azure } from './azure';
import { connectingTo, readyCluster } from './cluster';
import type { RegisterRequest, Registration } from './requests';
import { before, isTypeBefore, keyOf, registrationOf, urnOf } from './requests';

export type { Registration } from './requests';

/** One resource as the stack would have it after the program. */
interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Id that Azure answered; of a component none that means anything. */
  readonly id: string;
  /** What a component registered, or what Azure answered. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A function call with what was answered. */
interface Call {
  readonly token: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  /** `type::name` of an explicit provider. */
  readonly provider: string | undefined;
}

export interface Recording<T> {
  readonly result: T;
  readonly registrations: readonly Registration[];
  readonly calls: readonly Call[];
  /** `type::name` of each resource that is read and not registered. */
  readonly reads: readonly string[];
  /** What the stack would hold after it. */
  readonly state: readonly Recorded[];
  /** The one registration of that type and name. */
  readonly find: (type: string, name: string) => Registration;
  /** All names of a type, in order of registration. */
  readonly names: (type: string) => string[];
}

type State = Record<string, unknown>;

/** An answer that depends on the question; it throws where the function fails. */
type Answer = (inputs: State) => object;

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'function';
}

/**
 * Runs a program against Pulumi's mocks and records what it registers. The mocks answer as Azure would, in
 * `azure`; they check no schema, know no order of operations, and make nothing. In clusters, everything is ready, unless the
 * test leads its connections elsewhere.
 */
export async function record<T>(
  program: () => T,
  options: { readonly preview?: boolean; readonly answers?: Readonly<Record<string, unknown>> } = {},
): Promise<Recording<T>> {
  if (!jest.isMockFunction(clusters.connect)) connectingTo(readyCluster);
  const details = new Map<string, RegisterRequest>();
  const inputs = new Map<string, State>();
  const created = new Map<string, { readonly id: string; readonly state: State }>();
  const calls: Call[] = [];
  const reads: string[] = [];
  const urns = new Set<string>();
  const twice: string[] = [];
  const registered = new Map<string, State>();
  const spies = [
    // Progress of waits, which an engine would show. A test that looks at it spies itself.
    ...(jest.isMockFunction(pulumi.log.info) ? [] : [jest.spyOn(pulumi.log, 'info').mockResolvedValue()]),
    before('registerResource', (request) => {
      const urn = urnOf(request);
      // As the engine does, which the mocks do not.
      if (urns.has(urn)) twice.push(urn);
      urns.add(urn);
      details.set(`${request.getType()}::${request.getName()}`, request);
    }),
    before('registerResourceOutputs', (request) => {
      registered.set(request.getUrn(), (request.getOutputs()?.toJavaScript() ?? {}) as State);
    }),
    before('readResource', (request) => {
      reads.push(`${request.getType()}::${request.getName()}`);
    }),
  ];
  try {
    await pulumi.runtime.setMocks(
      {
        newResource: ({ type, name, inputs: news }: pulumi.runtime.MockResourceArgs) => {
          inputs.set(`${type}::${name}`, news as State);
          const answer = azure.resource(type, name, news as State);
          created.set(`${type}::${name}`, answer);
          const secret = details.get(`${type}::${name}`)?.getAdditionalsecretoutputsList() ?? [];
          return { ...answer, state: withSecrets(answer.state, secret) };
        },
        call: ({ token, inputs: called, provider = '' }) => {
          const other = options.answers?.[token];
          const isOfEngine = token.startsWith('pulumi:') && other !== undefined;
          const usual = isOfEngine ? {} : azure.call(token, called as State, provider);
          const answer = { ...usual, ...(isAnswer(other) ? other(called as State) : (other as object)) };
          calls.push({ token, inputs: called as State, answer, provider: keyOf(provider) });
          return answer;
        },
      },
      'aks-workload-identity',
      'test',
      options.preview ?? false,
      'organization',
    );
    const result = await settled(program);
    if (twice.length > 0) throw new Error(`Duplicate resource URNs: ${twice.join(', ')}`);
    const registrations = [...details].map(([key, detail]) => registrationOf(detail, inputs.get(key) ?? {}));
    return {
      ...{ result, registrations, calls, reads },
      state: [...details].map(([key, request]): Recorded => {
        const urn = urnOf(request);
        const { id = '', state = {} } = created.get(key) ?? {};
        const outputs = registered.get(urn) ?? state;
        return { urn, type: request.getType(), name: request.getName(), id, outputs };
      }),
      find(type, name) {
        const found = registrations.find(
          (registration) => registration.type === type && registration.name === name,
        );
        if (found !== undefined) return found;
        const all = registrations
          .map((registration) => `${registration.type}::${registration.name}`)
          .join('\n');
        throw new Error(`${type}::${name} was not registered. Registered:\n${all}`);
      },
      names: (type) =>
        registrations.filter((registration) => registration.type === type).map(({ name }) => name),
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The state with these outputs marked as secret, as the engine marks them. */
function withSecrets(state: State, secret: readonly string[]): State {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, secret.includes(key) ? pulumi.secret(value) : value]),
  );
}

/**
 * The SDK notes for each of its promises, thousands in a program, where it was made, for a report that only a process
 * that ends too early prints. Writing down these stack traces and keeping them was most of the time of these tests.
 */
Object.assign(debuggable, { debuggablePromise: <T>(promise: Promise<T>) => promise });

/**
 * Each class of the SDKs adds its types in all other versions, up to a hundred, and the SDK builds a URN of each, by a dozen
 * outputs. No registration here shows them, and they were half of what a program with mocks does.
 */
const { mergeOptions } = pulumi;
Object.assign(pulumi, {
  mergeOptions: (base: pulumi.ResourceOptions | undefined, added: pulumi.ResourceOptions | undefined) =>
    mergeOptions(
      base,
      added?.aliases === undefined ? added : { ...added, aliases: added.aliases.filter(isShown) },
    ),
});

const isShown = (alias: pulumi.Input<pulumi.URN | pulumi.Alias>): boolean =>
  typeof alias === 'string' ||
  Object.keys(alias).join() !== 'type' ||
  isTypeBefore(String(Reflect.get(alias, 'type')));

/**
 * Runs the program and, even if it fails, waits for all that it began: the mocks are global to the process.
 *
 * The SDK takes a stack trace for each resource too. jest leads each back to its source, which nobody reads, so meanwhile
 * they are short and as they come.
 */
async function settled<T>(program: () => T): Promise<T> {
  const mapped: unknown = Reflect.get(Error, 'prepareStackTrace');
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.slice(0, 8).map(String)].join('\n    at ');
  try {
    return program();
  } finally {
    await pulumi.runtime.disconnect();
    Reflect.set(Error, 'prepareStackTrace', mapped);
  }
}

/** The value of an output. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}
