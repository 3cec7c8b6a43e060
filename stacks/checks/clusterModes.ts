import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ClusterSettings } from '../settings/schema';
import type { Check } from './context';
import { repeated } from './context';

type Mode = ClusterSettings['mode'];

/** The modes in which what a cluster says of itself has a meaning; what is not named has one in each. */
const meaningful: Partial<Record<keyof ClusterSettings, readonly Mode[]>> = {
  id: ['existing'],
  enable: ['existing'],
  issuer: ['external'],
  kubernetesVersion: ['create'],
  nodes: ['create'],
  tier: ['create'],
  administratorGroups: ['create'],
  authorizedIpRanges: ['create'],
  tags: ['create'],
};

/** What each mode cannot do without. */
const needed: Record<Mode, { field: 'id' | 'issuer'; allowed: string; remedy: string } | undefined> = {
  create: undefined,
  existing: {
    field: 'id',
    allowed: 'the resource id of the cluster',
    remedy: 'Add it: `az aks show --query id` prints it.',
  },
  external: {
    field: 'issuer',
    allowed: 'an https:// URL',
    remedy:
      "Add it: `kubectl get --raw /.well-known/openid-configuration` prints the cluster's, which Entra must reach.",
  },
};

export const clusterModeFields: Check = ({ settings, clusterPath }) =>
  settings.clusters.flatMap((cluster, index): Problem[] => {
    const path = clusterPath(index);
    const { mode } = cluster;
    const missing = needed[mode];
    const foreign = Object.entries(meaningful).flatMap(([field, modes]): Problem[] =>
      field in cluster && cluster[field as keyof ClusterSettings] !== undefined && !modes.includes(mode)
        ? [
            {
              path: [...path, field],
              what: `has no meaning for a cluster of mode ${mode}`,
              allowed: `only for mode ${modes.join(', ')}`,
              remedy: `Remove it, or set \`mode: ${modes.join(' or ')}\`.`,
            },
          ]
        : [],
    );
    if (missing === undefined || cluster[missing.field] !== undefined) return foreign;
    return [
      ...foreign,
      {
        path: [...path, missing.field],
        what: `is missing for a cluster of mode ${mode}`,
        allowed: missing.allowed,
        remedy: missing.remedy,
      },
    ];
  });

/** One cluster under two names would have everything twice, under the same names. */
export const distinctClusters: Check = ({ settings, clusterPath }) =>
  (['id', 'issuer'] as const).flatMap((field) => {
    const named = settings.clusters.flatMap((cluster, index) => {
      const value = cluster[field];
      return value === undefined ? [] : [{ value, index }];
    });
    return repeated(named, ({ value }) => value.toLowerCase()).map(({ item, first }) => ({
      path: [...clusterPath(item.index), field],
      value: JSON.stringify(item.value),
      what: `is the ${field} of ${formatPath(clusterPath(named[first]?.index ?? 0))} already`,
      remedy: 'Remove one of the two clusters.',
    }));
  });

/** Kubeconfigs for exactly the clusters of which Azure has none. */
export const kubeconfigs: Check = ({ settings, clusterPath, broken }) => {
  if (broken.has('kubeconfigs') || broken.has('clusters')) return [];
  const external = settings.clusters.flatMap(({ name, mode }, index) =>
    mode === 'external' ? [{ name, index }] : [],
  );
  return [
    ...external
      .filter(({ name }) => !(name in settings.kubeconfigs))
      .map(({ name, index }) => ({
        path: ['kubeconfigs', name],
        what: `is missing: ${formatPath(clusterPath(index))} is a cluster of mode external`,
        allowed: 'the kubeconfig of an administrator, encrypted',
        remedy: `Set it with \`pulumi config set --secret --path 'kubeconfigs.${name}' < <file>\`.`,
      })),
    ...Object.keys(settings.kubeconfigs)
      .filter((name) => external.every((cluster) => cluster.name !== name))
      .map((name) => ({
        path: ['kubeconfigs', name],
        what: 'is of no cluster of mode external',
        allowed: external.length === 0 ? 'no kubeconfig' : external.map((cluster) => cluster.name).join(', '),
        remedy: `Remove it with \`pulumi config rm --path 'kubeconfigs.${name}'\`; of managed clusters, Azure gives them.`,
      })),
  ];
};
