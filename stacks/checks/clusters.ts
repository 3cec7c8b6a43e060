import { isValidName, nameRule } from '../../components/azure/naming';
import { tryParseResourceGroupId } from '../../components/azure/resourceId';
import { everyIdentity, operatorKey, shards } from '../plan';
import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { repeated } from './context';
import { unknownCluster } from './selections';

export const uniqueClusters: Check = ({ settings, clusterPath }) =>
  repeated(settings.clusters, ({ name }) => name).map(({ item, index, first }) => ({
    path: [...clusterPath(index), 'name'],
    value: JSON.stringify(item.name),
    what: `is the name of ${formatPath(clusterPath(first))} already`,
    remedy: 'Give each cluster its own name.',
  }));

export const knownClusters: Check = ({ settings, applicationPath, broken }) => {
  if (broken.has('clusters')) return [];
  const known = settings.clusters.map(({ name }) => name);
  return settings.applications.flatMap((application, index) =>
    (Array.isArray(application.clusters) ? application.clusters : []).flatMap((name, place) => {
      if (known.includes(name)) return [];
      return [unknownCluster([...applicationPath(index), 'clusters', place], name, known)];
    }),
  );
};

/** Names in Azure and in the stack are made of the cluster's and the application's: no two may come out alike. */
export const distinctKeys: Check = ({ settings: { shard }, plan, clusterPath }) => {
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
};

export const identityNames: Check = ({ environment, plan, clusterPath }) =>
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
  );

/** AKS makes a group for each cluster's nodes, whose name may not be longer (azure-docs articles/aks/troubleshooting). */
const maxNodeGroupName = 80;

export const nodeGroupNames: Check = ({ settings, clusterPath, broken }) =>
  broken.has('resourceGroup') || broken.has('location')
    ? []
    : settings.clusters.flatMap(({ name, mode }, index) => {
        const { resourceGroup } = settings;
        const groupName =
          typeof resourceGroup === 'string'
            ? resourceGroup
            : tryParseResourceGroupId(resourceGroup.existing)?.name;
        const group = `MC_${groupName ?? ''}_${name}_${settings.location}`;
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
      });
