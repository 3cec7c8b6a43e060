import * as pulumi from '@pulumi/pulumi';
import type { StackSettings } from '../configuration/schema';
import type { EnvironmentPlan } from '../plan';
import { everyIdentity } from '../plan';
import { keptKinds } from './kinds';
import type { OwnState } from './ownState';

/**
 * What the update that is running would allow the next one to delete. It is written down before anything else is done:
 * what is kept after all is registered as such by an update that fails as well, while its components still say what
 * the update before allowed.
 */
export class AllowedDeletions extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:stacks:AllowedDeletions';

  /** @param deletedServices what this update deletes: it may fail before it comes to that */
  constructor(settings: StackSettings, plan: EnvironmentPlan, deletedServices: readonly string[]) {
    super(AllowedDeletions.token, 'allowed-deletions');
    this.registerOutputs({
      components: allowedComponents(settings, plan),
      dependencies: [...allowedDependencies(plan), ...deletedServices].sort(),
    });
  }
}

/** Type token and name of each component whose things may be deleted, sorted. */
function allowedComponents({ logs, deletion }: StackSettings, plan: EnvironmentPlan): string[] {
  const { cluster, identity, vault, workspace } = keptKinds;
  const all = [
    { key: `${workspace.component}::${logs?.workspace.name ?? ''}`, deletion },
    ...plan.vaults.map((one) => ({ key: `${vault.component}::${one.name}`, deletion: one.deletion })),
    ...plan.clusters.flatMap((one) => [
      { key: `${cluster.component}::${one.settings.name}`, deletion: one.deletion },
      ...everyIdentity(one).map(({ key, deletion: own }) => ({
        key: `${identity.component}::${key}`,
        deletion: own,
      })),
    ]),
  ];
  return all.flatMap((one) => (one.deletion === 'allowed' ? [one.key] : [])).sort();
}

/** Name in the stack of each service that is deleted where the program no longer has it. */
function allowedDependencies({ clusters }: EnvironmentPlan): string[] {
  const all = clusters.flatMap(({ workloads }) => workloads.flatMap(({ dependencies }) => dependencies));
  return all.filter(({ manages, deletion }) => manages && deletion === 'allowed').map(({ key }) => key);
}

/** Whether the update before, also if it failed, allowed to delete the service; older programs do not say. */
export function allowedDependencyBefore(state: OwnState): (key: string) => boolean {
  const written = state.resources.find(({ type }) => type === AllowedDeletions.token)?.outputs.dependencies;
  if (!Array.isArray(written)) return () => true;
  const allowed = new Set(written);
  return (key) => allowed.has(key);
}

/** Whether the update before, also if it failed, allowed to delete what is in the component; older programs do not say. */
export function allowedBefore(state: OwnState): (token: string, component: string) => boolean {
  const written = state.resources.find(({ type }) => type === AllowedDeletions.token)?.outputs.components;
  if (!Array.isArray(written)) return () => true;
  const allowed = new Set(written);
  return (token, component) => allowed.has(`${token}::${component}`);
}
