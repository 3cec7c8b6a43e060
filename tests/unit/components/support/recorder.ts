import * as pulumi from '@pulumi/pulumi';
import * as debuggable from '@pulumi/pulumi/runtime/debuggable';
import { MockMonitor } from '@pulumi/pulumi/runtime/mocks';
import { clusters } from '../../../../components/waiting/cluster';
import { azure } from './azure';
import { connectingTo, readyCluster } from './cluster';

/** One resource as the program registered it. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** `type::name` of the parent; undefined if that is the stack. */
  readonly parent: string | undefined;
  /** `type::name` of everything that it waits for, by `dependsOn` or by an input; sorted. */
  readonly dependencies: readonly string[];
  readonly protect: boolean;
  /** It is not deleted where the program drops it. */
  readonly retainOnDelete: boolean;
  /** `type::name` of what it goes with; absent if it is deleted on its own. */
  readonly deletedWith?: string;
  /** Inputs that stay what they are; absent if there are none. */
  readonly ignoreChanges?: readonly string[];
  /** Names that it had before; absent if there are none. */
  readonly aliases?: readonly string[];
  /** Types that it had before, of those of Kubernetes; absent if there are none. */
  readonly typesBefore?: readonly string[];
  /** `type::name` of an explicit provider. */
  readonly provider: string | undefined;
}

/** One resource as the stack would have it after the program. */
export interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** What a component registered, or what Azure answered. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** One function call. */
export interface Call {
  readonly token: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface Recording<T> {
  readonly result: T;
  readonly registrations: readonly Registration[];
  readonly calls: readonly Call[];
  /** What the stack would hold after it. */
  readonly state: readonly Recorded[];
  /** The one registration of that type and name. */
  readonly find: (type: string, name: string) => Registration;
  /** All names of a type, in order of registration. */
  readonly names: (type: string) => string[];
}

/** The parts of the engine's request that the mocks do not hand on. */
interface RegisterRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getProtect(): boolean;
  getRetainondelete(): boolean;
  getDeletedwith(): string;
  getIgnorechangesList(): string[];
  getAliasesList(): { getSpec(): { getName(): string; getType(): string } | undefined }[];
  getProvider(): string;
}

interface OutputsRequest {
  getUrn(): string;
  getOutputs(): { toJavaScript(): object } | undefined;
}

type State = Record<string, unknown>;

const withoutStack = (urn: string) => urn.split('::').slice(2).join('::');
const lastType = (name: string) => name.replace(/^.*\$/, '');

/** An answer that depends on the question; it throws where the function fails. */
export type Answer = (inputs: State) => object;

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
  const outputs = new Map<string, State>();
  const calls: Call[] = [];
  const urns = new Set<string>();
  const twice: string[] = [];
  const spy = jest.spyOn(MockMonitor.prototype, 'registerResource');
  const real = spy.getMockImplementation();
  spy.mockImplementation(function (this: MockMonitor, request: RegisterRequest, callback) {
    const urn = urnOf(request);
    // As the engine does, which the mocks do not.
    if (urns.has(urn)) twice.push(urn);
    urns.add(urn);
    details.set(`${request.getType()}::${request.getName()}`, request);
    return real?.call(this, request, callback) ?? Promise.resolve();
  });
  const registered = new Map<string, State>();
  const outputSpy = jest.spyOn(MockMonitor.prototype, 'registerResourceOutputs');
  const realOutputs = outputSpy.getMockImplementation();
  outputSpy.mockImplementation(function (this: MockMonitor, request: OutputsRequest, callback) {
    registered.set(request.getUrn(), (request.getOutputs()?.toJavaScript() ?? {}) as State);
    realOutputs?.call(this, request, callback);
  });
  try {
    await pulumi.runtime.setMocks(
      {
        newResource: ({ type, name, inputs: given }: pulumi.runtime.MockResourceArgs) => {
          inputs.set(`${type}::${name}`, given as State);
          const answer = azure.resource(type, name, given as State);
          outputs.set(`${type}::${name}`, answer.state);
          return answer;
        },
        call: ({ token, inputs: given, provider }) => {
          calls.push({ token, inputs: given as State });
          const other = options.answers?.[token];
          if (isAnswer(other))
            return { ...azure.call(token, given as State, provider), ...other(given as State) };
          return { ...azure.call(token, given as State, provider), ...(other as object) };
        },
      },
      'aks-workload-identity',
      'test',
      options.preview ?? false,
      'organization',
    );
    const result = await settled(program);
    if (twice.length > 0) throw new Error(`Duplicate resource URNs: ${twice.join(', ')}`);
    const registrations = [...details].map(([key, request]): Registration => ({
      type: request.getType(),
      name: request.getName(),
      inputs: inputs.get(key) ?? {},
      parent: request.getParent() === '' ? undefined : lastType(withoutStack(request.getParent())),
      dependencies: request
        .getDependenciesList()
        .map((urn) => lastType(withoutStack(urn)))
        .sort(),
      protect: request.getProtect(),
      retainOnDelete: request.getRetainondelete(),
      ...(request.getDeletedwith() !== '' && {
        deletedWith: lastType(withoutStack(request.getDeletedwith())),
      }),
      ...(request.getIgnorechangesList().length > 0 && { ignoreChanges: request.getIgnorechangesList() }),
      ...(namesBefore(request).length > 0 && { aliases: namesBefore(request) }),
      ...(typesBefore(request).length > 0 && { typesBefore: typesBefore(request) }),
      provider:
        request.getProvider() === ''
          ? undefined
          : lastType(withoutStack(request.getProvider())).replace(/::[^:]*$/, ''),
    }));
    return {
      result,
      registrations,
      calls,
      state: [...details].map(([key, request]): Recorded => {
        const urn = urnOf(request);
        return {
          urn,
          type: request.getType(),
          name: request.getName(),
          outputs: registered.get(urn) ?? outputs.get(key) ?? {},
        };
      }),
      find(type, name) {
        const found = registrations.find((one) => one.type === type && one.name === name);
        if (found !== undefined) return found;
        const all = registrations.map((one) => `${one.type}::${one.name}`).join('\n');
        throw new Error(`${type}::${name} was not registered. Registered:\n${all}`);
      },
      names: (type) => registrations.filter((one) => one.type === type).map(({ name }) => name),
    };
  } finally {
    spy.mockRestore();
    outputSpy.mockRestore();
  }
}

/** Without aliases of the type alone, of which azure-native has many. */
function namesBefore(request: RegisterRequest): string[] {
  return request.getAliasesList().flatMap((alias) => alias.getSpec()?.getName() || []);
}

function typesBefore(request: RegisterRequest): string[] {
  return request
    .getAliasesList()
    .flatMap((alias) => alias.getSpec()?.getType() || [])
    .filter((type) => type.startsWith('kubernetes:') && type.includes('.azure.com/'));
}

function urnOf(request: RegisterRequest): string {
  const [, , types = ''] = request.getParent().split('::');
  const around = types === '' || types === 'pulumi:pulumi:Stack' ? '' : `${types}$`;
  return `urn:pulumi:test::aks-workload-identity::${around}${request.getType()}::${request.getName()}`;
}

/**
 * The SDK notes for each of its promises, thousands in a program, where it was made, for a report that only a process
 * that ends too early prints. Writing down these stack traces and keeping them was most of the time of these tests.
 */
Object.assign(debuggable, { debuggablePromise: <T>(promise: Promise<T>) => promise });

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
