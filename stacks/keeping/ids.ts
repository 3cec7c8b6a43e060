import type { StackSettings } from '../configuration/schema';
import type { KeptKind } from './kinds';
import { keptKinds } from './kinds';
import type { OwnState } from './ownState';

/** Name of the component that has what the stack made, where one of the name itself adopts something in its place. */
export function apartName(component: string): string {
  return `${component} (not adopted)`;
}

/** Name of the component that a thing of the stack is in, as the state has it. */
export function componentOf(kind: KeptKind, name: string, state: OwnState): string {
  const own = kind === 'secret' ? vaultOf(name) : name;
  const token = keptKinds[kind].component;
  return token !== undefined && state.find(token, apartName(own)) !== undefined ? apartName(own) : own;
}

/** The vault that a secret is in, by their names in the stack. */
export function vaultOf(secret: string): string {
  return secret.slice(0, secret.indexOf('/'));
}

/**
 * Resource id of a thing that the stack made; undefined if it cannot be known. Its component recorded it, unless the update
 * failed that made it: then it is in the environment's group, like everything else.
 */
export function idOf(
  kind: KeptKind,
  name: string,
  state: OwnState,
  settings: StackSettings,
): string | undefined {
  const { component: token, token: type } = keptKinds[kind];
  const azureName = state.text(type, name, 'name');
  if (token === undefined) {
    return state.text(type, name, 'id') ?? (azureName === undefined ? undefined : groupId(azureName, state));
  }
  if (kind === 'secret') {
    const vault = idOf('vault', vaultOf(name), state, settings);
    return vault === undefined ? undefined : `${vault}/secrets/${name.slice(name.indexOf('/') + 1)}`;
  }
  const recorded = state.text(token, componentOf(kind, name, state), 'id');
  // The component may be told of what it adopts meanwhile.
  if (recorded !== undefined && (azureName === undefined || isNamed(recorded, azureName))) return recorded;
  const { resourceGroup } = settings;
  const group = typeof resourceGroup === 'string' ? groupId(resourceGroup, state) : resourceGroup.adopt;
  if (group === undefined || azureName === undefined) return undefined;
  return `${group}/providers/${keptKinds[kind].type}/${azureName}`;
}

/** A secret goes with its vault. */
export function idsThatDelete(
  kind: KeptKind,
  name: string,
  state: OwnState,
  settings: StackSettings,
): string[] {
  const ids = [
    idOf(kind, name, state, settings),
    ...(kind === 'secret' ? [idOf('vault', vaultOf(name), state, settings)] : []),
  ];
  return ids.flatMap((id) => id ?? []);
}

/** If an update has told the subscription. */
function groupId(name: string, { exported: { subscriptionId } }: OwnState): string | undefined {
  return typeof subscriptionId === 'string'
    ? `/subscriptions/${subscriptionId}/resourceGroups/${name}`
    : undefined;
}

function isNamed(id: string, name: string): boolean {
  return id.toLowerCase().endsWith(`/${name.toLowerCase()}`);
}
