import * as pulumi from '@pulumi/pulumi';
import { fieldsOf, itemsOf } from '../../components/cluster/fields';
import type { Problem } from '../configuration/problem';
import type { DependencyPlan, EnvironmentPlan } from '../plan';
import type { OwnState } from './ownState';
import type { RecordedDependency } from './recordedDependencies';
import { customResources, isSame, plannedName, recordedDependencies } from './recordedDependencies';

/** Names in the stack that services had before, the last one first, by those that they have now. */
export type NamesBefore = ReadonlyMap<string, readonly string[]>;

/**
 * The names before, written down before anything else is done: an update that fails has renamed some of a service's things
 * and not the others, and the next one has to know both names.
 */
export class RenamedDependencies extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:stacks:RenamedDependencies';

  constructor(renamed: NamesBefore) {
    super(RenamedDependencies.token, 'renamed-dependencies');
    this.registerOutputs({ renamed: Object.fromEntries(renamed) });
  }
}

/**
 * Services that have another name on a cluster, or are another application's there. As things of another name, their role
 * assignments would be made before the old ones go, which Azure refuses, and what gives access would go after it was made
 * anew.
 */
export function renamedDependencies(plan: EnvironmentPlan, state: OwnState): NamesBefore {
  return new Map(
    [...everyName(plan, state)].flatMap(([key, names]): [string, string[]][] => {
      const free = names.filter((name) => !isPlanned(plan, name));
      return free.length === 0 ? [] : [[key, free]];
    }),
  );
}

/** Also names that others are to have now. */
function everyName(plan: EnvironmentPlan, state: OwnState): NamesBefore {
  const written = fieldsOf(
    state.resources.find(({ type }) => type === RenamedDependencies.token)?.outputs.renamed,
  );
  const now = renamedNow(plan, state);
  const before = new Map(recordedDependencies(state).map((one) => [one.key, one]));
  return new Map(
    everyDependency(plan).map((one): [string, string[]] => {
      const { key } = one;
      const last = now.get(key) ?? [];
      const isNoOther = (name: string) => {
        const there = before.get(name);
        return there === undefined || isSame(one, there);
      };
      // What an update before renamed, as far as it came to; of what is renamed again, under the name that it had then.
      const older = [key, ...last]
        .filter(isNoOther)
        .flatMap((name) => itemsOf(written[name]))
        .filter(isText)
        .filter((name) => isNoOther(name) && hasThings(name, state));
      const names = new Set([...last, ...older]);
      return [key, [...names].filter((name) => name !== key)];
    }),
  );
}

function renamedNow(plan: EnvironmentPlan, state: OwnState): ReadonlyMap<string, string[]> {
  const before = recordedDependencies(state);
  const keys = new Set(before.map(({ key }) => key));
  const renamed = new Map<string, string[]>();
  for (const { settings, workloads } of plan.clusters) {
    const free = before.filter((one) => isOn(settings.name, one));
    const others = workloads.flatMap(({ dependencies }) => dependencies).filter(({ key }) => !keys.has(key));
    for (const one of others) {
      const index = free.findIndex((recordedAs) => isSame(one, recordedAs));
      // Each stands for one.
      const [old] = index < 0 ? [] : free.splice(index, 1);
      if (old !== undefined) renamed.set(one.key, [old.key]);
    }
  }
  return renamed;
}

/**
 * A service that takes the name of another one, which has things under that name: neither can be told from the other by its
 * name, and access to it would be made before the old one goes.
 */
export function takenNameProblems(plan: EnvironmentPlan, state: OwnState): Problem[] {
  const before = recordedDependencies(state);
  const names = everyName(plan, state);
  return plan.clusters.flatMap(({ settings, workloads }) => {
    const there = before.filter((one) => isOn(settings.name, one));
    return workloads.flatMap(({ dependencies }) =>
      dependencies.flatMap((one): Problem[] => {
        const holder = there.find(({ key }) => key === one.key);
        const isOthers =
          holder !== undefined &&
          !isSame(one, holder) &&
          there.some((other) => other.key !== one.key && isSame(one, other));
        const taken = names.get(one.key)?.find((name) => isPlanned(plan, name));
        if (isOthers)
          return [
            takenName(one, `would be ${one.key}, the name that ${holder.azureName} has until this update`),
          ];
        if (taken === undefined) return [];
        return [
          takenName(
            one,
            `was ${taken} and would be ${one.key}, while another service takes the name that it had`,
          ),
        ];
      }),
    );
  });
}

function takenName(one: DependencyPlan, what: string): Problem {
  return {
    ...{ path: ['applications'], value: JSON.stringify(plannedName(one)), what },
    allowed: 'a name that no other service has before this update or after it',
    remedy: 'Give one of the two yet another name; or rename in one update, and take the name in the next.',
  };
}

/** API versions that the operator's custom resources have, by their names in the stack. */
export function apiVersionsBefore(state: OwnState): ReadonlyMap<string, string> {
  return new Map(customResources(state).map(({ name, group, version }) => [name, `${group}/${version}`]));
}

function everyDependency({ clusters }: EnvironmentPlan): DependencyPlan[] {
  return clusters.flatMap(({ workloads }) => workloads.flatMap(({ dependencies }) => dependencies));
}

function isPlanned(plan: EnvironmentPlan, name: string): boolean {
  return everyDependency(plan).some(({ key }) => key === name);
}

/** After an update that failed, one can have its new name and tell of itself what it was before. */
function isOn(name: string, { key, cluster, application, dependency }: RecordedDependency): boolean {
  return cluster === undefined ? key === `${name}-${application}/${dependency}` : cluster === name;
}

/** Whether a thing of the stack is of the dependency: it has its name, or one that begins with it. */
function isOf(dependency: string, name: string): boolean {
  return name === dependency || name.startsWith(`${dependency}/`);
}

function hasThings(dependency: string, state: OwnState): boolean {
  return state.resources.some(({ name }) => isOf(dependency, name));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
