import { everyIdentity, operatorKey, shards } from '../plan';
import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { inCase, refusedName, repeated } from './context';
import { interactiveSignInProblems } from './interactiveSignIns';

/** Longest name of the resource group that AKS creates for the nodes of a cluster (azure-docs articles/aks/troubleshooting). */
const maxNodeGroupName = 80;

export const clusterChecks: readonly Check[] = [
  /** A cluster that is listed twice would get everything twice, under the same names. */
  function* ({ clusters }) {
    const named = clusters.flatMap((cluster) => {
      const { path } = cluster;
      if (cluster.mode === 'existing')
        return [{ path, field: 'id', value: cluster.id.id, key: cluster.id.id.toLowerCase() }];
      // Entra compares issuers case-sensitively.
      return cluster.mode === 'external'
        ? [{ path, field: 'issuer', value: cluster.issuer, key: cluster.issuer }]
        : [];
    });
    for (const { item, first } of repeated(named, ({ key }) => key))
      yield {
        path: [...item.path, item.field],
        what: `is already the ${item.field} of ${formatPath(first.path)}${inCase(item.value, first.value)}`,
        hint: 'Remove one of the two clusters.',
      };
  },

  /** Exactly the clusters of mode `external` need kubeconfigs; Azure provides those of the others. */
  function* (input) {
    if (input.unread.includes('kubeconfigs')) return;
    // With cells, the stack file of the cell has it.
    const external = input.cells.length > 0 ? [] : input.clusters.filter(({ mode }) => mode === 'external');
    for (const { name, path } of external)
      if (!Object.hasOwn(input.kubeconfigs, name))
        yield {
          path: ['kubeconfigs', name],
          what: `is missing: ${formatPath(path)} is a cluster of mode external`,
          allowed: 'the kubeconfig of an administrator, encrypted',
          hint: `Set it with \`pulumi config set --secret --path 'kubeconfigs.${name}' < <file>\`.`,
        };
    const names = external.map(({ name }) => name);
    for (const name of Object.keys(input.kubeconfigs))
      if (!names.includes(name))
        yield {
          path: ['kubeconfigs', name],
          what: 'does not name a cluster of mode external',
          allowed: names.join(', ') || 'no kubeconfig',
          hint:
            input.cells.length > 0
              ? 'Move it to the stack file of the cell.'
              : `Remove it with \`pulumi config rm --path 'kubeconfigs.${name}'\`. For managed clusters, the stack gets the kubeconfig from Azure.`,
        };
  },

  ({ kubeconfigs }) => interactiveSignInProblems(kubeconfigs),

  /** Names in Azure and in the stack are built from the names of the cluster and the application. No two may be equal. */
  function* ({ plan, shard }) {
    const keys = plan.clusters.flatMap(
      ({ path, settings: { name }, reconciler, connectionWriter, ...cluster }) => {
        const { identities, workloads, provisioners } = cluster;
        return [
          { key: name, of: 'no application' },
          ...(reconciler === undefined
            ? []
            : [{ key: reconciler.key, of: 'the reconciler of access windows' }]),
          ...(connectionWriter === undefined
            ? []
            : [{ key: connectionWriter.key, of: 'the connection writer' }]),
          { key: operatorKey({ name }), of: 'the service operator' },
          // All shards, used or not: otherwise, adding an application could bring a name into use that something else has.
          ...(shard ? shards : []).map((shardName) => ({
            key: `${name}-${shardName}`,
            of: `the shard ${shardName}`,
          })),
          ...workloads.map(({ key, application }) => ({ key, of: application.name })),
          ...identities
            .filter(({ generation }) => generation !== undefined && generation.number > 1)
            .map(({ key, generation }) => ({
              key,
              of: `generation ${generation?.number ?? 1} of an identity`,
            })),
          ...provisioners.map(({ key, application }) => ({ key, of: `the provisioner of ${application}` })),
        ].map((use) => ({ ...use, cluster: name, path }));
      },
    );
    for (const { item, first } of repeated(keys, ({ key }) => key))
      // Clusters and applications that repeat a name are reported elsewhere.
      if (item.of !== first.of || item.cluster !== first.cluster)
        yield {
          path: [...item.path, 'name'],
          what: `with ${item.of} gives the name "${item.key}", which is already used in the stack`,
          hint: `Rename the application or the cluster. Reserved are "aso" and "<application>-aso"; with \`shard: true\`, the names of the shards, "${String(shards[0])}" to "${String(shards.at(-1))}"; with access windows, "windows"; and with \`connection: vault\`, "connections".`,
        };
  },

  function* ({ plan, environment }) {
    for (const cluster of plan.clusters)
      for (const { azureName } of everyIdentity(cluster))
        yield* refusedName(
          'userAssignedIdentity',
          azureName,
          [...cluster.path, 'name'],
          `It consists of the names of the stack ("${environment}"), the cluster and the application: change one of them.`,
        );
  },

  function* ({ clusters, resourceGroup, location }) {
    for (const { path, name, mode } of clusters) {
      const group = `MC_${resourceGroup.name}_${name}_${location}`;
      if (mode === 'create' && group.length > maxNodeGroupName)
        yield {
          path: [...path, 'name'],
          what: `gives its node resource group a name of ${group.length} characters, "${group}", which AKS refuses`,
          allowed: `at most ${maxNodeGroupName} characters in total`,
          hint: 'Shorten the name of the cluster or `resourceGroup`.',
        };
    }
  },
];
