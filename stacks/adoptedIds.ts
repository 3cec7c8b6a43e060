import type { EnvironmentPlan } from './plan';
import type { StackSettings } from './schema';

/** Azure compares ids without regard to case. */
export function normal(id: string): string {
  return id.toLowerCase().replace(/\/+$/, '');
}

/** Ids of what the configuration uses and does not make. */
export function adoptedIds(settings: StackSettings, plan: EnvironmentPlan): string[] {
  const { resourceGroup, logs } = settings;
  return [
    typeof resourceGroup === 'object' ? resourceGroup.adopt : undefined,
    logs?.workspace.adopt,
    ...plan.vaults.map(({ adopt }) => adopt),
    ...plan.clusters.flatMap(({ settings: cluster, identities, operator }) => [
      cluster.mode === 'existing' ? cluster.id : undefined,
      ...[...identities, operator].map(({ adopt }) => adopt),
    ]),
  ].flatMap((id) => (id === undefined ? [] : [id]));
}
