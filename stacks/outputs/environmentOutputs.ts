import * as pulumi from '@pulumi/pulumi';
import { subjectOf } from '../../components/identity/subjects';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { DeployedCluster } from '../deploy/cluster';
import type { DeployedEnvironment } from '../deploy/environment';
import type { Configuration } from '../plan';
import { everyIdentity } from '../plan';
import type { PendingOutputs } from './outputs';

/** The outputs of the stack, of the environment that was deployed. */
export function environmentOutputs(
  { environment }: Configuration,
  { tenantId, subscriptionId, resourceGroup, vaults, clusters }: DeployedEnvironment,
): PendingOutputs {
  return {
    environment: pulumi.output(environment),
    tenantId,
    subscriptionId,
    resourceGroup,
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
    dependencies: pulumi.output(clusters.flatMap(dependencyOutputs)),
    hostedClusters: pulumi.output(clusters.flatMap((one) => hostedClusterOutputs(one, vaults))),
    workloads: pulumi.output(clusters.flatMap(workloadOutputs)),
    identities: pulumi.output(clusters.flatMap(trustOutputs)),
  };
}

/** One for each application on the cluster. */
function workloadOutputs(deployed: DeployedCluster) {
  const { plan, cluster } = deployed;
  return plan.workloads.map((workload) => {
    const identity = deployed.identity(workload.identity);
    const { version, digest, namespace, serviceAccount, serviceAccounts, audience } = workload;
    return {
      cluster: plan.settings.name,
      application: workload.application.name,
      ...(version !== undefined && { version, digest }),
      namespace,
      serviceAccount,
      serviceAccounts: [...serviceAccounts],
      identity: { name: identity.identityName, ...identityIds(identity) },
      issuer: cluster.issuerUrl,
      subject: subjectOf(workload),
      audience,
      hasPods: 'image' in workload.application && workload.application.replicas !== 0,
      grants: workload.secrets.map((secret) => ({ vault: workload.vault, secret })),
    };
  });
}

/** One for each identity that the stack makes on the cluster. */
function trustOutputs(deployed: DeployedCluster) {
  const { plan, cluster } = deployed;
  return everyIdentity(plan)
    .filter(({ existing }) => existing === undefined)
    .map(({ key, azureName, subjects }) => ({
      cluster: plan.settings.name,
      name: azureName,
      id: deployed.identity(key).id,
      trusts: subjects.map((subject) => ({
        issuer: cluster.issuerUrl,
        subject: subjectOf(subject),
        audience: subject.audience,
      })),
    }));
}

/** One for each dependency that the cluster manages. */
function dependencyOutputs({ dependencies }: DeployedCluster) {
  return dependencies
    .filter(({ plan }) => plan.manages)
    .map(({ plan: { application, name, service, managedBy, connection }, made }) => ({
      application,
      name,
      kind: service.kind,
      azureName: made.azureName,
      resourceId: made.resourceId,
      managedBy,
      connection,
    }));
}

/** One for each hosted cluster whose control plane runs on the cluster. */
function hostedClusterOutputs(
  { hostedClusters, plan: { settings: cluster } }: DeployedCluster,
  vaults: DeployedEnvironment['vaults'],
) {
  return hostedClusters.map(({ plan, identities, reader }) => {
    const { settings, certificates, components, controlPlaneNamespace } = plan;
    const { clientIds, expiresOn, dataPlaneClientIds, spec } = identities;
    return {
      name: settings.name,
      managementCluster: cluster.name,
      namespace: settings.namespace.name,
      controlPlaneNamespace,
      authentication: settings.authentication,
      ...(reader && {
        reader: { clientId: reader.clientId, principalId: reader.principalId },
        vault: vaults.find((one) => one.plan.application === undefined)?.plan.name ?? '',
      }),
      ...(certificates && { renewAfter: certificates.renewAfter }),
      components: components.map(({ component, secret }) => ({
        component,
        clientId: clientIds.apply((ids) => ids[component] ?? ''),
        ...(secret !== undefined && {
          secret,
          expiresOn: expiresOn.apply((times) => times[component] ?? ''),
        }),
      })),
      nodes: dataPlaneClientIds,
      patch: spec.apply((fields) => ({ spec: fields })),
    };
  });
}

function identityIds({ id, clientId, principalId }: ManagedIdentity) {
  return { id, clientId, principalId };
}
