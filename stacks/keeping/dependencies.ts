import type { DependencyKind } from '../../components/dependency/service';
import { dependencyKinds } from '../../components/dependency/service';
import type { Problem } from '../configuration/problem';
import { normal } from '../existing/ids';
import type { DependencyPlan, EnvironmentPlan } from '../plan';
import { allowedDependencyBefore } from './allowedDeletions';
import type { OwnState } from './ownState';
import type { RecordedDependency } from './recordedDependencies';
import { groupIn, isSame, plannedName, recordedDependencies } from './recordedDependencies';

/** What each operator manages by the configuration, by its name in the stack. */
function managedBy(plan: EnvironmentPlan): ReadonlyMap<string, DependencyPlan> {
  return new Map(
    plan.clusters.flatMap(({ workloads }) =>
      workloads.flatMap(({ dependencies }) =>
        dependencies.filter(({ manages }) => manages).map((one) => [one.key, one] as const),
      ),
    ),
  );
}

/** The services that the cluster of the custom resource is about to let go of. */
function dropped(plan: EnvironmentPlan, state: OwnState): RecordedDependency[] {
  const managed = managedBy(plan);
  return recordedDependencies(state).filter(({ key, azureName, manages }) => {
    const planned = managed.get(key);
    return manages && (planned === undefined || plannedName(planned) !== azureName);
  });
}

/** Whether the configuration still has the service: by another name, or on another cluster. */
function isUsed(plan: EnvironmentPlan, recordedAs: RecordedDependency): boolean {
  return plan.clusters.some(({ workloads }) =>
    workloads.some(({ dependencies }) => dependencies.some((one) => isSame(one, recordedAs))),
  );
}

/**
 * A service that would be in another resource group: nothing can be moved there, and the custom resource would be made anew,
 * which deletes the service where that is allowed, and finds its name taken where it is not.
 */
export function movedProblems(plan: EnvironmentPlan, state: OwnState): Problem[] {
  const managed = managedBy(plan);
  return recordedDependencies(state).flatMap(
    ({ key, azureName, application, dependency, id, manages }): Problem[] => {
      const planned = managed.get(key);
      const group = groupIn(id);
      if (!manages || planned === undefined || group === undefined) return [];
      if (plannedName(planned) !== azureName || isElsewhere(planned)) return [];
      if (planned.group.toLowerCase() === group.toLowerCase()) return [];
      return [
        {
          path: ['applications'],
          value: JSON.stringify(azureName),
          what: `is in the group ${group}, and would be in ${planned.group} as ${dependency} of ${application}: nothing can be moved`,
          allowed: `the group that it is in`,
          remedy:
            'Set `services.resourceGroup`, or `provisioning` of the application, back to what it was; or give the dependency another `name`.',
        },
      ];
    },
  );
}

/** Its specification says where it is. */
function isElsewhere({ service }: DependencyPlan): boolean {
  return service.kind === 'resource' && service.spec.owner !== undefined;
}

/**
 * A service whose deletion is allowed, and which another cluster or another name would go on with: the operator deletes it in
 * Azure with the custom resource that managed it.
 */
export function handedOverProblems(plan: EnvironmentPlan, state: OwnState): Problem[] {
  return dropped(plan, state)
    .filter((one) => one.deletion === 'allowed' && isUsed(plan, one))
    .map(({ application, dependency, azureName, key }) => ({
      path: ['applications'],
      value: JSON.stringify(azureName),
      what: `is used further on, and would be deleted in Azure all the same: ${key.split('/')[0] ?? ''} no longer manages it as ${dependency} of ${application}, where its deletion is allowed`,
      allowed: 'handing over what is kept',
      remedy:
        'Put that back, set `deletion: kept` on the dependency, and run an update; the next one can hand it over.',
    }));
}

/**
 * A service that an update which failed was to keep, without coming to tell the operator: it would delete it in Azure all the
 * same.
 */
export function interruptedProblems(plan: EnvironmentPlan, state: OwnState): Problem[] {
  const wasAllowed = allowedDependencyBefore(state);
  return dropped(plan, state)
    .filter(({ key, deletion }) => deletion === 'allowed' && !wasAllowed(key))
    .map(({ application, dependency, azureName }) => ({
      path: ['applications'],
      value: JSON.stringify(azureName),
      what: `would be deleted in Azure: the update that was to keep it failed before the operator was told, and the configuration no longer has it as ${dependency} of ${application}`,
      allowed: 'removing it after an update that came to its end',
      remedy:
        'Put the dependency back, with the `deletion` that is meant, and run an update; the next one can remove it.',
    }));
}

/** Names in the stack of the services that this update deletes. */
export function deletedServices(plan: EnvironmentPlan, state: OwnState): string[] {
  return dropped(plan, state)
    .filter(({ deletion }) => deletion === 'allowed')
    .map(({ key }) => key);
}

/** What the user has to know of services that the configuration no longer has; each a warning. */
export function droppedWarnings(environment: string, plan: EnvironmentPlan, state: OwnState): string[] {
  const gone = dropped(plan, state).filter((one) => !isUsed(plan, one));
  const file = `Pulumi.${environment}.yaml`;
  const row = ({ kind, application, dependency, id }: RecordedDependency) =>
    `  ${labelOf(kind)}  ${application}/${dependency}  ${id}`;
  const message = (list: readonly RecordedDependency[], head: string, tail: string) =>
    list.length === 0 ? [] : [`${head}\n${list.map(row).join('\n')}\n${tail}`];
  const unique = [...new Map(gone.map((one) => [normal(one.id), one])).values()];
  return [
    ...message(
      unique.filter(({ deletion }) => deletion === 'kept'),
      'No application depends on these any more. What there is of them stays in Azure, and this stack forgets it:',
      `Put one back into ${file} under its name to use it again; to delete one: az resource delete --ids <id>.`,
    ),
    ...message(
      unique.filter(({ deletion }) => deletion === 'allowed'),
      'This update deletes in Azure, as the stack file allowed, what no application depends on any more:',
      `Put one back into ${file} to keep it.`,
    ),
  ];
}

function labelOf(kind: string): string {
  return Object.hasOwn(dependencyKinds, kind) ? dependencyKinds[kind as DependencyKind].label : kind;
}
