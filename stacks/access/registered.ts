import { fieldsOf } from '../../components/resource/fields';

/** A resource as the program registers it: in the state of a stack, in a preview, or in a run without an engine. */
export interface Registered {
  readonly urn: string;
  /** Undefined as long as it is not known. */
  readonly id?: string | undefined;
  /** What is not known is undefined. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** URN of its provider, if that is not the default one. */
  readonly provider?: string | undefined;
  /** URNs of the resources that an input has something of, by the name of the input. */
  readonly sources?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What a stack registers, and what it tells. */
export interface RegisteredStack {
  readonly resources: readonly Registered[];
  /** Outputs of the stack. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Type without the version of the API: `azure-native:keyvault:Vault`. */
export function typeIn(urn: string): string {
  const types = urn.split('::')[2] ?? '';
  return types.slice(types.lastIndexOf('$') + 1).replace(/\/v\d{8}(preview)?:/, ':');
}

/** Name in the stack. */
export const nameIn = (urn: string): string => urn.split('::').slice(3).join('::');

/** An input that is a text; empty if it is none, or not known. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text within an input. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  return textOf(path.reduce((so: unknown, key) => fieldsOf(so)[key], value));
}

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
