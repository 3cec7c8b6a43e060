import type { Problem } from '../configuration/problem';
import { isRecord } from '../configuration/record';
import type { Deletion, StackSettings } from '../configuration/schema';
import { adoptedIds, normal } from '../existing/ids';
import type { EnvironmentPlan } from '../plan';
import { everyIdentity } from '../plan';
import { allowedBefore } from './allowedDeletions';
import { componentOf, idOf, idsThatDelete, vaultOf } from './ids';
import type { KeptKind } from './kinds';
import { clusterToken, keptKinds, keyOf, kindNames, plannedComponents, plannedKeys } from './kinds';
import type { OwnState } from './ownState';

/** A thing that the stack has and the configuration no longer makes. */
export interface KeptThing {
  readonly kind: KeptKind;
  /** Name in the stack. */
  readonly name: string;
  readonly urn: string;
  /** Resource id, where the stack knows it. */
  readonly id: string | undefined;
  /** Name of the component that it is in, and of the one that this is in. */
  readonly component: string;
  readonly parent: string | undefined;
  /** The configuration has a component of that name, which adopts something in its place. */
  readonly apart: boolean;
  /** allowed: `deletions` names it, and the next update deletes it. */
  readonly deletion: Deletion;
  /** The configuration uses it all the same: as adopted, or as a secret that has no value here. */
  readonly used: boolean;
}

/** What becomes of everything that the stack has and the configuration no longer makes. */
export interface KeptPlan {
  /** Registered again, and left as they are. */
  readonly things: readonly KeptThing[];
  /** Deleted by this update: not registered. */
  readonly deleted: readonly Pick<KeptThing, 'kind' | 'name' | 'id'>[];
  /** Entries of `deletions` that name nothing which the stack keeps. */
  readonly gone: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * What is removed from the configuration stays, unless its deletion was allowed. That is decided by what an earlier
 * update recorded, since only what was registered as such is really deleted: by `deletion` of the thing while it was
 * still there, or by `deletions`, which takes two updates for that reason.
 */
export function planKept(settings: StackSettings, plan: EnvironmentPlan, state: OwnState): KeptPlan {
  const planned = plannedKeys(settings, plan);
  const components = plannedComponents(settings, plan);
  const listed = new Set(settings.deletions.map(normal));
  const released = releasedBefore(state);
  const adopted = new Set(adoptedIds(settings, plan).map(normal));
  const namedSecrets = new Set(
    plan.vaults.flatMap(({ name, secrets }) => secrets.map((secret) => `${name}/${secret}`)),
  );
  const things: KeptThing[] = [];
  const deleted: Pick<KeptThing, 'kind' | 'name' | 'id'>[] = [];
  const seen = new Set<string>();
  const allowed = allowedBefore(state);
  for (const kind of kindNames) {
    for (const { type, name, urn } of state.resources) {
      if (type !== keptKinds[kind].token || planned.has(keyOf(kind, name))) continue;
      const { component, recorded, parent } = ownerOf(kind, name, state, allowed);
      const id = idOf(kind, name, state, settings);
      const used =
        (id !== undefined && adopted.has(normal(id))) || (kind === 'secret' && namedSecrets.has(name));
      const listedHere = idsThatDelete(kind, name, state, settings).some((one) => listed.has(normal(one)));
      if (id !== undefined) seen.add(normal(id));
      if (!used && (recorded === 'allowed' || (listedHere && id !== undefined && released.has(normal(id))))) {
        deleted.push({ kind, name, id });
      } else {
        const deletion = listedHere && !used ? 'allowed' : 'kept';
        const apart = kind !== 'secret' && components.has(`${keptKinds[kind].component ?? ''}::${component}`);
        things.push({ kind, name, urn, id, component, parent, apart, deletion, used });
      }
    }
  }
  return {
    things,
    deleted,
    gone: settings.deletions.filter((id) => !seen.has(normal(id))),
    problems: groupProblems(settings, things),
  };
}

/** The group that is made is deleted with all that is in it: only where the deletion of all of that is allowed. */
export function groupDeletion(
  settings: StackSettings,
  plan: EnvironmentPlan,
  { things }: KeptPlan,
): Deletion {
  const made = [
    ...plan.vaults.filter(({ adopt }) => adopt === undefined),
    ...plan.clusters.filter(({ settings: cluster }) => cluster.mode === 'create'),
    ...plan.clusters.flatMap((cluster) => everyIdentity(cluster).filter(({ adopt }) => adopt === undefined)),
  ];
  const allowed = settings.deletion === 'allowed' && made.every(({ deletion }) => deletion === 'allowed');
  return allowed && things.every(({ deletion }) => deletion === 'allowed') ? 'allowed' : 'kept';
}

/** A group is deleted with all that is in it. */
function groupProblems(settings: StackSettings, things: readonly KeptThing[]): Problem[] {
  return things
    .filter(({ kind, deletion }) => kind === 'group' && deletion === 'allowed')
    .flatMap(({ id }) => {
      const within = `${normal(id ?? '')}/`;
      const inside = things.filter(
        (thing) => thing.deletion === 'kept' && thing.id !== undefined && normal(thing.id).startsWith(within),
      );
      const index = settings.deletions.findIndex((one) => normal(one) === normal(id ?? ''));
      if (inside.length === 0) return [];
      return [
        {
          path: ['deletions', index],
          value: JSON.stringify(id),
          what: `is a group, and would be deleted with what is kept in it: ${inside.map(({ name }) => name).join(', ')}`,
          remedy: 'Name them as well, or remove this entry.',
        },
      ];
    });
}

function ownerOf(
  kind: KeptKind,
  name: string,
  state: OwnState,
  allowed: ReturnType<typeof allowedBefore>,
): { component: string; recorded: Deletion; parent: string | undefined } {
  const { component: token } = keptKinds[kind];
  const component = kind === 'secret' ? vaultOf(name) : name;
  if (token === undefined) return { component, recorded: 'kept', parent: undefined };
  const before = componentOf(kind, name, state);
  const wasAllowed = state.text(token, before, 'deletion') === 'allowed' && allowed(token, before);
  return {
    component,
    recorded: wasAllowed ? 'allowed' : 'kept',
    parent: parentOf(kind, token, component, state),
  };
}

/** Name of the component around a component; a URN has only its type. */
function parentOf(kind: KeptKind, token: string, component: string, state: OwnState): string | undefined {
  const recorded = state.text(token, component, 'parent')?.split('::').at(-1);
  if (recorded !== undefined) return recorded;
  if (kind === 'cluster') return component;
  if (kind !== 'identity') return undefined;
  // Before parents were recorded: the cluster that the identity's name begins with.
  return state.resources
    .filter(
      ({ type, name }) => type === clusterToken && (component === name || component.startsWith(`${name}-`)),
    )
    .map(({ name }) => name)
    .sort((a, b) => b.length - a.length)[0];
}

/** Ids of what an earlier update registered so that the next one can delete it. */
function releasedBefore({ exported }: OwnState): ReadonlySet<string> {
  const kept: unknown = exported.kept;
  if (!Array.isArray(kept)) return new Set();
  return new Set(
    kept.flatMap((entry: unknown) =>
      isRecord(entry) && entry.deletion === 'allowed' && typeof entry.id === 'string'
        ? [normal(entry.id)]
        : [],
    ),
  );
}
