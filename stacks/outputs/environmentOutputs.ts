import * as pulumi from '@pulumi/pulumi';
import { subjectOf } from '../../components/identity/subjects';
import type { DeployedCluster } from '../deploy/cluster';
import type { DeployedEnvironment } from '../deploy/environment';
import type { Configuration } from '../plan';
import type {
  DependencyOutput,
  IdentityOutput,
  PendingOutputs,
  VaultOutput,
  WorkloadOutput,
} from './outputs';

/** What the stack tells of the environment that was deployed. */
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
        vaults.map(
          ({ plan: { name, access, secrets }, vault: { id, uri } }): [string, pulumi.Output<VaultOutput>] => [
            name,
            pulumi.output({ id, uri, access, secrets: [...secrets] }),
          ],
        ),
      ),
    ),
    clusters: pulumi.output(
      Object.fromEntries(
        clusters.map(({ plan: { settings }, cluster, identity }) => [
          settings.name,
          {
            mode: settings.mode,
            ...(cluster.id !== undefined && { id: cluster.id }),
            issuer: cluster.issuerUrl,
            identity: identityOutput(identity),
          },
        ]),
      ),
    ),
    kubeconfigs: pulumi.secret(
      Object.fromEntries(clusters.map(({ plan, cluster }) => [plan.settings.name, cluster.kubeconfig])),
    ),
    dependencies: pulumi.output(clusters.flatMap(dependencyOutputs)),
    workloads: pulumi.output(clusters.flatMap(workloadOutputs)),
  };
}

/** Of the applications on a cluster. */
function workloadOutputs(deployed: DeployedCluster): pulumi.Output<WorkloadOutput>[] {
  const { plan, cluster } = deployed;
  return plan.workloads.map((workload) => {
    const identity = deployed.identityOf(workload);
    const { version, digest, namespace, serviceAccount, serviceAccounts, audience, vault, secrets } =
      workload;
    return pulumi.output({
      cluster: plan.settings.name,
      application: workload.application.name,
      ...(version !== undefined && { version }),
      ...(digest !== undefined && { digest }),
      namespace,
      serviceAccount,
      serviceAccounts: [...serviceAccounts],
      identity: { name: identity.identityName, ...identityOutput(identity) },
      issuer: cluster.issuerUrl,
      subject: subjectOf(workload),
      audience,
      grants: secrets.map((secret) => ({ vault, secret })),
    });
  });
}

/** Of what applications depend on, and the cluster manages. */
function dependencyOutputs({ dependencies }: DeployedCluster): pulumi.Output<DependencyOutput>[] {
  return dependencies
    .filter(({ plan }) => plan.manages)
    .map(({ plan: { application, name, service, managedBy, connection }, made }) =>
      pulumi.output({
        application,
        name,
        kind: service.kind,
        azureName: made.azureName,
        resourceId: made.resourceId,
        managedBy,
        connection,
      }),
    );
}

function identityOutput({
  id,
  clientId,
  principalId,
}: {
  readonly [Key in keyof IdentityOutput]: pulumi.Output<string>;
}) {
  return { id, clientId, principalId };
}
