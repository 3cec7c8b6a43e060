import { MockMonitor } from '@pulumi/pulumi/runtime/mocks';

// What the engine is asked for, with the parts that Pulumi's mocks do not hand on.

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
  /** Types that it had before, of those of Kubernetes; absent if there are none. */
  readonly typesBefore?: readonly string[];
  /** `type::name` of an explicit provider. */
  readonly provider: string | undefined;
  /** All other options, by name; absent if there are none. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface RegisterRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getProtect(): boolean;
  getRetainondelete(): boolean;
  getDeletedwith(): string;
  getIgnorechangesList(): string[];
  getAliasesList(): { getSpec(): { getType(): string } | undefined }[];
  getProvider(): string;
  getDeletebeforereplace(): boolean;
  getReplaceonchangesList(): string[];
  getReplaceWithList(): string[];
  getAdditionalsecretoutputsList(): string[];
  getImportid(): string;
  getCustomtimeouts(): { toObject(): Record<string, string> } | undefined;
}

interface OutputsRequest {
  getUrn(): string;
  getOutputs(): { toJavaScript(): object } | undefined;
}

interface ReadRequest {
  getType(): string;
  getName(): string;
}

interface Requests {
  readonly registerResource: RegisterRequest;
  readonly registerResourceOutputs: OutputsRequest;
  readonly readResource: ReadRequest;
}
type Handler = (this: MockMonitor, request: unknown, callback: never) => Promise<void> | undefined;

/** Looks at each request of a kind before the mocks have it. */
export function before<M extends keyof Requests>(
  method: M,
  look: (request: Requests[M]) => void,
): jest.SpyInstance {
  const spy: jest.SpyInstance = jest.spyOn(MockMonitor.prototype, method);
  const real = spy.getMockImplementation() as Handler | undefined;
  return spy.mockImplementation(function (this: MockMonitor, request: Requests[M], callback: never) {
    look(request);
    return real?.call(this, request, callback) ?? Promise.resolve();
  });
}

export function urnOf(request: RegisterRequest): string {
  const [, , types = ''] = request.getParent().split('::');
  const around = types === '' || types === 'pulumi:pulumi:Stack' ? '' : `${types}$`;
  return `urn:pulumi:test::aks-workload-identity::${around}${request.getType()}::${request.getName()}`;
}

/** `type::name` of a URN, or of what begins with one; undefined of an empty text. */
export function keyOf(urn: string): string | undefined {
  const [, , types = '', name = ''] = urn.split('::');
  return urn === '' ? undefined : `${types.replace(/^.*\$/, '')}::${name}`;
}

/** Types of custom resources of Azure, which the program names; all others come with the SDKs. */
export const isTypeBefore = (type: string): boolean =>
  type.startsWith('kubernetes:') && type.includes('.azure.com/');

export function registrationOf(request: RegisterRequest, inputs: Registration['inputs']): Registration {
  const deletedWith = keyOf(request.getDeletedwith());
  const ignoreChanges = request.getIgnorechangesList();
  const aliases = request.getAliasesList().flatMap((alias) => alias.getSpec() ?? []);
  const types = aliases.map((alias) => alias.getType()).filter(isTypeBefore);
  const options = optionsOf(request);
  return {
    type: request.getType(),
    name: request.getName(),
    inputs,
    parent: keyOf(request.getParent()),
    dependencies: request
      .getDependenciesList()
      .map((urn) => keyOf(urn) ?? '')
      .sort(),
    protect: request.getProtect(),
    retainOnDelete: request.getRetainondelete(),
    ...(deletedWith !== undefined && { deletedWith }),
    ...(ignoreChanges.length > 0 && { ignoreChanges }),
    ...(types.length > 0 && { typesBefore: types }),
    provider: keyOf(request.getProvider()),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

function optionsOf(request: RegisterRequest): Record<string, unknown> {
  const times = Object.entries(request.getCustomtimeouts()?.toObject() ?? {});
  const all = {
    deleteBeforeReplace: request.getDeletebeforereplace() ? [true] : [],
    replaceOnChanges: request.getReplaceonchangesList(),
    replaceWith: request.getReplaceWithList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    import: [request.getImportid()].filter((id) => id !== ''),
    customTimeouts: times.filter(([, time]) => time !== '').map((time) => time.join(' ')),
  };
  return Object.fromEntries(Object.entries(all).filter(([, values]) => values.length > 0));
}
