import * as pulumi from '@pulumi/pulumi';
import { credentialSecretName } from '../../components/application/credentialSecret';
import { passwordSecretName } from '../../components/podIdentity/names';
import { subjectOf } from '../../components/identity/subjects';
import type { DeployedCluster } from '../deploy/cluster';
import type { DeployedEnvironment } from '../deploy/environment';
import type { DeployedEntraGroup } from '../deploy/groups';
import type { DeployedIdentity } from '../deploy/identities';
import type { Configuration } from '../plan';
import { everyIdentity, isBound, namedBy } from '../plan';
import { forCells } from './forCells';
import { hostedClusterOutputs, hostedTrustOutputs } from './hostedClusters';
import type { PendingOutputs } from './outputs';

/** Returns the outputs of the stack for the deployed environment. */
export function environmentOutputs(
  configuration: Configuration,
  {
    tenantId,
    subscriptionId,
    resourceGroup,
    resourceGroups,
    logs,
    vaults,
    groups,
    clusters,
    connectionRole,
  }: DeployedEnvironment,
): PendingOutputs {
  const { environment, cell, cells } = configuration;
  const reconcilers = clusters.flatMap(reconcilerOutputs);
  const tokenEvents = clusters.flatMap(({ plan }) => (plan.tokenEvents ? plan.settings.name : []));
  const identityBindings = clusters.flatMap(identityBindingOutputs);
  const connectionWriters = clusters.flatMap((cluster) => connectionWriterOutputs(cluster, connectionRole));
  return {
    environment: pulumi.output(environment),
    ...(cell !== undefined && { cell: pulumi.output(cell.name) }),
    ...(cell === undefined &&
      cells.length > 0 && {
        cells: pulumi.output(cells.map((cellPlan) => ({ ...cellPlan, clusters: [...cellPlan.clusters] }))),
        forCells: pulumi.output(forCells(configuration)),
      }),
    tenantId,
    subscriptionId,
    resourceGroup,
    resourceGroups: pulumi.output(
      [...resourceGroups].filter(([, { isCreated }]) => isCreated).map(([, { id }]) => ({ id })),
    ),
    ...(logs && { logWorkspace: pulumi.output(logs.workspaceId) }),
    vaults: pulumi.output(
      Object.fromEntries(
        vaults.map(({ plan: { name, access, secrets }, vault: { id, uri } }) => [
          name,
          { id, uri, access, secrets: [...secrets] },
        ]),
      ),
    ),
    clusters: pulumi.output(
      Object.fromEntries(
        clusters.map((deployed) => [
          deployed.plan.settings.name,
          {
            mode: deployed.plan.settings.mode,
            ...(deployed.cluster.id !== undefined && { id: deployed.cluster.id }),
            issuer: deployed.cluster.issuerUrl,
            identity: identityIds(deployed.identity(deployed.plan.identities[0].key)),
          },
        ]),
      ),
    ),
    kubeconfigs: pulumi.secret(
      Object.fromEntries(clusters.map(({ plan, cluster }) => [plan.settings.name, cluster.kubeconfig])),
    ),
    groups: pulumi.output(groups.map((group) => groupOutputs(group, clusters, cell !== undefined))),
    dependencies: pulumi.output(clusters.flatMap(dependencyOutputs)),
    ...(reconcilers.length > 0 && { reconcilers: pulumi.output(reconcilers) }),
    ...(tokenEvents.length > 0 && { tokenEvents: pulumi.output(tokenEvents) }),
    ...(connectionWriters.length > 0 && { connectionWriters: pulumi.output(connectionWriters) }),
    ...(identityBindings.length > 0 && { identityBindings: pulumi.output(identityBindings) }),
    hostedClusters: pulumi.output(
      clusters.flatMap((cluster) => hostedClusterOutputs(cluster, centralVault(vaults))),
    ),
    workloads: pulumi.output(clusters.flatMap(workloadOutputs)),
    identities: pulumi
      .all([
        clusters.flatMap((cluster) => trustOutputs(cluster, vaults)),
        pulumi.all(clusters.flatMap(hostedTrustOutputs)),
      ])
      .apply(([own, hosted]) => [...own, ...hosted.flat()]),
  };
}

/** Returns one workload for each application on the cluster. */
function workloadOutputs(deployed: DeployedCluster) {
  const { plan, cluster } = deployed;
  return plan.workloads.map((workload) => {
    const identityOf = (key: string) => {
      const identity = deployed.identity(key);
      return { name: identity.identityName, ...identityIds(identity) };
    };
    const stored = plan.identities.find(({ key }) => key === workload.identity)?.credential;
    const { version, digest, namespace, serviceAccount, serviceAccounts, audience, revoked } = workload;
    return {
      cluster: plan.settings.name,
      application: workload.application.name,
      ...(version !== undefined && { version, digest }),
      namespace,
      serviceAccount,
      serviceAccounts: [...serviceAccounts],
      identity: identityOf(workload.identity),
      identitiesBeside: workload.identitiesBeside.map(identityOf),
      issuer: cluster.issuerUrl,
      ...(stored !== undefined && {
        credentialSecret:
          workload.application.signIn === 'podIdentity'
            ? passwordSecretName(workload.application.name)
            : credentialSecretName(
                workload.application.name,
                stored.kind,
                stored.certificates.at(-1)?.name ?? '',
              ),
      }),
      subject: subjectOf(workload),
      audience,
      hasPods: 'image' in workload.application && workload.application.replicas !== 0,
      ...(workload.application.signIn !== 'workloadIdentity' && {
        signIn: workload.application.signIn,
      }),
      ...(isBound(workload.application) && { trust: 'identityBinding' as const }),
      ...(revoked && { revoked }),
      ...namedBy(workload),
      ...(revoked && { grants: [] }),
    };
  });
}

