import { fieldsOf, textOf } from '../../components/resource/fields';

/** A registered resource: from a stack's state, a preview, or a run without the engine. */
export interface Registered {
  readonly urn: string;
  /** Undefined while unknown. */
  readonly id?: string | undefined;
  /** Unknown values are undefined. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** URN of its provider; undefined for the default provider. */
  readonly provider?: string | undefined;
  /** URNs of the resources that an input depends on, by the input's name. */
  readonly sources?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The registered resources and the outputs of a stack. */
export interface RegisteredStack {
  readonly resources: readonly Registered[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Builds a stack from its resources. The outputs are those of the root resource. */
export function stackOf(resources: readonly Registered[]): RegisteredStack {
  const stack = resources.find(({ urn }) => typeIn(urn) === 'pulumi:pulumi:Stack');
  return { resources, outputs: stack?.outputs ?? {} };
}

/** Returns the type without API version, such as `azure-native:keyvault:Vault`. */
export function typeIn(urn: string): string {
  const types = urn.split('::')[2] ?? '';
  return withoutVersion(types.slice(types.lastIndexOf('$') + 1));
}

/** Removes the API version: `azure-native:keyvault/v20230701:Vault`, and `v1api…` in types of Azure Service Operator. */
export const withoutVersion = (type: string): string => type.replace(/\/v(1api|1beta)?\d{8}\w*:/, ':');

/** Returns the name in the stack. */
export const nameIn = (urn: string): string => urn.split('::').slice(3).join('::');

/** Returns the type and the name, which together are unique in a stack. */
export const keyIn = (urn: string): string => `${typeIn(urn)}::${nameIn(urn)}`;

/** Returns the type in a key of `keyIn`. */
export const typeOfKey = (key: string): string => key.split('::')[0] ?? '';

/** Returns the provider's name from a reference to it: its URN, in a state followed by `::` and its id. */
export const providerName = (reference: string): string => nameIn(reference).split('::')[0] ?? '';

/** Returns the cluster's name from the name of its provider. */
export const clusterOfProvider = (name: string): string => name.replace(/-provider$/, '');

/** Returns the string at a path in an input. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  return textOf(path.reduce((parent: unknown, key) => fieldsOf(parent)[key], value));
}

/** Returns the parsed JSON at a path in an input; undefined if it is none. */
export function jsonAt(value: unknown, ...path: readonly string[]): unknown {
  try {
    return JSON.parse(textAt(value, ...path));
  } catch {
    return undefined;
  }
}
