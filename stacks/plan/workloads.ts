import type { ServiceAccountReference } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { planWindows } from './accessWindows';
import {
  kindsInChart,
  planDependencies,
  secretsBroughtTo,
  secretsElsewhere,
  secretsReadBy,
  servicesGroupOf,
} from './dependencies';
import type { HostedClusterPlan } from './hostedClusters';
import { rolesByGroup, secretsByGroup } from './groups';
import { releaseDigest } from '../settings/releases/digest';
import { identityKeys } from './identities';
import { planRoles } from './roles';
import { onCluster } from './selection';
import type { SubjectPlan } from './types';
import { vaultOf } from './vaults';

/** An application on one cluster. */
export type WorkloadPlan = ReturnType<typeof planWorkload> & {
  /** It may no longer sign in, nor read its secrets. */
  readonly revoked?: true;
};

export function planWorkload(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
  version: string | undefined,
) {
  const [identity, ...identitiesBeside] = identityKeys(settings, cluster, application);
  return {
    ...accountOf(application),
    /** Name in the stack. */
    key: `${cluster.name}-${application.name}`,
    /** The application's settings, with the overrides for this cluster. */
    application: onCluster(application, cluster),
    /** Version of its release, if it has a release file. */
    version,
    /** Digest of what that version runs, and of the secrets that it may read. */
    digest: version === undefined ? undefined : releaseDigest(application),
    /** The service account exists, and is only annotated. */
    existingServiceAccount: usesExistingServiceAccount(application),
    /** Names of all its service accounts, the one that its pods run under first. */
    serviceAccounts: serviceAccountNames(application),
    /** Audience of the tokens that its pods present. */
    audience: audienceOf(settings, application),
    /** Key of the identity that it runs as. */
    identity,
    /** Keys of other generations of that identity. */
    identitiesBeside,
    /** Name of the vault that its secrets are in. */
    vault: vaultOf(settings, application),
    /** Every secret that it reads there: those that it names, and those that its dependencies bring. */
    secrets: secretsReadBy(application),
    /** Those of them that its dependencies bring, which exist only once these do. */
    broughtSecrets: secretsBroughtTo(application),
    /** What its dependencies bring to other vaults, which it reads there itself. */
    elsewhere: secretsElsewhere(application),
    /** What it reads there beside these, as a member of groups. */
    byGroup: secretsByGroup(settings.groups, application),
    /** The roles that its identities have. */
    roles: planRoles(application.roles),
    /** The roles that it has beside these, as a member of groups. */
    rolesByGroup: rolesByGroup(settings.groups, application),
    /** What it reads there at times, and the roles that it has at times. */
    windows: planWindows(settings, application, false),
    dependencies: planDependencies(settings, cluster, application),
    /** Name of the resource group of the services that its chart declares, if it declares any. */
    provisionedIn: kindsInChart(application).length > 0 ? servicesGroupOf(settings, application) : undefined,
  };
}

/** The service account that the application's pods run under. */
export function accountOf({ name, namespace, serviceAccount }: ApplicationSettings): ServiceAccountReference {
  return { namespace: namespace?.name ?? name, serviceAccount: serviceAccount?.name ?? name };
}

/** Names of all service accounts of the application, the one that its pods run under first. */
export function serviceAccountNames(application: ApplicationSettings): string[] {
  return [accountOf(application).serviceAccount, ...application.serviceAccounts];
}

/** Every service account of the application, with the audience that its tokens must have. */
export function subjectsOf(settings: StackSettings, application: ApplicationSettings): SubjectPlan[] {
  const { namespace } = accountOf(application);
  const audience = audienceOf(settings, application);
  return serviceAccountNames(application).map((serviceAccount) => ({ namespace, serviceAccount, audience }));
}

/** The namespaces of the applications and of the hosted clusters, each once, in the order of their names. */
export function planNamespaces(
  settings: StackSettings,
  cluster: ClusterSettings,
  applications: readonly ApplicationSettings[],
  hostedClusters: readonly HostedClusterPlan[],
) {
  const existing = new Map<string, boolean>();
  const retained = new Set<string>();
  const provisioning = new Set<string>();
  for (const application of applications) {
    const { namespace } = accountOf(application);
    if (kindsInChart(application).length > 0) provisioning.add(namespace);
    existing.set(namespace, (existing.get(namespace) ?? false) || usesExistingNamespace(application));
    if (application.retainOnDelete ?? settings.retainOnDelete) retained.add(namespace);
  }
  const hosted = hostedClusters.flatMap(({ namespaces }) => namespaces);
  for (const one of hosted) existing.set(one.name, (existing.get(one.name) ?? false) || one.existing);
  const hosting = new Set(hosted.map((one) => one.name));
  return [...existing]
    .map(([name, exists]) => ({
      name,
      /** Name in the stack. A slash, which neither part has: `a`+`b-c` and `a-b`+`c` must not be one resource. */
      key: `${cluster.name}/${name}`,
      /** It exists, and is only used. */
      existing: exists,
      /** It is never deleted: hosted clusters would go with it, also those that left the stack before. */
      holdsHostedCluster: hosting.has(name),
      /** What the operator made in Azure from its custom resources stays there when the namespace is deleted. */
      retainOnDelete: retained.has(name),
      /** Charts make custom resources in it, which only the operator can let go of. */
      provisions: provisioning.has(name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function audienceOf(settings: StackSettings, application: ApplicationSettings): string {
  return application.audience ?? settings.audience;
}

/** Whether the application's namespace exists, and is only used. */
export function usesExistingNamespace({ namespace }: ApplicationSettings): boolean {
  return namespace?.existing === true;
}

/** Whether pods get tokens by aad-pod-identity: never of an application that is revoked. */
export function usesPodIdentity({ application, revoked }: WorkloadPlan): boolean {
  return application.signIn !== 'workloadIdentity' && revoked !== true;
}

/** Whether the service account of the application's pods exists, and is only annotated. */
export function usesExistingServiceAccount({ serviceAccount }: ApplicationSettings): boolean {
  return serviceAccount?.existing === true;
}
