import { defaultAudience, type ServiceAccountReference } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, ExistingId, StackSettings } from '../settings/schema';
import { type SubjectPlan, subjectsOf } from './accounts';
import { existingFor, existingForAll } from './existingIdentity';
import type { GrantedRole } from './granted';
import { type BindingPlan, planBinding } from './identityBinding';
import { generationKeys, hasOwnIdentity, sharedKey } from './identityKeys';
import { isRevoked } from './revoked';
import { planRoles } from './roles';
import { shardOf } from './shards';
import { isServicePrincipal, planStoredCredential } from './storedCredentials';
import type { IdentitySettings, StoredCredentialPlan } from './storedCredentials';

/** An identity on one cluster, with its trust and its roles. The vaults have the grants to read secrets. */
export interface IdentityPlan {
  /**
   * Name in the stack: `<cluster>`, `<cluster>-<application>`, `<cluster>-s<shard>`, `<cluster>-<reconciler>`, or one of these
   * with `-aso`, or with `-g<generation>` from the second on.
   */
  readonly key: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** Id of an existing identity, which the stack only uses. */
  readonly existing?: ExistingId;
  readonly retainOnDelete: boolean;
  /** A managed identity in Azure, or an application of its own in Entra. */
  readonly kind: 'managedIdentity' | 'servicePrincipal';
  /** The stored credential that it signs in with; undefined if it signs in with federation. */
  readonly credential?: StoredCredentialPlan;
  /** Owner: the cluster itself, a shard of it, one application, or the service operator and the reconcilers (`operator`). */
  readonly scope: 'cluster' | 'shard' | 'application' | 'operator';
  /** Its generation, if the settings list generations. */
  readonly generation?: { readonly number: number; readonly inUse: boolean };
  /** The applications that run as it, or as another generation of it. */
  readonly applications: readonly string[];
  /** Revoked applications among these: the identity neither trusts them nor may read for them. */
  readonly revoked?: readonly string[];
  /** The service accounts that it trusts with federated credentials. */
  readonly subjects: readonly SubjectPlan[];
  /** Its AKS identity binding on the cluster, if applications use it through one. */
  readonly binding?: BindingPlan;
  /** Key of the shared identity, which has the grants, if the application has the same identity on all its clusters. */
  readonly sharedAs?: string;
  /** The roles that it has. */
  readonly roleGrants: readonly GrantedRole[];
}

/** The part of an identity that does not follow from the applications that run as it. */
type IdentityBase = Pick<
  IdentityPlan,
  'key' | 'scope' | 'existing' | 'retainOnDelete' | 'generation' | 'sharedAs'
> &
  Partial<Pick<IdentityPlan, 'kind' | 'credential'>>;

function azureNameOf(environment: string, key: string): string {
  return `id-${environment}-${key}`;
}

/** @param isWhole whether all applications that run as the identity are revoked, regardless of their own revocations */
function planIdentity(
  environment: string,
  settings: StackSettings,
  { credential, ...base }: IdentityBase,
  applications: readonly ApplicationSettings[] = [],
  isWhole = false,
): IdentityPlan {
  const revoked = applications.filter(({ name }) => isWhole || isRevoked(settings, 'applications', name));
  const trusted = applications.filter((application) => !revoked.includes(application));
  const azureName = azureNameOf(environment, base.key);
  const binding = planBinding(settings, { azureName, ...base }, trusted);
  return {
    kind: 'managedIdentity',
    ...base,
    azureName,
    applications: applications.map(({ name }) => name),
    ...(revoked.length > 0 && { revoked: revoked.map(({ name }) => name) }),
    // A stored credential belongs to one application. If that is revoked, it has no credential to sign in with.
    ...(credential !== undefined && revoked.length === 0 && { credential }),
    // An application that signs in with aad-pod-identity is not trusted.
    subjects:
      credential === undefined
        ? trusted
            .filter(({ signIn, trust }) => signIn !== 'podIdentity' && trust !== 'identityBinding')
            .flatMap((application) => subjectsOf(settings, application))
        : [],
    ...(binding && { binding }),
    roleGrants: planRoles(base.sharedAs === undefined ? trusted.flatMap(({ roles }) => roles) : []),
  };
}

