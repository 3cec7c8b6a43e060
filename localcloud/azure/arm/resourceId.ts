/** A parsed resource id. Comparisons ignore case; the parts keep their original case. */
export interface ResourceId {
  subscriptionId?: string;
  resourceGroup?: string;
  /** Namespace of the last `providers` segment, e.g. `Microsoft.KeyVault`. */
  namespace?: string;
  /** E.g. `Microsoft.KeyVault/vaults/secrets`. */
  type?: string;
  /** Names of the type's segments, outermost first. */
  names: string[];
}

/** Parses an id; undefined if it is not well formed. */
export function parseResourceId(id: string): ResourceId | undefined {
  const segments = id.split('/').filter((segment) => segment !== '');
  const at = (index: number): string => segments[index]?.toLowerCase() ?? '';
  const parsed: ResourceId = { names: [] };
  let index = 0;
  if (at(0) === 'subscriptions') {
    parsed.subscriptionId = segments[1];
    index = 2;
    if (parsed.subscriptionId === undefined) return undefined;
    if (at(index) === 'resourcegroups') {
      parsed.resourceGroup = segments[index + 1];
      if (parsed.resourceGroup === undefined) return undefined;
      index += 2;
    }
  }
  while (index < segments.length) {
    if (at(index) !== 'providers') return undefined;
    parsed.namespace = segments[index + 1];
    const types: string[] = [];
    parsed.names = [];
    index += 2;
    while (index < segments.length && at(index) !== 'providers') {
      const [type, name] = [segments[index], segments[index + 1]];
      if (type === undefined || name === undefined) return undefined;
      types.push(type);
      parsed.names.push(name);
      index += 2;
    }
    if (parsed.namespace === undefined || types.length === 0) return undefined;
    parsed.type = [parsed.namespace, ...types].join('/');
  }
  return parsed;
}

export const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const subscriptionScope = (subscriptionId: string): string => `/subscriptions/${subscriptionId}`;

export const groupId = (subscriptionId: string, name: string): string =>
  `${subscriptionScope(subscriptionId)}/resourceGroups/${name}`;
