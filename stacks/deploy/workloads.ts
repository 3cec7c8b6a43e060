import * as pulumi from '@pulumi/pulumi';
import type { ChartProvisions, WorkloadChart, WorkloadImage } from '../../components/application/arguments';
import { Workload } from '../../components/application/workload';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import type { SignInIdentity } from '../../components/identity/signIn';
import type { StoredCredential } from '../../components/identity/storedCredential';
import type { KeyVault } from '../../components/vault/keyVault';
import type { ApplicationSettings } from '../settings/schema';
import { isBound, type WorkloadPlan } from '../plan';
import type { ClusterContext } from './context';
import { known } from './known';
import type { Namespaces } from './namespaces';
import type { ProvisioningRight } from './provisioning';

/** Resources that a workload uses and waits for. */
export interface WorkloadParts {
  readonly identity: SignInIdentity;
  /** Undefined if it signs in with federation. */
  readonly credential: StoredCredential | undefined;
  readonly vault: KeyVault;
  readonly dependencies: readonly AzureDependency[];
  /** Its trust, its grants, and whatever gives it a token. */
  readonly before: readonly pulumi.Resource[];
  /** Grants on secrets that its dependencies contribute; its pods wait for them. */
  readonly grantedLater: readonly pulumi.Resource[];
  /** Needs of its chart if the chart itself declares Azure services. */
  readonly provisioning: ProvisioningRight;
}

export function deployWorkload(
  context: ClusterContext,
  namespaces: Namespaces,
  plan: WorkloadPlan,
  { identity, credential, vault, dependencies, before, grantedLater, provisioning }: WorkloadParts,
): Workload {
  const { cloud, cluster, inCluster } = context;
  const granted = pulumi.all(grantedLater.map(({ urn }) => urn));
  const { application, serviceAccount, serviceAccounts, existingServiceAccount, audience } = plan;
  return new Workload(
    plan.key,
    {
      application: application.name,
      namespace: known(namespaces, plan.namespace).metadata.name,
      serviceAccount,
      existingServiceAccount,
      furtherServiceAccounts: serviceAccounts.slice(1),
      identity,
      credential,
      vault: {
        name: plan.vault,
        uri: vault.uri,
        cloudName: cloud.secretsStore,
        secretNames: [...plan.secrets, ...plan.byGroup.map(({ secret }) => secret)],
      },
      // Without a binding, its label would have no effect.
      signIn: plan.revoked === true ? 'workloadIdentity' : application.signIn,
      delivery: application.delivery,
      ...(isBound(application) && { identityBinding: true }),
      // Without a token, the audience is unused.
      ...(credential === undefined && { audience }),
      dependencies: dependencies.map(({ dependency, azureName, values, accessible }) => ({
        ...{ dependency, azureName, values },
        accessible: pulumi.all([accessible, granted]).apply(([is]) => is),
      })),
      kubeconfig: cluster.kubeconfig,
      // Its pods may never become ready.
      ...(plan.revoked === true && { awaited: false }),
      ...runOf(application, provisionsOf(context, plan, provisioning)),
    },
    pulumi.mergeOptions(inCluster, {
      dependsOn: [...before, ...(plan.provisionedIn === undefined ? [] : provisioning.before)],
    }),
  );
}

/** Returns where the operator provisions the services that the application's chart declares. */
function provisionsOf(
  { plan, settings, servicesGroups }: ClusterContext,
  { provisionedIn }: WorkloadPlan,
  { grantedAt }: ProvisioningRight,
): ChartProvisions | undefined {
  if (provisionedIn === undefined) return undefined;
  return {
    cluster: plan.settings.name,
    group: known(servicesGroups, provisionedIn),
    location: settings.location,
    grantedAt,
  };
}

/** Returns what the application runs: its own chart, an image, or what others deploy. */
function runOf(
  application: ApplicationSettings,
  provisions: ChartProvisions | undefined,
): { chart: WorkloadChart } | { image: WorkloadImage } | { deployedByOthers: true; awaited: false } {
  if ('deployedBy' in application) return { deployedByOthers: true, awaited: false };
  if ('chart' in application) {
    const { values, provisions: _kinds, ...source } = application.chart;
    return { chart: { source, values, provisions } };
  }
  const { image, replicas, port, env } = application;
  return { image: { reference: image, replicas, port, env } };
}
