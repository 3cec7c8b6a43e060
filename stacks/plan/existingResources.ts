import type { VaultAccess } from '../../components/vault/access';
import type { Configuration } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import type { ClusterPlan, NamedIdentityPlan, VaultPlan } from '.';

interface ExistingThing {
  /** Where the stack file names it. */
  readonly path: Path;
  /** Its resource id. */
  readonly id: string;
}

/** Something that a configuration says is there already. */
export type ExistingResource =
  | (ExistingThing & { readonly kind: 'resourceGroup' | 'identity' | 'workspace' })
  | (ExistingThing & { readonly kind: 'vault'; readonly access: VaultAccess; readonly accessPath: Path })
  | (ExistingThing & {
      readonly kind: 'cluster';
      /** What is off is switched on. */
      readonly enable: boolean;
      /** Where an application asks for mounted secrets; undefined if none does. */
      readonly secretsStore?: Path;
    });

/** Everything that a configuration says is there already, in the order of the stack file. */
export function existingThings({
  settings,
  plan,
}: Pick<Configuration, 'settings' | 'plan'>): ExistingResource[] {
  const { resourceGroup, logs } = settings;
  const workspace = logs?.workspace.existing;
  return [
    ...(typeof resourceGroup === 'string'
      ? []
      : [
          { kind: 'resourceGroup' as const, path: ['resourceGroup', 'existing'], id: resourceGroup.existing },
        ]),
    ...plan.servicesGroups.flatMap(({ existing }) =>
      existing === undefined
        ? []
        : [{ kind: 'resourceGroup' as const, path: ['services', 'resourceGroup', 'existing'], id: existing }],
    ),
    ...(workspace === undefined
      ? []
      : [{ kind: 'workspace' as const, path: ['logs', 'workspace', 'existing'], id: workspace }]),
    ...plan.vaults.flatMap((vault) => existingVault(settings, vault)),
    ...plan.clusters.flatMap((cluster, index) => [
      ...existingCluster(settings, cluster, index),
      ...existingIdentities(settings, cluster, index),
    ]),
  ];
}

function existingVault(
  settings: StackSettings,
  { existing, access, application }: VaultPlan,
): ExistingResource[] {
  if (existing === undefined) return [];
  const path =
    application === undefined
      ? ['vault']
      : ['applications', applicationIndex(settings, application), 'vault'];
  return [
    { kind: 'vault', path: [...path, 'existing'], id: existing, access, accessPath: [...path, 'access'] },
  ];
}

function existingCluster(settings: StackSettings, plan: ClusterPlan, index: number): ExistingResource[] {
  const { mode, id, enable } = plan.settings;
  if (mode !== 'existing' || id === undefined) return [];
  const mounting = plan.workloads.find(({ application }) => application.delivery !== 'application');
  return [
    {
      kind: 'cluster',
      path: ['clusters', index, 'id'],
      id,
      enable: enable === true,
      ...(mounting !== undefined && {
        secretsStore: ['applications', applicationIndex(settings, mounting.application.name), 'delivery'],
      }),
    },
  ];
}

function existingIdentities(settings: StackSettings, plan: ClusterPlan, index: number): ExistingResource[] {
  return existingIdentityPaths(settings, plan, index).map((one) => ({ kind: 'identity', ...one }));
}

/** The existing identities of a cluster, and where the stack file names each. */
export function existingIdentityPaths(
  settings: StackSettings,
  { settings: cluster, identities, operator }: ClusterPlan,
  index: number,
): ExistingThing[] {
  const [own, ...others] = identities;
  const at = (plan: NamedIdentityPlan | undefined, path: Path): ExistingThing[] =>
    plan?.existing === undefined ? [] : [{ path, id: plan.existing }];
  return [
    ...at(own, ['clusters', index, 'identity', 'existing']),
    ...at(operator, ['clusters', index, 'operatorIdentity', 'existing']),
    ...others.flatMap((plan) =>
      at(plan, [
        'applications',
        applicationIndex(settings, plan.applications[0]),
        'identity',
        'existing',
        cluster.name,
      ]),
    ),
  ];
}