export function kindOf(identity: IdentitySettings): IdentityPlan['kind'] {
  return isServicePrincipal(identity) ? 'servicePrincipal' : 'managedIdentity';
}

/** Returns every generation of an identity, the one in use first. */
function generationsOf(
  base: IdentityBase,
  generations: readonly number[] | undefined,
  plan: (base: IdentityBase) => IdentityPlan,
): [IdentityPlan, ...IdentityPlan[]] {
  const generation = (place: number) => {
    const number = generations?.[place];
    return number === undefined ? {} : { generation: { number, inUse: place === 0 } };
  };
  const [inUse, ...beside] = generationKeys(base.key, generations);
  return [
    plan({ ...base, key: inUse, ...generation(0) }),
    ...beside.map((key) => plan({ ...base, key, ...generation(1) })),
  ];
}

/**
 * Returns the identities of a cluster for the applications `here`. The cluster's own identity is first, even if nothing runs as
 * it.
 */
export function planIdentities(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  here: readonly ApplicationSettings[],
  now: Date,
): [IdentityPlan, ...IdentityPlan[]] {
  const plan = (
    base: IdentityBase,
    applications: readonly ApplicationSettings[],
    generations = cluster.identityGenerations,
  ) => {
    // Revoking one generation of an identity revokes all of them.
    const names = generationKeys(base.key, generations).map((key) => azureNameOf(environment, key));
    const isWhole =
      isRevoked(settings, 'clusters', cluster.name) ||
      (base.existing === undefined ? names : [base.existing.name]).some((azureName) =>
        isRevoked(settings, 'identities', azureName),
      );
    return generationsOf(base, generations, (generation) =>
      planIdentity(environment, settings, generation, applications, isWhole),
    );
  };
  const { name } = cluster;
  const retainOnDelete = cluster.retainOnDelete ?? settings.retainOnDelete;
  const shared = here.filter((application) => !hasOwnIdentity(settings, application));
  const dedicated = here.filter((application) => hasOwnIdentity(settings, application));
  const shards = settings.shard ? [...new Set(shared.map(({ name }) => shardOf(name)))].sort() : [];
  return [
    ...plan(
      { key: name, scope: 'cluster', existing: cluster.identity?.existing, retainOnDelete },
      settings.shard ? [] : shared,
    ),
    ...shards.flatMap((shard) =>
      plan(
        { key: `${name}-${shard}`, scope: 'shard', retainOnDelete },
        shared.filter((application) => shardOf(application.name) === shard),
      ),
    ),
    ...dedicated.flatMap((application) =>
      plan(
        {
          key: `${name}-${application.name}`,
          scope: 'application',
          kind: kindOf(application.identity),
          credential: planStoredCredential(`${name}-${application.name}`, application.identity, now),
          existing: existingFor(application, cluster),
          ...(existingForAll(application) && { sharedAs: sharedKey(application) }),
          retainOnDelete: application.retainOnDelete ?? settings.retainOnDelete,
        },
        [application],
        application.identityGenerations ?? [],
      ),
    ),
  ];
}

/** Default of `retainOnDelete`: that of the cluster. */
export type ProgramIdentityBase = Omit<IdentityBase, 'scope' | 'retainOnDelete'> &
  Partial<Pick<IdentityBase, 'retainOnDelete'>>;

/**
 * Returns the identity of a program that the stack installs on the cluster. It trusts the program's service account, or nobody
 * if it has a stored credential or if the cluster is revoked.
 */
export function programIdentity(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  account: ServiceAccountReference,
  base: ProgramIdentityBase,
): IdentityPlan {
  const { retainOnDelete = cluster.retainOnDelete ?? settings.retainOnDelete } = base;
  const trustsNobody = base.credential !== undefined || isRevoked(settings, 'clusters', cluster.name);
  return {
    ...planIdentity(environment, settings, { ...base, retainOnDelete, scope: 'operator' }),
    subjects: trustsNobody ? [] : [{ ...account, audience: defaultAudience }],
  };
}
