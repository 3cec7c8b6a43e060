import * as pulumi from '@pulumi/pulumi';
import { ConnectionWriter } from '../../components/dependency/connectionWriter';
import { ConnectionWriterRole } from '../../components/dependency/connectionWriterRole';
import { connectionTemplate } from '../../components/dependency/keys';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ClusterPlan } from '../plan';
import { secretTags } from '../plan/tags';
import type { DeployedCluster } from './cluster';
import { inClusterAndGroup, type EnvironmentContext } from './context';
import { known } from './known';
import { reconcilerProgram } from './reconcilerProgram';

/** Deploys the role of the connection writers, if there are any. The stack has one for all of its clusters. */
export function deployConnectionRole(
  { stack, group, servicesGroups }: EnvironmentContext,
  clusters: readonly ClusterPlan[],
  vaults: ReadonlyMap<string, KeyVault>,
): ConnectionWriterRole | undefined {
  const all = clusters.flatMap(({ connectionWriter }) => connectionWriter?.connections ?? []);
  if (all.length === 0) return undefined;
  const inVaults = [...new Set(all.map(({ vault }) => vault))].map((name) => known(vaults, name).id);
  return new ConnectionWriterRole(
    'connection-writer',
    {
      scope: group.id,
      roleName: pulumi.interpolate`aks-workload-identity: connections of ${stack} in ${group.id}`,
      furtherScopes: [
        ...[...servicesGroups.values()].map(({ id }) => id),
        ...inVaults.map((id) => id.apply((vaultId) => vaultId.replace(/\/providers\/.*$/, ''))),
      ],
    },
    group.opts,
  );
}

/** Deploys the connection writer of a cluster, which keeps the connection strings of its dependencies current. */
export function deployConnectionWriter(
  { context, identities, dependencies, webhook }: DeployedCluster,
  vaults: ReadonlyMap<string, KeyVault>,
  role: ConnectionWriterRole | undefined,
): void {
  const { plan, settings, cloud, tags } = context;
  const { connectionWriter: writer } = plan;
  if (writer === undefined || role === undefined) return;
  const { identity, before } = known(identities, writer.key);
  const services = new Map(
    dependencies.map(({ plan: of, dependency }) => [`${of.application}/${of.name}`, dependency]),
  );
  const kept = writer.connections.map(({ application, dependency, kind, azureName, key, vault, secret }) => {
    const name = `${application}/${dependency}`;
    return {
      ...{ name, kind, key, serviceId: known(services, name).resourceId },
      template: connectionTemplate(kind, azureName, cloud.suffixes),
      secretId: pulumi.interpolate`${known(vaults, vault).id}/secrets/${secret}`,
      tags: secretTags(tags),
    };
  });
  const used = [...new Set(writer.connections.map(({ vault }) => known(vaults, vault)))];
  new ConnectionWriter(
    writer.key,
    {
      ...{ identity, connections: kept, role: role.guid, program: reconcilerProgram('connections') },
      intervalSeconds: settings.connections?.intervalSeconds,
      image: settings.connections?.image,
      resourceManager: cloud.resourceManager,
    },
    pulumi.mergeOptions(
      inClusterAndGroup(context),
      // The secrets must exist before roles are assigned on them, and they are written once the services exist.
      { dependsOn: [...before, ...webhook, ...used] },
    ),
  );
}
