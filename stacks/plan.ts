import type { VaultAccess } from '../components/keyVaultAccess';
import type { ServiceAccountReference } from '../components/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from './schema';

// What a configuration comes to, worked out without making anything: who is who, who reads what. The checks
// and the compositions both go by it, so that what was checked is what is made.

/** A vault and every secret that the stack knows in it. */
export interface VaultPlan {
  /** Name in Azure. */
  readonly name: string;
  readonly access: VaultAccess;
  /** The application that it is for; undefined for the central vault. */
  readonly application?: string;
  readonly secrets: readonly string[];
}

/** What an identity may read in one vault. */
export interface GrantPlan {
  readonly vault: string;
  readonly secrets: readonly string[];
}

/** An identity on one cluster, and everything that hangs on it. */
export interface IdentityPlan {
  /** Name in the stack: `<cluster>` or `<cluster>-<application>`. */
  readonly key: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** The applications that run as it. */
  readonly applications: readonly string[];
  readonly subjects: readonly ServiceAccountReference[];
  readonly grants: readonly GrantPlan[];
}

/** An application on one cluster. */
export interface WorkloadPlan extends ServiceAccountReference {
  /** Name in the stack: `<cluster>-<application>`. */
  readonly key: string;
  readonly application: ApplicationSettings;
  /** Key of the identity that it runs as. */
  readonly identity: string;
  /** Name of the vault that its secrets are in. */
  readonly vault: string;
}

/** One cluster and what is on it. */
export interface ClusterPlan {
  readonly settings: ClusterSettings;
  /** The cluster's own identity first, then the dedicated ones. */
  readonly identities: readonly [IdentityPlan, ...IdentityPlan[]];
  /** The service operator's identity: no application runs as it. */
  readonly operator: Pick<IdentityPlan, 'key' | 'azureName'>;
  readonly namespaces: readonly string[];
  readonly workloads: readonly WorkloadPlan[];
}

/** One environment. */
export interface EnvironmentPlan {
  readonly vaults: readonly VaultPlan[];
  /** Secrets with a value that no application names (any more). They stay in the central vault; nobody reads them. */
  readonly kept: readonly string[];
  readonly clusters: readonly ClusterPlan[];
}

/** What `settings` come to in the environment (the stack) of the given name. */
export function planEnvironment(environment: string, settings: StackSettings): EnvironmentPlan {
  return {
    vaults: planVaults(settings),
    kept: keptSecrets(settings),
    clusters: settings.clusters.map((cluster) => planCluster(environment, settings, cluster)),
  };
}

/** Whether the application has its secrets in a vault of its own. */
export function hasOwnVault(settings: StackSettings, application: ApplicationSettings): boolean {
  return (application.vault?.placement ?? settings.vaults) === 'perApplication';
}

/** Whether the application runs as an identity of its own. */
export function hasOwnIdentity(settings: StackSettings, application: ApplicationSettings): boolean {
  return (application.identity ?? settings.identity) === 'application';
}

/** Name of the vault that the application's secrets are in. */
export function vaultOf(settings: StackSettings, application: ApplicationSettings): string {
  if (!hasOwnVault(settings, application)) return settings.vault.name;
  return application.vault?.name ?? `${settings.vault.name}-${application.name}`;
}

/** Whether the environment has a central vault: it is not made for nobody, where every application has its own. */
function hasCentralVault(settings: StackSettings): boolean {
  return (
    settings.vaults === 'central' ||
    settings.applications.some((application) => !hasOwnVault(settings, application))
  );
}

/**
 * Secrets with a value that no application names. Dropping an application from the file deletes no secret, and putting
 * it back finds it again. Not where access policies decide: whoever has one would read them.
 */
export function keptSecrets(settings: StackSettings): string[] {
  if (!hasCentralVault(settings) || settings.vault.access !== 'rbac') return [];
  const named = new Set(settings.applications.flatMap(({ secrets }) => secrets));
  return Object.keys(settings.secretValues)
    .filter((name) => !named.has(name))
    .sort();
}

function planVaults(settings: StackSettings): VaultPlan[] {
  const own = settings.applications.filter((application) => hasOwnVault(settings, application));
  const central = settings.applications.filter((application) => !hasOwnVault(settings, application));
  return [
    ...(hasCentralVault(settings)
      ? [
          {
            name: settings.vault.name,
            access: settings.vault.access,
            secrets: [...secretsOf(central), ...keptSecrets(settings)].sort(),
          },
        ]
      : []),
    ...own.map((application) => ({
      name: vaultOf(settings, application),
      access: application.vault?.access ?? settings.vault.access,
      application: application.name,
      secrets: secretsOf([application]),
    })),
  ];
}

function planCluster(environment: string, settings: StackSettings, cluster: ClusterSettings): ClusterPlan {
  const here = settings.applications.filter(({ clusters }) => clusters?.includes(cluster.name) ?? true);
  const identity = (suffix: string, applications: readonly ApplicationSettings[]): IdentityPlan => ({
    key: `${cluster.name}${suffix}`,
    azureName: `id-${environment}-${cluster.name}${suffix}`,
    applications: applications.map(({ name }) => name),
    subjects: applications.map(accountOf),
    grants: grantsOf(settings, applications),
  });
  const dedicated = here.filter((application) => hasOwnIdentity(settings, application));
  const shared = here.filter((application) => !hasOwnIdentity(settings, application));
  return {
    settings: cluster,
    identities: [
      identity('', shared),
      ...dedicated.map((application) => identity(`-${application.name}`, [application])),
    ],
    operator: { key: `${cluster.name}-aso`, azureName: `id-${environment}-${cluster.name}-aso` },
    namespaces: [...new Set(here.map((application) => accountOf(application).namespace))].sort(),
    workloads: here.map((application) => ({
      ...accountOf(application),
      key: `${cluster.name}-${application.name}`,
      application,
      identity: hasOwnIdentity(settings, application) ? `${cluster.name}-${application.name}` : cluster.name,
      vault: vaultOf(settings, application),
    })),
  };
}

function accountOf({ name, namespace, serviceAccount }: ApplicationSettings): ServiceAccountReference {
  return { namespace: namespace ?? name, serviceAccount: serviceAccount ?? name };
}

/** One grant a vault, whatever number of applications share the identity: a role can be assigned only once. */
function grantsOf(settings: StackSettings, applications: readonly ApplicationSettings[]): GrantPlan[] {
  const vaults = [...new Set(applications.map((application) => vaultOf(settings, application)))];
  return vaults
    .map((vault) => ({
      vault,
      secrets: secretsOf(applications.filter((application) => vaultOf(settings, application) === vault)),
    }))
    .filter(({ secrets }) => secrets.length > 0);
}

function secretsOf(applications: readonly ApplicationSettings[]): string[] {
  return [...new Set(applications.flatMap(({ secrets }) => secrets))].sort();
}
