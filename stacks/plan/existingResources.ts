import type { VaultAccess } from '../../components/vault/access';
import type { Configuration } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path } from '../settings/problem';
import type { ClusterSettings, ExistingGroupId, ExistingId, StackSettings } from '../settings/schema';
import type { ClusterPlan, VaultPlan } from '.';
import { existingIdentities } from '.';

interface ExistingThing<Existing = ExistingId> {
  /** Where the stack file names it. */
  readonly path: Path;
  readonly existing: Existing;
}

/** Something that a configuration says is there already. */
export type ExistingResource =
  | (ExistingThing<ExistingGroupId> & { readonly kind: 'resourceGroup' })
  | (ExistingThing & { readonly kind: 'identity' | 'workspace' })
  | (ExistingThing & { readonly kind: 'vault'; readonly access: VaultAccess; readonly accessPath: Path })
  | (ExistingThing & {
      readonly kind: 'cluster';
      readonly cluster: Extract<ClusterSettings, { mode: 'existing' }>;
      /** Where an application asks for mounted secrets; undefined if none does. */
      readonly secretsStore?: Path;
    });

/** Everything that a configuration says is there already, in the order of the stack file. */
export function existingThings({
  settings,
  plan,
}: Pick<Configuration, 'settings' | 'plan'>): ExistingResource[] {
  const group = settings.resourceGroup.existing;
  const workspace = settings.logs?.workspace.existing;
  return [
    ...existingGroup(['resourceGroup'], group),
    ...plan.servicesGroups.flatMap(({ existing }) => existingGroup(['services', 'resourceGroup'], existing)),
    ...(workspace === undefined
      ? []
      : [{ kind: 'workspace' as const, path: ['logs', 'workspace', 'existing'], existing: workspace }]),
    ...plan.vaults.flatMap((vault) => existingVault(settings, vault)),
    ...plan.clusters.flatMap((cluster, index) => [
      ...existingCluster(settings, cluster, index),
      ...existingIdentities(settings, cluster, index).map(({ path, existing }) => ({
        kind: 'identity' as const,
        path,
        existing,
      })),
    ]),
  ];
}

function existingGroup(path: Path, existing: ExistingGroupId | undefined): ExistingResource[] {
  return existing === undefined ? [] : [{ kind: 'resourceGroup', path: [...path, 'existing'], existing }];
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
  return [{ kind: 'vault', path: [...path, 'existing'], existing, access, accessPath: [...path, 'access'] }];
}

function existingCluster(
  settings: StackSettings,
  { settings: cluster, workloads }: ClusterPlan,
  index: number,
): ExistingResource[] {
  if (cluster.mode !== 'existing') return [];
  const mounting = workloads.find(({ application }) => application.delivery !== 'application');
  return [
    {
      kind: 'cluster',
      path: ['clusters', index, 'id'],
      existing: cluster.id,
      cluster,
      ...(mounting !== undefined && {
        secretsStore: ['applications', applicationIndex(settings, mounting.application.name), 'delivery'],
      }),
    },
  ];
}
