import { builtInRoles, roleName } from '../../components/azure/roles';

// What an identity or a group may do. Reading a secret is one role at one scope; it has a form of its own because a vault may
// also grant it with an access policy.

/** A secret of a vault, both by name. */
export interface GrantedSecret {
  readonly vault: string;
  readonly secret: string;
}

/** A role at a scope. */
export interface GrantedRole {
  /** GUID of the role. */
  readonly role: string;
  /** Id of the resource or other scope that the role is assigned on. */
  readonly scope: string;
}

export type Granted = GrantedSecret | GrantedRole;

/** Vaults by name. */
type Vaults = Readonly<Record<string, { readonly id: string }>>;

type RoleIn<T extends Granted> = Extract<T, GrantedRole>;
type SecretIn<T extends Granted> = Extract<T, GrantedSecret>;

export const isRole = <T extends Granted>(granted: T): granted is RoleIn<T> => 'role' in granted;

export const rolesIn = <T extends Granted>(all: readonly T[]): RoleIn<T>[] => all.filter(isRole);

export const secretsIn = <T extends Granted>(all: readonly T[]): SecretIn<T>[] =>
  all.filter((grant): grant is SecretIn<T> => !isRole(grant));

/** Returns `<vault>/<secret>` or `<role> on <scope>`; a well-known role is shown by name. */
export function grantedName(granted: Granted): string {
  return isRole<Granted>(granted)
    ? `${roleName(granted.role) ?? granted.role} on ${granted.scope}`
    : `${granted.vault}/${granted.secret}`;
}

/** Returns a key that is unique to the grant: Azure compares names and ids case-insensitively. */
export function grantedKey(granted: Granted): string {
  return grantedName(granted).toLowerCase();
}

/** Returns the role whose assignment gives the grant. For a secret, it applies in vaults with role assignments. */
export function roleOf(granted: Granted, vaults: Vaults): GrantedRole {
  return isRole<Granted>(granted)
    ? granted
    : {
        role: builtInRoles.keyVaultSecretsUser,
        scope: `${vaults[granted.vault]?.id ?? ''}/secrets/${granted.secret}`,
      };
}

/** Returns the secrets and roles that a workload has at all times or only at times. */
export const everGranted = ({
  grants,
  windows,
}: Record<'grants' | 'windows', readonly Granted[]>): Granted[] => [...grants, ...windows];

/** Returns the roles that workloads have only at times, each with its workload. */
export function rolesAtTimes<T extends { readonly windows: readonly Granted[] }>(
  workloads: readonly T[],
  vaults: Vaults,
) {
  return workloads.flatMap((workload) =>
    workload.windows.map((granted) => ({ workload, granted, ...roleOf(granted, vaults) })),
  );
}
