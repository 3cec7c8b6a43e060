import type { Declared } from './rules/rule';

/** A resource as the engine shows it to policies. */
export interface Shown {
  readonly urn: string;
  readonly name: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Of a component, the engine shows none. */
  readonly provider?: unknown;
}

/** Its type, and those of the components that it is in, are in its URN. */
export function declared({ urn, name, props: properties, provider }: Shown): Declared {
  const types = (urn.split('::')[2] ?? '').split('$').map(withoutVersion);
  return {
    type: types.at(-1) ?? '',
    name,
    isCustom: provider !== undefined,
    within: types.slice(0, -1),
    properties,
  };
}

/** `azure-native:keyvault/v20230701:Vault` is the type of `azure-native:keyvault:Vault`. */
function withoutVersion(type: string): string {
  return type.replace(/\/v\d{8}\w*:/, ':');
}
