import type { VaultAccess } from '../../components/vault/access';
import type { VaultFirewall, VaultPrivateEndpoint } from '../../components/vault/arguments';
import { grantLists } from '../settings/grantLists';
import type { ApplicationSettings, ExistingId, GroupSettings, StackSettings } from '../settings/schema';
import type { ClusterPart } from './parts';
import { secretsBroughtTo, secretsElsewhere, secretsReadBy } from './secrets';
import { storesCredentials } from './storedCredentials';

/** A vault, with every secret that an application reads from it. */
export interface VaultPlan {
  /** Name in Azure. */
  readonly name: string;
  /** Id of an existing vault, which the stack only uses. */
  readonly existing?: ExistingId;
  readonly access: VaultAccess;
  /** True if each grantee has one role on the vault, under a condition that names its secrets. */
  readonly byCondition?: boolean;
  /** The application that owns the vault; undefined for the central vault. */
  readonly application?: string;
  readonly secrets: readonly string[];
  readonly retainOnDelete: boolean;
  readonly firewall?: VaultFirewall;
  readonly privateEndpoints?: readonly VaultPrivateEndpoint[];
  /** True if a lock protects the vault from deletion. */
  readonly lock?: boolean;
  /** Tags in addition to the environment's. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Tells whether the application has its secrets in a vault of its own. */
export function hasOwnVault(
  { vaults }: Pick<StackSettings, 'vaults'>,
  { vault }: Pick<ApplicationSettings, 'vault'>,
): boolean {
  return (vault?.placement ?? vaults) === 'perApplication';
}

/** Returns the name of the vault that the application's secrets are in. */
export function vaultOf(
  { vault, vaults }: Pick<StackSettings, 'vault' | 'vaults'>,
  application: Pick<ApplicationSettings, 'vault' | 'name'>,
): string {
  if (!hasOwnVault({ vaults }, application)) return vault.name;
  return application.vault?.name ?? `${vault.name}-${application.name}`;
}

/** Tells whether the environment has a central vault. It has none if every application has its own and nothing else needs it. */
function hasCentralVault(settings: StackSettings, parts: readonly ClusterPart[]): boolean {
  return (
    settings.vaults === 'central' ||
    storesCredentials(settings) ||
    settings.groups.some(({ secrets }) => secrets.length > 0) ||
    parts.some(({ secrets }) => secrets.length > 0) ||
    settings.applications.some(
      (application) =>
        !hasOwnVault(settings, application) ||
        secretsElsewhere(application).some(({ vault }) => vault === settings.vault.name),
    )
  );
}

/** Returns the secrets that have a value but are named by no application and no group. */
export function unnamedSecrets(settings: StackSettings): string[] {
  const named = new Set([
    ...secretsEverReadBy(settings.applications, settings.groups),
    ...settings.applications.flatMap(secretsElsewhere).map(({ secret }) => secret),
  ]);
  return Object.keys(settings.secretValues)
    .filter((name) => !named.has(name))
    .sort();
}

/**
 * Returns the central vault, if there is one, and those of single applications, each with every secret that is read from it.
 */
export function planVaults(settings: StackSettings, parts: readonly ClusterPart[]): VaultPlan[] {
  const { vault: central, applications, groups, retainOnDelete } = settings;
  const vaults: VaultPlan[] = applications
    .filter((application) => hasOwnVault(settings, application))
    .map((application) => {
      const own: VaultSettings = application.vault ?? {};
      return {
        name: vaultOf(settings, application),
        ...accessOf(own, central),
        application: application.name,
        secrets: withBrought(settings, vaultOf(settings, application), secretsEverReadBy([application])),
        retainOnDelete: own.retainOnDelete ?? application.retainOnDelete ?? retainOnDelete,
        ...surroundingsOf(own, central),
      };
    });
  if (!hasCentralVault(settings, parts)) return vaults;
  const sharing = applications.filter((application) => !hasOwnVault(settings, application));
  return [
    {
      name: central.name,
      ...accessOf(central, central),
      secrets: withBrought(settings, central.name, secretsEverReadBy(sharing, groups)),
      retainOnDelete: central.retainOnDelete ?? retainOnDelete,
      ...surroundingsOf(central, central),
    },
    ...vaults,
  ];
}

function accessOf(vault: VaultSettings, central: StackSettings['vault']) {
  const access = vault.access ?? central.access;
  const byCondition = access === 'rbac' && (vault.grants ?? central.grants) === 'condition';
  return { access, ...(byCondition && { byCondition }) };
}

/** Returns the secrets of a vault, including those that dependencies of any application contribute by naming it. */
function withBrought(
  { applications }: Pick<StackSettings, 'applications'>,
  vault: string,
  secrets: readonly string[],
): string[] {
  const brought = applications.flatMap(secretsElsewhere).filter((one) => one.vault === vault);
  return [...new Set([...secrets, ...brought.map(({ secret }) => secret)])].sort();
}

type VaultSettings = Partial<Omit<NonNullable<ApplicationSettings['vault']>, 'name'>>;

/**
 * Returns the settings of a vault's surroundings. An existing vault stays as it is; a new one takes missing settings from
 * `central`.
 */
function surroundingsOf(vault: VaultSettings, central: VaultSettings) {
  if (vault.existing !== undefined) return { existing: vault.existing };
  const { privateEndpoints = central.privateEndpoints } = vault;
  return {
    firewall: vault.network ?? central.network,
    privateEndpoints: privateEndpoints?.map(({ subnet, privateDnsZone }) => ({
      subnet,
      privateDnsZone: privateDnsZone?.id,
    })),
    lock: vault.lock ?? central.lock,
    tags: vault.tags ?? central.tags,
  };
}

/** Returns one grant for each vault, however many applications share the identity: a role can be assigned only once. */
export function grantsOf(settings: StackSettings, applications: readonly ApplicationSettings[]) {
  const vaults = new Set([
    ...applications.map((application) => vaultOf(settings, application)),
    ...applications.flatMap(secretsElsewhere).map(({ vault }) => vault),
  ]);
  return [...vaults]
    .map((vault) => {
      const here = applications.filter((application) => vaultOf(settings, application) === vault);
      return {
        vault,
        secrets: withBrought({ applications: [...applications] }, vault, here.flatMap(secretsReadBy)),
      };
    })
    .filter(({ secrets }) => secrets.length > 0);
}

/** Returns the secrets that are read at all times or only at times. */
function secretsEverReadBy(
  applications: readonly ApplicationSettings[],
  groups: readonly GroupSettings[] = [],
): string[] {
  const named = grantLists({ applications, groups }).flatMap(({ secrets }) => secrets);
  return [...named, ...applications.flatMap(secretsBroughtTo)];
}
