import * as pulumi from '@pulumi/pulumi';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { StoredCredential } from '../../components/identity/storedCredential';
import { podIdentityChart } from '../../components/platform/vendorCharts';
import { PodIdentity } from '../../components/podIdentity/podIdentity';
import type { PodIdentityBindingArgs } from '../../components/podIdentity/podIdentityBinding';
import { PodIdentityBinding } from '../../components/podIdentity/podIdentityBinding';
import { TokenEvents } from '../../components/podIdentity/tokenEvents';
import { nodeComponentNamespace, usesPodIdentity, type WorkloadPlan } from '../plan';
import { platformChart } from '../plan/chartSource';
import type { ClusterContext } from './context';
import { inClusterAndAzure } from './context';
import type { DeployedIdentity, ReadyIdentities } from './identities';
import { known } from './known';
import { reconcilerProgram } from './reconcilerProgram';
import type { Namespaces } from './namespaces';

/** Deploys what a workload needs to sign in as the identity without federation, if it needs something. */
export type DeployBinding = (
  workload: WorkloadPlan,
  identity: DeployedIdentity,
  credential: StoredCredential | undefined,
) => pulumi.Resource[];

/** Deploys aad-pod-identity with the writer of its tokens' events, if the cluster has them, and returns how its pods are bound. */
export function deployPodIdentity(
  context: ClusterContext,
  namespaces: Namespaces,
  identities: ReadyIdentities,
): DeployBinding {
  const { settings, plan, cluster } = context;
  const chart = plan.settings.podIdentity;
  if (chart === undefined || cluster.id === undefined) return () => [];
  const podIdentity = new PodIdentity(
    plan.keys.podIdentity,
    {
      clusterId: cluster.id,
      identities: Object.fromEntries(
        plan.workloads.filter(usesPodIdentity).flatMap((workload) => {
          const { identity } = known(identities, workload.identity);
          return identity instanceof ManagedIdentity ? [[workload.identity, identity.id]] : [];
        }),
      ),
      importedAssignments: settings.imported?.roleAssignments,
      ...(chart.install
        ? {
            source: platformChart(chart, podIdentityChart),
            replicaCount: chart.replicas,
            exceptions: chart.exceptions.map(({ podLabels, ...exception }) => ({
              ...exception,
              podLabels: { ...podLabels },
            })),
          }
        : { existing: true }),
    },
    pulumi.mergeOptions(inClusterAndAzure(context), { dependsOn: [...namespaces.values()] }),
  );
  deployTokenEvents(context, podIdentity);
  return (workload, identity, credential) => {
    if (!usesPodIdentity(workload)) return [];
    const { key, namespace, application } = workload;
    const binding = new PodIdentityBinding(
      key,
      {
        application: application.name,
        namespace: known(namespaces, namespace).metadata.name,
        ...boundIdentity(identity, credential),
        nodeComponentNamespace: nodeComponentNamespace(plan.settings),
      },
      pulumi.mergeOptions(inClusterAndAzure(context), { dependsOn: [podIdentity] }),
    );
    return [binding];
  };
}

function deployTokenEvents(context: ClusterContext, podIdentity: PodIdentity): void {
  const {
    plan: { tokenEvents },
    settings,
  } = context;
  if (tokenEvents === undefined) return;
  new TokenEvents(
    tokenEvents.key,
    {
      ...{ namespace: tokenEvents.namespace, program: reconcilerProgram('tokenEvents/main') },
      intervalSeconds: settings.tokenEvents?.intervalSeconds,
      image: settings.tokenEvents?.image,
    },
    pulumi.mergeOptions(inClusterAndAzure(context), { dependsOn: [podIdentity] }),
  );
}

function boundIdentity(
  identity: DeployedIdentity,
  credential: StoredCredential | undefined,
): Pick<PodIdentityBindingArgs, 'identity' | 'servicePrincipal'> {
  if (identity instanceof ManagedIdentity) return { identity };
  if (credential?.password === undefined) return {};
  const { clientId, tenantId } = identity;
  const { password, authority } = credential;
  return {
    servicePrincipal: { clientId, tenantId, password, ...(authority !== undefined && { authority }) },
  };
}
