import type { Configuration } from '../plan';
import type { AccessSource, Reader } from './model';

/** Who would be able to read what, once the configuration is deployed. */
export function plannedAccess({ environment, settings, plan }: Configuration): AccessSource {
  return {
    environment,
    vaults: Object.fromEntries(plan.vaults.map(({ name, access, secrets }) => [name, { access, secrets }])),
    workloads: plan.clusters.flatMap(({ settings: cluster, identities, workloads }) => {
      const identityOf = (key: string) => {
        const identity = identities.find((one) => one.key === key);
        const name = identity?.existing?.name ?? identity?.azureName ?? key;
        return { id: identity?.existing?.id ?? `${cluster.name}/${name}`, name };
      };
      return workloads.map(
        ({
          application,
          identity,
          identitiesBeside,
          vault,
          secrets,
          byGroup,
          roles,
          rolesByGroup,
          ...workload
        }): Reader => ({
          ...{ cluster: cluster.name, application: application.name, namespace: workload.namespace },
          ...{ serviceAccount: workload.serviceAccount, serviceAccounts: workload.serviceAccounts },
          ...{ identity: identityOf(identity), identitiesBeside: identitiesBeside.map(identityOf) },
          revoked: workload.revoked,
          signIn: application.signIn === 'workloadIdentity' ? undefined : application.signIn,
          credentialSecret: identities.find(({ key }) => key === identity)?.credential?.secret,
          windows: workload.windows,
          grants: [
            ...secrets.map((secret) => ({ vault, secret })),
            ...workload.elsewhere,
            ...byGroup.map((one) => ({ vault, ...one })),
            ...roles,
            ...rolesByGroup,
          ],
        }),
      );
    }),
    connectionWriters: plan.clusters.flatMap(({ settings: { name: cluster }, connectionWriter: writer }) =>
      writer === undefined ? [] : [{ cluster, name: writer.azureName, connections: writer.connections }],
    ),
    hostedClusters: plan.clusters.flatMap(({ settings: { name: managementCluster }, hostedClusters }) =>
      hostedClusters.map(({ settings: { name }, components }) => ({
        ...{ name, managementCluster, components },
        vault: settings.vault.name,
      })),
    ),
  };
}
