import { tryParseResourceGroupId, tryParseResourceId } from '../../components/azure/resourceId';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../configuration/configuration';
import type { Problem } from '../configuration/problem';
import type { StackSettings } from '../configuration/schema';
import { idOf } from '../keeping/ids';
import { keptKinds, keyOf, plannedKeys } from '../keeping/kinds';
import type { OwnState } from '../keeping/ownState';

/** What is in a resource group and a region for good. */
const kinds = ['cluster', 'identity', 'vault', 'workspace'] as const;

/** A thing that the stack made, and that the configuration still makes. */
interface Standing {
  readonly name: string;
  readonly subscriptionId: string;
  readonly group: string;
  readonly location: string | undefined;
}

/**
 * Changes that no resource can follow: neither a group nor a region can be changed, so the engine would make everything
 * anew, the names of what stays in the old place would be taken, and running applications would lose their access.
 */
export function immovableProblems({ settings, plan }: Configuration, state: OwnState): Problem[] {
  const things = standing(settings, plannedKeys(settings, plan), state);
  return [...groupProblems(settings, things, state), ...locationProblems(settings, things)];
}

function standing(settings: StackSettings, planned: ReadonlySet<string>, state: OwnState): Standing[] {
  return kinds.flatMap((kind) => {
    const { token } = keptKinds[kind];
    return state.resources.flatMap(({ type, name, outputs }) => {
      const id = type === token ? tryParseResourceId(idOf(kind, name, state, settings) ?? '') : undefined;
      if (id === undefined || !planned.has(keyOf(kind, name))) return [];
      const { location } = outputs;
      return [
        {
          name: id.name,
          subscriptionId: id.subscriptionId,
          group: id.resourceGroupName,
          location: typeof location === 'string' ? location : undefined,
        },
      ];
    });
  });
}

function groupProblems(
  { resourceGroup }: StackSettings,
  things: readonly Standing[],
  state: OwnState,
): Problem[] {
  const first = things[0];
  if (first === undefined) return [];
  const adopted =
    typeof resourceGroup === 'string' ? undefined : tryParseResourceGroupId(resourceGroup.adopt);
  const wanted = typeof resourceGroup === 'string' ? resourceGroup : adopted?.name;
  // Also a group that the stack keeps from before may be in the state: only that of the things counts.
  const made = state.resources.some(
    ({ type, outputs }) =>
      type === keptKinds.group.token &&
      typeof outputs.name === 'string' &&
      outputs.name.toLowerCase() === first.group.toLowerCase(),
  );
  const elsewhere = things.filter(
    ({ group, subscriptionId }) =>
      group.toLowerCase() !== wanted?.toLowerCase() ||
      (adopted !== undefined && adopted.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase()),
  );
  const value = JSON.stringify(typeof resourceGroup === 'string' ? resourceGroup : resourceGroup.adopt);
  const moved = elsewhere[0];
  if (moved !== undefined) {
    return [
      {
        path: ['resourceGroup'],
        value,
        what: `is not the group that the stack's things are in, ${moved.group} (${listed(elsewhere)}), and nothing can be moved to another: all would be made anew`,
        remedy: `Set it back to ${moved.group}; for another group, make another stack.`,
      },
    ];
  }
  if (made === (adopted === undefined)) return [];
  // Another provider serves what is in an adopted group, and the engine makes anew what changes its provider.
  return [
    {
      path: ['resourceGroup'],
      value,
      what: made
        ? 'is a group that this stack made, and to adopt it would make all anew that is in it'
        : `is the name of a group that this stack adopted, and to make it would make all anew that is in it (${listed(things)})`,
      remedy: made
        ? `Set it back to ${first.group}. It is not deleted with the stack unless \`deletion: allowed\` is set.`
        : `Set it back to { adopt: /subscriptions/${first.subscriptionId}/resourceGroups/${first.group} }.`,
    },
  ];
}

function locationProblems({ location }: StackSettings, things: readonly Standing[]): Problem[] {
  const elsewhere = things.filter(
    (thing) => thing.location !== undefined && normal(thing.location) !== normal(location),
  );
  const before = elsewhere[0]?.location;
  if (before === undefined) return [];
  return [
    {
      path: ['location'],
      value: JSON.stringify(location),
      what: `is not the region that the stack's things are in, ${before} (${listed(elsewhere)}), and nothing can be moved to another: all would be made anew`,
      remedy: `Set it back to ${before}; for another region, make another stack.`,
    },
  ];
}

/** `West Europe` and `westeurope` are one region. */
function normal(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

function listed(things: readonly Standing[]): string {
  return firstFew(things.map(({ name }) => name));
}
