import type { VaultAccess } from '../../components/vault/access';
import type { VaultFirewall, VaultPrivateEndpoint } from '../../components/vault/arguments';
import { grantLists } from '../settings/grantLists';
import type { ApplicationSettings, ExistingId, GroupSettings, StackSettings } from '../settings/schema';
import type { ClusterIdentities } from './clusterIdentities';
import type { GroupPlan } from './groups';
import type { ClusterPart } from './parts';
import type { SharedIdentityPlan } from './sharedIdentities';
import { hasOwnVault, vaultOf } from './placement';
import { secretsBroughtTo, secretsElsewhere, secretsReadBy } from './secrets';
import { storesCredentials } from './storedCredentials';

/** The right to read secrets of a vault. A grantee has one for all its secrets, because Azure assigns a role only once. */
interface VaultGrantPlan {
  /** Name of the grant in the stack, such as the key of the identity. */
  readonly grantee: string;
  /** The identity or the group in a message; undefined for a part of a cluster. */
  readonly who?: string;
  readonly isGroup?: boolean;
  /** True for an identity that an application has on all its clusters. */
  readonly isShared?: boolean;
  readonly secrets: readonly string[];
  /** True if the grantee has one role on the vault, under a condition that names its secrets. */
  readonly byCondition?: boolean;
}

/** Tells whether the stack of the environment has the grant, not those of its cells. */
export const isOfEnvironment = ({
  isGroup = false,
  isShared = false,
}: Pick<VaultGrantPlan, 'isGroup' | 'isShared'>): boolean => isGroup || isShared;

/** A vault, with every secret that an application reads from it, and every grant on it. */
export interface VaultPlan {
  /** Name in Azure. */
  readonly name: string;
  /** Id of an existing vault, which the stack only uses. */
  readonly existing?: ExistingId;
  readonly access: VaultAccess;
  /** The application that owns the vault; undefined for the central vault. */
  readonly application?: string;
  readonly secrets: readonly string[];
  readonly grants: readonly VaultGrantPlan[];
  readonly retainOnDelete: boolean;
  readonly firewall?: VaultFirewall;
  readonly privateEndpoints?: readonly VaultPrivateEndpoint[];
  /** True if a lock protects the vault from deletion. */
  readonly lock?: boolean;
  /** Tags in addition to the environment's. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Tells whether the environment has a central vault. It has none if every application has its own and nothing else needs it. */
function hasCentralVault(settings: StackSettings, clusters: readonly ReadersOnCluster[]): boolean {
  return (
    settings.vaults === 'central' ||
    storesCredentials(settings) ||
    settings.groups.some(({ secrets }) => secrets.length > 0) ||
    clusters.some(({ parts }) => parts.some(({ secrets }) => secrets.length > 0)) ||
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
 * Returns the central vault, if there is one, and those of single applications, each with every secret that is read from it and
 * every grant on it.
 */
export function planVaults(
  settings: StackSettings,
  clusters: readonly ReadersOnCluster[],
  groups: readonly GroupPlan[],
  shared: readonly SharedIdentityPlan[],
): VaultPlan[] {
  const { vault: central, applications, retainOnDelete } = settings;
  const planVault = (name: string, own: VaultSettings, application?: ApplicationSettings): VaultPlan => {
    const access = own.access ?? central.access;
    const byCondition = access === 'rbac' && (own.grants ?? central.grants) === 'condition';
    const secrets =
      application === undefined
        ? secretsEverReadBy(
            applications.filter((other) => !hasOwnVault(settings, other)),
            settings.groups,
          )
        : secretsEverReadBy([application]);
    const read = readIn(settings, name);
    return {
      ...{ name, access, ...(application && { application: application.name }) },
      secrets: withBrought(settings, name, secrets),
      grants: [
        ...clusters.flatMap((cluster) => grantsOnCluster(settings, name, byCondition, cluster, read)),
        ...shared.map(({ key, application: owner, revoked }) => ({
          ...{ grantee: key, who: `the identity of ${owner}`, isShared: true, byCondition },
          secrets: readBy(read, revoked ? [] : [owner]),
        })),
        ...groups.filter(({ vault }) => vault === name).map((group) => grantOfGroup(group, byCondition)),
      ].filter((grant) => grant.secrets.length > 0),
      retainOnDelete: own.retainOnDelete ?? application?.retainOnDelete ?? retainOnDelete,
      ...surroundingsOf(own, central),
    };
  };
  return [
    ...(hasCentralVault(settings, clusters) ? [planVault(central.name, central)] : []),
    ...applications
      .filter((application) => hasOwnVault(settings, application))
      .map((application) => planVault(vaultOf(settings, application), application.vault ?? {}, application)),
  ];
}

/** The identities on a cluster, and its parts, which read secrets of the central vault. */
type ReadersOnCluster = Pick<ClusterIdentities, 'identities'> & { readonly parts: readonly ClusterPart[] };

function grantsOnCluster(
  settings: StackSettings,
  vault: string,
  byCondition: boolean,
  { identities, parts }: ReadersOnCluster,
  read: SecretsRead,
): VaultGrantPlan[] {
  return [
    ...identities
      .filter(
        ({ sharedAs, applications }) => sharedAs === undefined && applications.some((name) => read.has(name)),
      )
      .map(({ key, applications, revoked = [] }) => ({
        ...{ grantee: key, who: `the identity of ${applications.join(', ')}`, byCondition },
        secrets: readBy(
          read,
          applications.filter((name) => !revoked.includes(name)),
        ),
      })),
    // Several parts may have the same reader, so its role is on each secret.
    ...(vault === settings.vault.name ? parts.map(({ grantee, secrets }) => ({ grantee, secrets })) : []),
  ];
}

/** Secrets of a vault by the name of the application that reads them; without applications that read none. */
type SecretsRead = ReadonlyMap<string, readonly string[]>;

function readIn(settings: StackSettings, vault: string): SecretsRead {
  return new Map(
    settings.applications.flatMap((application) => {
      const own = vaultOf(settings, application) === vault ? secretsReadBy(application) : [];
      const secrets = withBrought({ applications: [application] }, vault, own);
      return secrets.length === 0 ? [] : [[application.name, secrets]];
    }),
  );
}

/** Returns the secrets that the named applications read. */
function readBy(read: SecretsRead, names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => read.get(name) ?? []))].sort();
}

function grantOfGroup({ name, grantee, secrets }: GroupPlan, byCondition: boolean): VaultGrantPlan {
  return { grantee, who: `the members of the group ${name}`, isGroup: true, secrets, byCondition };
}

/** Returns the secrets of a vault, including those that dependencies of any application contribute by naming it. */
function withBrought(
  { applications }: Pick<StackSettings, 'applications'>,
  vault: string,
  secrets: readonly string[],
): string[] {
  const brought = applications.flatMap(secretsElsewhere).filter((grant) => grant.vault === vault);
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

/** Returns the secrets that are read at all times or only at times. */
function secretsEverReadBy(
  applications: readonly ApplicationSettings[],
  groups: readonly GroupSettings[] = [],
): string[] {
  const named = grantLists({ applications, groups }).flatMap(({ secrets }) => secrets);
  return [...named, ...applications.flatMap(secretsBroughtTo)];
}
