import type { VaultAccess } from '../../components/vault/access';
import type { Configuration } from '../configuration/configuration';
import { applicationIndex } from '../configuration/places';
import type { Path } from '../configuration/problem';
import type { StackSettings } from '../configuration/schema';
import type { ClusterPlan, NamedIdentityPlan, VaultPlan } from '../plan';

interface AdoptedThing {
  /** Where the stack file names it. */
  readonly path: Path;
  /** Its resource id. */
  readonly id: string;
}

/** Something that a configuration says is there already. */
export type Adopted =
  | (AdoptedThing & { readonly kind: 'resourceGroup' | 'identity' | 'workspace' })
  | (AdoptedThing & { readonly kind: 'vault'; readonly access: VaultAccess; readonly accessPath: Path })
  | (AdoptedThing & {
      readonly kind: 'cluster';
      /** What is off is switched on. */
      readonly enable: boolean;
      /** Where an application asks for mounted secrets; undefined if none does. */
      readonly secretsStore?: Path;
    });

/** Everything that a configuration says is there already, in the order of the stack file. */
export function adoptedThings({ settings, plan }: Pick<Configuration, 'settings' | 'plan'>): Adopted[] {
  const { resourceGroup, logs } = settings;
  const workspace = logs?.workspace.adopt;
  return [
    ...(typeof resourceGroup === 'string'
      ? []
      : [{ kind: 'resourceGroup' as const, path: ['resourceGroup', 'adopt'], id: resourceGroup.adopt }]),
    ...plan.servicesGroups.flatMap(({ adopt }) =>
      adopt === undefined
        ? []
        : [{ kind: 'resourceGroup' as const, path: ['services', 'resourceGroup', 'adopt'], id: adopt }],
    ),
    ...(workspace === undefined
      ? []
      : [{ kind: 'workspace' as const, path: ['logs', 'workspace', 'adopt'], id: workspace }]),
    ...plan.vaults.flatMap((vault) => adoptedVault(settings, vault)),
    ...plan.clusters.flatMap((cluster, index) => [
      ...existingCluster(settings, cluster, index),
      ...adoptedIdentities(settings, cluster, index),
    ]),
  ];
}

function adoptedVault(settings: StackSettings, { adopt, access, application }: VaultPlan): Adopted[] {
  if (adopt === undefined) return [];
  const path =
    application === undefined
      ? ['vault']
      : ['applications', applicationIndex(settings, application), 'vault'];
  return [{ kind: 'vault', path: [...path, 'adopt'], id: adopt, access, accessPath: [...path, 'access'] }];
}

function existingCluster(settings: StackSettings, plan: ClusterPlan, index: number): Adopted[] {
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

function adoptedIdentities(settings: StackSettings, plan: ClusterPlan, index: number): Adopted[] {
  return adoptedIdentityPaths(settings, plan, index).map((one) => ({ kind: 'identity', ...one }));
}

/** The adopted identities of a cluster, and where the stack file names each. */
export function adoptedIdentityPaths(
  settings: StackSettings,
  { settings: cluster, identities, operator }: ClusterPlan,
  index: number,
): AdoptedThing[] {
  const [own, ...others] = identities;
  const at = (plan: NamedIdentityPlan | undefined, path: Path): AdoptedThing[] =>
    plan?.adopt === undefined ? [] : [{ path, id: plan.adopt }];
  return [
    ...at(own, ['clusters', index, 'identity', 'adopt']),
    ...at(operator, ['clusters', index, 'operatorIdentity', 'adopt']),
    ...others.flatMap((plan) =>
      at(plan, [
        'applications',
        applicationIndex(settings, plan.applications[0]),
        'identity',
        'adopt',
        cluster.name,
      ]),
    ),
  ];
}
