import { keyIn } from '../../stacks/access/registered';
import type { Parts } from '../../stacks/dryRun/request';

// Moves resources between the states of the stacks of an environment. `pulumi state move` changes the URN of a resource whose parent
// stays, and the next update would replace the resource.

/** A resource in an exported state. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  /** True if a provider manages it; false for components and the stack itself. */
  readonly custom?: boolean | undefined;
  readonly parent?: string | undefined;
  /** URN of its provider, with the provider's id after `::`. */
  readonly provider?: string | undefined;
  readonly dependencies?: readonly string[] | null | undefined;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>> | null | undefined;
  readonly deletedWith?: string | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
}

/** The resources of each stack, by its name. */
export type States = ReadonlyMap<string, readonly StateResource[]>;

/** The move of one resource, for people. */
interface Move {
  readonly from: string;
  readonly to: string;
  /** `<type>::<name>`. */
  readonly resource: string;
}

export interface Moved {
  readonly moves: readonly Move[];
  /**
   * The new resources of the stacks that change, in the order of their import. First come all that get resources and then all that
   * lose some; a stack that does both comes twice. So each resource is in a state at any time.
   */
  readonly imports: readonly (readonly [stack: string, resources: readonly StateResource[]])[];
}

const rootType = 'pulumi:pulumi:Stack';

/**
 * Moves each resource to the state of the stack that registers it. Components and providers that the resources need there are
 * copied. A resource that no stack registers follows its parent or its provider, and the next update deletes it.
 * @throws Error before anything is written if a state would lack the parent or the provider of a resource
 */
export function moveResources(states: States, parts: Parts): Moved {
  const registered = new Map(Object.entries(parts).map(([stack, keys]) => [stack, new Set(keys)]));
  const moves = [...states].flatMap(([from, resources]) => movesFrom(from, resources, registered));
  const receiving = [...new Set(moves.map(({ to }) => to))];
  const losing = [...new Set(moves.map(({ from }) => from))];
  const received = receiving.map((to): [string, StateResource[]] => [
    to,
    losing.reduce(
      (current, from) => withMoved(current, states.get(from) ?? [], { from, to, moves }),
      [...(states.get(to) ?? [])],
    ),
  ]);
  const all = new Map([...states, ...received]);
  const left = losing.map((stack): [string, StateResource[]] => {
    const gone = new Set(moves.filter(({ from }) => from === stack).map(({ resource }) => resource));
    const kept = (all.get(stack) ?? []).filter(({ urn }) => !gone.has(keyIn(urn)));
    // The outputs of the last update name what has moved.
    return [
      stack,
      withoutDangling(
        kept.map((resource) => (resource.type === rootType ? { ...resource, outputs: {} } : resource)),
      ),
    ];
  });
  const imports = [...received, ...left];
  for (const [stack, resources] of imports) assertWhole(stack, resources);
  return { moves, imports };
}

function movesFrom(
  from: string,
  resources: readonly StateResource[],
  registered: ReadonlyMap<string, ReadonlySet<string>>,
): Move[] {
  const targets = new Map<string, readonly string[]>();
  // Parents and providers come before what needs them.
  for (const { urn, type, parent, provider } of resources) {
    const key = keyIn(urn);
    const homes = [...registered].filter(([, keys]) => keys.has(key)).map(([stack]) => stack);
    const followed = [parent, provider && urnOfProvider(provider)].flatMap(
      (needed) => targets.get(needed ?? '') ?? [],
    );
    if (type === rootType || homes.includes(from)) continue;
    const to = homes.length > 0 ? homes : [...new Set(followed)].slice(0, 1);
    if (to.length > 0) targets.set(urn, to);
  }
  return [...targets].flatMap(([urn, stacks]) => stacks.map((to) => ({ from, to, resource: keyIn(urn) })));
}

/** The engine refuses such a state. */
function assertWhole(stack: string, resources: readonly StateResource[]): void {
  const urns = new Set(resources.map(({ urn }) => urn));
  for (const { urn, parent, provider } of resources)
    for (const needed of [parent, provider && urnOfProvider(provider)])
      if (needed !== undefined && needed !== '' && !urns.has(needed))
        throw new Error(`the state of ${stack} would have ${urn} without ${needed}`);
}

/** Returns the resources of the stack `to` with those that move there from the stack `from`. */
function withMoved(
  current: readonly StateResource[],
  source: readonly StateResource[],
  { from, to, moves }: { readonly from: string; readonly to: string; readonly moves: readonly Move[] },
): StateResource[] {
  const moving = new Set(
    moves.filter((move) => move.from === from && move.to === to).map(({ resource }) => resource),
  );
  const there = new Set(current.map(({ urn }) => keyIn(urn)));
  const needed = closure(source, moving);
  const rename = renaming(source, from, to);
  const root = current.length === 0 ? source.filter(({ type }) => type === rootType) : [];
  const added = source.filter(({ urn, type }) => {
    const key = keyIn(urn);
    return type !== rootType && needed.has(key) && !there.has(key);
  });
  return withoutDangling([
    ...root.map((resource) => rename({ ...resource, outputs: {} })),
    ...current,
    ...added.map(rename),
  ]);
}

/** Returns the keys with those of the resources' parents and providers. */
function closure(resources: readonly StateResource[], keys: ReadonlySet<string>): ReadonlySet<string> {
  const needed = new Set(keys);
  // Parents and providers come before what needs them.
  for (const { urn, parent, provider } of resources.toReversed()) {
    if (!needed.has(keyIn(urn))) continue;
    if (parent !== undefined) needed.add(keyIn(parent));
    if (provider !== undefined) needed.add(keyIn(urnOfProvider(provider)));
  }
  return needed;
}

/** Returns a function that gives a resource, and all URNs in it, the name of another stack. */
function renaming(resources: readonly StateResource[], from: string, to: string) {
  const root = resources.find(({ type }) => type === rootType)?.urn ?? '';
  const newRoot = root
    .replace(`urn:pulumi:${from}::`, `urn:pulumi:${to}::`)
    .replace(new RegExp(`-${escaped(from)}$`), `-${to}`);
  return (resource: StateResource): StateResource =>
    JSON.parse(
      JSON.stringify(resource)
        .replaceAll(JSON.stringify(root), JSON.stringify(newRoot))
        .replaceAll(`urn:pulumi:${from}::`, `urn:pulumi:${to}::`),
    ) as StateResource;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Removes references to resources that are not in the state. The next update adds those that the program has. */
function withoutDangling(resources: readonly StateResource[]): StateResource[] {
  const urns = new Set(resources.map(({ urn }) => urn));
  const isThere = (urn: string) => urns.has(urn);
  return resources.map(({ dependencies, propertyDependencies, deletedWith, ...rest }) => ({
    ...rest,
    ...(dependencies && { dependencies: dependencies.filter(isThere) }),
    ...(propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([name, on]) => [name, (on ?? []).filter(isThere)]),
      ),
    }),
    ...(deletedWith !== undefined && isThere(deletedWith) && { deletedWith }),
  }));
}

/** Returns the URN in a reference to a provider, which ends with the provider's id. */
const urnOfProvider = (reference: string): string => reference.split('::').slice(0, -1).join('::');
