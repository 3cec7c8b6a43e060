import { clusterType, identityType, vaultType, workspaceType } from '../../../components/azure/resourceId';
import { adoptedIds, normal } from '../../existing/ids';
import type { EnvironmentPlan } from '../../plan';
import { everyIdentity } from '../../plan';
import type { StackSettings } from '../schema';
import type { Check } from './context';

/**
 * What the configuration makes or uses is not deleted by listing it: it would be made again by the next update, or be
 * missing there. Which subscription is deployed to is not known here, so what is made is compared by its group and name.
 */
export const deletionsOfConfigured: Check = ({ settings, plan, broken }) => {
  if (broken.has('deletions')) return [];
  const used = new Set(adoptedIds(settings, plan).map(normal));
  const made = new Set(madeIn(settings, plan).map((path) => path.toLowerCase()));
  return settings.deletions.flatMap((id, index) => {
    const path = normal(id).replace(/^\/subscriptions\/[^/]+/, '');
    if (!made.has(path) && !used.has(normal(id)) && !isSecretOf(used, plan, normal(id))) return [];
    return [
      {
        path: ['deletions', index],
        value: JSON.stringify(id),
        what: 'is still in the configuration',
        allowed: 'what was removed from it, and is kept',
        remedy: 'Remove it from the configuration and run an update first, or remove this entry.',
      },
    ];
  });
};

/** Ids without their subscription. */
function madeIn(settings: StackSettings, plan: EnvironmentPlan): string[] {
  const { resourceGroup, logs } = settings;
  const name = typeof resourceGroup === 'string' ? resourceGroup : (resourceGroup.adopt.split('/')[4] ?? '');
  const group = `/resourceGroups/${name}`;
  const inGroup = (type: string, resource: string) => `${group}/providers/${type}/${resource}`;
  return [
    group,
    ...plan.servicesGroups.map((one) => `/resourceGroups/${one.name}`),
    ...(logs?.workspace.name === undefined ? [] : [inGroup(workspaceType, logs.workspace.name)]),
    ...plan.vaults
      .filter(({ adopt }) => adopt === undefined)
      .flatMap(({ name: vault, secrets }) => {
        const id = inGroup(vaultType, vault);
        return [id, ...secrets.map((secret) => `${id}/secrets/${secret}`)];
      }),
    ...plan.clusters.flatMap((cluster) => [
      ...(cluster.settings.mode === 'create' ? [inGroup(clusterType, cluster.settings.name)] : []),
      ...everyIdentity(cluster)
        .filter(({ adopt }) => adopt === undefined)
        .map(({ azureName }) => inGroup(identityType, azureName)),
    ]),
  ];
}

/** Whether it is a secret that applications name, of a vault that is adopted. */
function isSecretOf(used: ReadonlySet<string>, { vaults }: EnvironmentPlan, id: string): boolean {
  const [, vault = '', secret = ''] = /^(.*)\/secrets\/([^/]+)$/.exec(id) ?? [];
  return (
    used.has(vault) &&
    vaults.some(
      ({ adopt, secrets }) =>
        adopt !== undefined &&
        normal(adopt) === vault &&
        secrets.some((name) => name.toLowerCase() === secret),
    )
  );
}
