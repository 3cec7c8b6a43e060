import { releaseDigest } from '../settings/releases/digest';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { planWindows } from './accessWindows';
import { accountOf, audienceOf, serviceAccountNames, usesExistingServiceAccount } from './accounts';
import { rolesByGroup, secretsByGroup } from './byGroup';
import { kindsInChart, planDependencies, servicesGroupOf } from './dependencies';
import { identityKeys } from './identityKeys';
import { planRoles } from './roles';
import { broughtSecrets, secretsReadBy } from './secrets';
import { onCluster } from './selection';
import { vaultOf } from './placement';

/** An application on one cluster. */
export type WorkloadPlan = ReturnType<typeof planWorkload>;

export function planWorkload(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
  version: string | undefined,
  isRevoked: boolean,
) {
  const [identity, ...identitiesBeside] = identityKeys(settings, cluster, application);
  const vault = vaultOf(settings, application);
  return {
    ...accountOf(application),
    /** Name in the stack. */
    key: `${cluster.name}-${application.name}`,
    /** The application's settings, with the overrides for this cluster. */
    application: onCluster(application, cluster),
    /** Version of its release, if it has a release file. */
    version,
    /** Digest of what that version runs and of the secrets that it may read. */
    digest: version === undefined ? undefined : releaseDigest(application),
    /** True if the service account already exists and the stack only annotates it. */
    existingServiceAccount: usesExistingServiceAccount(application),
    /** Names of all its service accounts, that of its pods first. */
    serviceAccounts: serviceAccountNames(application),
    /** Audience of the tokens that its pods present. */
    audience: audienceOf(settings, application),
    /** Key of the identity that it runs as. */
    identity,
    /** Keys of other generations of that identity. */
    identitiesBeside,
    /** Name of the vault that its secrets are in. */
    vault,
    /** Every secret that it reads there: those that it names, and those that its dependencies contribute. */
    secrets: secretsReadBy(application),
    /** Secrets that its dependencies contribute, to any vault. They exist only after the dependencies. */
    brought: broughtSecrets(application).map((secret) => ({ ...secret, vault: secret.vault ?? vault })),
    /** Further secrets that it reads there as a member of groups. */
    byGroup: secretsByGroup(settings.groups, application),
    /** The roles that its identities have. */
    roles: planRoles(application.roles),
    /** Further roles that it has as a member of groups. */
    rolesByGroup: rolesByGroup(settings.groups, application),
    /** Secrets that it reads there, and roles that it has, only at times. */
    windows: planWindows(settings, application, isRevoked),
    dependencies: planDependencies(settings, cluster, application),
    /** Name of the resource group of the services that its chart declares, if it declares any. */
    provisionedIn: kindsInChart(application).length > 0 ? servicesGroupOf(settings, application) : undefined,
    /** True if it may no longer sign in or read its secrets. */
    ...(isRevoked && { revoked: true as const }),
  };
}

/** Returns the secrets and roles of a workload in the form of the stack's outputs: those at all times, and those at times. */
export function namedBy(workload: WorkloadPlan) {
  const { vault, application, brought, byGroup, roles, rolesByGroup, windows } = workload;
  return {
    windows,
    grants: [
      ...application.secrets.map((secret) => ({ vault, secret })),
      ...brought,
      ...byGroup.map((grant) => ({ vault, ...grant })),
      ...roles,
      ...rolesByGroup,
    ],
  };
}
