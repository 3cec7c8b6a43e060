import { isValidName, nameRule } from '../../components/azure/naming';
import { everyIdentity, operatorKey, shards } from '../plan';
import { formatPath } from '../settings/problem';
import { check, repeated } from './context';
import { unknownCluster } from './selections';

export const uniqueClusters = check([], ({ clusters }, { clusterPath }) =>
  repeated(clusters, ({ name }) => name).map(({ item, index, firstIndex }) => ({
    path: [...clusterPath(index), 'name'],
    value: JSON.stringify(item.name),
    what: `is the name of ${formatPath(clusterPath(firstIndex))} already`,
    remedy: 'Give each cluster its own name.',
  })),
);

/** One cluster under two names would have everything twice, under the same names. */
export const distinctClusters = check([], ({ clusters }, { clusterPath }) => {
  const named = clusters.flatMap((cluster, index) => {
    if (cluster.mode === 'existing') return [{ field: 'id', value: cluster.id.id, index }];
    return cluster.mode === 'external' ? [{ field: 'issuer', value: cluster.issuer, index }] : [];
  });
  return repeated(named, ({ value }) => value.toLowerCase()).map(({ item, first }) => ({
    path: [...clusterPath(item.index), item.field],
    value: JSON.stringify(item.value),
    what: `is the ${item.field} of ${formatPath(clusterPath(first.index))} already`,
    remedy: 'Remove one of the two clusters.',
  }));
});

/** Kubeconfigs for exactly the clusters of which Azure has none. */
export const kubeconfigs = check(['kubeconfigs', 'clusters'], (given, { clusterPath }) => {
  const external = given.clusters.flatMap(({ name, mode }, index) =>
    mode === 'external' ? [{ name, index }] : [],
  );
  return [
    ...external
      .filter(({ name }) => !(name in given.kubeconfigs))
      .map(({ name, index }) => ({
        path: ['kubeconfigs', name],
        what: `is missing: ${formatPath(clusterPath(index))} is a cluster of mode external`,
        allowed: 'the kubeconfig of an administrator, encrypted',
        remedy: `Set it with \`pulumi config set --secret --path 'kubeconfigs.${name}' < <file>\`.`,
      })),
    ...Object.keys(given.kubeconfigs)
      .filter((name) => external.every((cluster) => cluster.name !== name))
      .map((name) => ({
        path: ['kubeconfigs', name],
        what: 'is of no cluster of mode external',
        allowed: external.length === 0 ? 'no kubeconfig' : external.map((cluster) => cluster.name).join(', '),
        remedy: `Remove it with \`pulumi config rm --path 'kubeconfigs.${name}'\`; of managed clusters, Azure gives them.`,
      })),
  ];
});

export const knownClusters = check(['clusters'], ({ clusters, applications }, { applicationPath }) => {
  const known = clusters.map(({ name }) => name);
  return applications.flatMap((application, index) =>
    (Array.isArray(application.clusters) ? application.clusters : []).flatMap((name, place) => {
      if (known.includes(name)) return [];
      return [unknownCluster([...applicationPath(index), 'clusters', place], name, known)];
    }),
  );
});

/** Names in Azure and in the stack are made of the cluster's and the application's: no two may come out alike. */
export const distinctKeys = check(['plan', 'shard'], ({ plan, shard }, { clusterPath }) => {
  const keys = plan.clusters.flatMap(({ settings, workloads, provisioners }, cluster) => [
    { key: settings.name, cluster, application: undefined },
    { key: operatorKey(settings), cluster, application: 'the service operator' },
    // All of them, used or not: adding an application must not take another's name from it.
    ...(shard ? shards : []).map((name) => ({
      key: `${settings.name}-${name}`,
      cluster,
      application: `the shard ${name}`,
    })),
    ...workloads.map(({ key, application }) => ({ key, cluster, application: application.name })),
    ...provisioners.map(({ key, application }) => ({
      key,
      cluster,
      application: `what provisions for ${application}`,
    })),
  ]);
  // Clusters and applications that repeat a name are reported as that.
  const distinct = keys.filter(
    (one, index) =>
      keys.findIndex(
        (other) =>
          other.application === one.application &&
          plan.clusters[other.cluster]?.settings.name === plan.clusters[one.cluster]?.settings.name,
      ) === index,
  );
  return repeated(distinct, ({ key }) => key).map(({ item }) => ({
    path: [...clusterPath(item.cluster), 'name'],
    value: JSON.stringify(plan.clusters[item.cluster]?.settings.name ?? ''),
    what: `with ${item.application ?? 'no application'} gives the name "${item.key}", which something else in the stack has`,
    remedy: `"aso" is the service operator's${plan.clusters.some(({ provisioners }) => provisioners.length > 0) ? ', "<application>-aso" that of an application with `provisioning: application`' : ''}${shard ? `, ${String(shards[0])} to ${String(shards.at(-1))} are those of the shards` : ''}; rename the application or the cluster.`,
  }));
});

export const identityNames = check(['plan'], ({ plan }, { environment, clusterPath }) =>
  plan.clusters.flatMap((cluster, index) =>
    everyIdentity(cluster).flatMap(({ azureName }) =>
      isValidName('userAssignedIdentity', azureName)
        ? []
        : [
            {
              path: [...clusterPath(index), 'name'],
              what: `gives an identity the name "${azureName}", which Azure refuses`,
              allowed: nameRule('userAssignedIdentity').allowed,
              remedy: `It is made of the stack's name ("${environment}"), the cluster's and the application's: change one of them.`,
            },
          ],
    ),
  ),
);

/** AKS makes a group for each cluster's nodes, whose name may not be longer (azure-docs articles/aks/troubleshooting). */
const maxNodeGroupName = 80;

export const nodeGroupNames = check(
  ['resourceGroup', 'location'],
  ({ clusters, resourceGroup, location }, { clusterPath }) =>
    clusters.flatMap(({ name, mode }, index) => {
      const group = `MC_${resourceGroup.name}_${name}_${location}`;
      if (mode !== 'create' || group.length <= maxNodeGroupName) return [];
      return [
        {
          path: [...clusterPath(index), 'name'],
          value: JSON.stringify(name),
          what: `gives the group of its nodes a name of ${group.length} characters, "${group}", which AKS refuses`,
          allowed: `at most ${maxNodeGroupName} characters together`,
          remedy: 'Shorten the name of the cluster or `resourceGroup`.',
        },
      ];
    }),
);
