import type { ServiceAccountReference } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { planDependencies, secretsOf } from './dependencies';
import { releaseDigest } from '../settings/releases/digest';
import { identityKey } from './identities';
import { onCluster } from './selection';
import type { NamespacePlan, SubjectPlan, WorkloadPlan } from './types';
import { vaultOf } from './vaults';

export function planWorkload(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
  version: string | undefined,
): WorkloadPlan {
  const account = accountOf(application);
  return {
    ...account,
    key: `${cluster.name}-${application.name}`,
    application: onCluster(application, cluster),
    ...(version !== undefined && { version, digest: releaseDigest(application) }),
    existingServiceAccount: usesExistingServiceAccount(application),
    serviceAccounts: [account.serviceAccount, ...application.serviceAccounts],
    audience: audienceOf(settings, application),
    identity: identityKey(settings, cluster, application),
    vault: vaultOf(settings, application),
    secrets: secretsOf(application),
    dependencies: planDependencies(settings, cluster, application),
  };
}

/** The service account that the application's pods run under. */
export function accountOf({ name, namespace, serviceAccount }: ApplicationSettings): ServiceAccountReference {
  return { namespace: nameOf(namespace) ?? name, serviceAccount: nameOf(serviceAccount) ?? name };
}

/** Every service account of the application, with the audience that its tokens must have. */
export function subjectsOf(settings: StackSettings, application: ApplicationSettings): SubjectPlan[] {
  const { namespace, serviceAccount } = accountOf(application);
  const audience = audienceOf(settings, application);
  return [serviceAccount, ...application.serviceAccounts].map((account) => ({
    namespace,
    serviceAccount: account,
    audience,
  }));
}

/** The namespaces of the applications, each once, in the order of their names. */
export function planNamespaces(
  settings: StackSettings,
  applications: readonly ApplicationSettings[],
): NamespacePlan[] {
  const existing = new Map<string, boolean>();
  const retained = new Set<string>();
  for (const application of applications) {
    const { namespace } = accountOf(application);
    existing.set(namespace, (existing.get(namespace) ?? false) || usesExistingNamespace(application));
    if (application.retainOnDelete ?? settings.retainOnDelete) retained.add(namespace);
  }
  return [...existing]
    .map(([name, exists]) => ({ name, existing: exists, retainOnDelete: retained.has(name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function audienceOf(settings: StackSettings, application: ApplicationSettings): string {
  return application.audience ?? settings.audience;
}

type Reused = ApplicationSettings['namespace'];

function nameOf(given: Reused): string | undefined {
  return typeof given === 'object' ? given.name : given;
}

/** Whether the application's namespace exists, and is only used. */
export function usesExistingNamespace({ namespace }: ApplicationSettings): boolean {
  return isExisting(namespace);
}

/** Whether the service account of the application's pods exists, and is only annotated. */
export function usesExistingServiceAccount({ serviceAccount }: ApplicationSettings): boolean {
  return isExisting(serviceAccount);
}

function isExisting(given: Reused): boolean {
  return typeof given === 'object' && given.existing;
}
