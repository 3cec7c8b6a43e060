import { fieldsOf, textOf } from '../../components/resource/fields';

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

/** The stack that the resources make up: its outputs are those of the resource that stands for it. */
export function stackOf(resources: readonly Registered[]): RegisteredStack {
  const stack = resources.find(({ urn }) => typeIn(urn) === 'pulumi:pulumi:Stack');
  return { resources, outputs: stack?.outputs ?? {} };
}

/** Type without the version of the API: `azure-native:keyvault:Vault`. */
export function typeIn(urn: string): string {
  const types = urn.split('::')[2] ?? '';
  return withoutVersion(types.slice(types.lastIndexOf('$') + 1));
}

/** `azure-native:keyvault/v20230701:Vault` is the type of `azure-native:keyvault:Vault`; Azure Service Operator's have `v1api…` too. */
export const withoutVersion = (type: string): string => type.replace(/\/v(1api|1beta)?\d{8}\w*:/, ':');

/** Name in the stack. */
export const nameIn = (urn: string): string => urn.split('::').slice(3).join('::');

/** A text within an input. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  return textOf(path.reduce((so: unknown, key) => fieldsOf(so)[key], value));
}