/** Returns a group with its grants and the members that the stack adds. In a cell, the environment's stack has the grants. */
function groupOutputs(
  { plan, group }: DeployedEntraGroup,
  clusters: readonly DeployedCluster[],
  isInCell: boolean,
) {
  const { name, existing, vault, secrets, roles } = plan;
  return {
    name,
    displayName: group.displayName,
    objectId: group.objectId,
    isMade: existing === undefined && !isInCell,
    grants: isInCell ? [] : [...secrets.map((secret) => ({ vault, secret })), ...roles],
    members: clusters.flatMap((cluster) =>
      cluster.membersOf(plan).map(({ name: key, principalId }) => ({
        cluster: cluster.plan.settings.name,
        name: cluster.identity(key).identityName,
        principalId,
      })),
    ),
  };
}

/** Returns the identity of the reconciler of what is granted only at times, if it runs on the cluster. */
function reconcilerOutputs(deployed: DeployedCluster) {
  const { reconciler, settings } = deployed.plan;
  if (reconciler === undefined || reconciler.subjects.length === 0) return [];
  const identity = deployed.identity(reconciler.key);
  return [{ cluster: settings.name, name: reconciler.azureName, ...identityIds(identity) }];
}

/** Returns the identity of the connection writer, if it runs on the cluster. */
function connectionWriterOutputs(deployed: DeployedCluster, role: DeployedEnvironment['connectionRole']) {
  const { connectionWriter: writer, settings } = deployed.plan;
  if (writer === undefined || role === undefined) return [];
  const identity = deployed.identity(writer.key);
  return [
    {
      ...{ cluster: settings.name, name: writer.azureName, ...identityIds(identity), role: role.guid },
      connections: writer.connections.map(({ application, dependency, vault, secret }) => ({
        application,
        dependency,
        vault,
        secret,
      })),
    },
  ];
}

/** Returns one entry for each identity binding on the cluster. */
function identityBindingOutputs({ plan, identities }: DeployedCluster) {
  return plan.identities.flatMap(({ key, binding }) => {
    const ready = identities.get(key);
    if (binding === undefined || ready?.binding === undefined) return [];
    return [
      {
        cluster: plan.settings.name,
        id: ready.binding.id,
        identity: { name: ready.identity.identityName, ...identityIds(ready.identity) },
        role: binding.role,
        serviceAccounts: binding.accounts.map(
          ({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`,
        ),
      },
    ];
  });
}

/** Returns the trust of each identity that the stack creates on the cluster. */
function trustOutputs(deployed: DeployedCluster, vaults: DeployedEnvironment['vaults']) {
  const { plan, cluster } = deployed;
  return everyIdentity(plan)
    .filter(({ existing }) => existing === undefined)
    .map(({ key, azureName, kind, subjects, credential }) => {
      const identity = deployed.identity(key);
      const { id, clientId, principalId } = identity;
      return {
        cluster: plan.settings.name,
        name: azureName,
        id,
        ...(kind === 'servicePrincipal' && { clientId, principalId }),
        // With it, the audit identifies the reconcilers.
        ...([plan.reconciler?.key, plan.connectionWriter?.key].includes(key) && { principalId }),
        trusts: subjects.map((subject) => ({
          issuer: cluster.issuerUrl,
          subject: subjectOf(subject),
          audience: subject.audience,
        })),
        ...(credential &&
          'keyIds' in identity && {
            credential: {
              kind: credential.kind,
              vault: centralVault(vaults),
              secret: credential.secret,
              keyIds: identity.keyIds,
              expiresOn: identity.expiresOn ?? '',
              renewAfter: credential.renewAfter,
            },
          }),
      };
    });
}

/** Returns one entry for each dependency that the cluster manages. */
function dependencyOutputs({ dependencies }: DeployedCluster) {
  return dependencies
    .filter(({ plan }) => plan.manages)
    .map(({ plan: { application, name, service, managedBy, connection }, dependency }) => ({
      application,
      name,
      kind: service.kind,
      azureName: dependency.azureName,
      resourceId: dependency.resourceId,
      managedBy,
      connection,
    }));
}

/** Returns the name of the central vault. */
function centralVault(vaults: DeployedEnvironment['vaults']): string {
  return vaults.find(({ plan }) => plan.application === undefined)?.plan.name ?? '';
}

function identityIds({ id, clientId, principalId }: DeployedIdentity) {
  return { id, clientId, principalId };
}
