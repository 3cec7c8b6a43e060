import { builtInRoles, roleName } from '../../components/azure/roles';

// What an identity or a group may do. Reading a secret is one role at one scope, and has a form of its own since a vault may
// also give it by an access policy.

/** A secret of a vault, both by name. */
export interface GrantedSecret {
  readonly vault: string;
  readonly secret: string;
}

/** A role at a scope. */
export interface GrantedRole {
  /** GUID of the role. */
  readonly role: string;
  /** Id of what it is assigned on. */
  readonly scope: string;
}

export type Granted = GrantedSecret | GrantedRole;

type RoleIn<T extends Granted> = Extract<T, GrantedRole>;
type SecretIn<T extends Granted> = Extract<T, GrantedSecret>;

export const isRole = <T extends Granted>(granted: T): granted is RoleIn<T> => 'role' in granted;

export const rolesIn = <T extends Granted>(all: readonly T[]): RoleIn<T>[] => all.filter(isRole);

export const secretsIn = <T extends Granted>(all: readonly T[]): SecretIn<T>[] =>
  all.filter((one): one is SecretIn<T> => !isRole(one));

/** `<vault>/<secret>`, or `<role> on <scope>`, with the name of a well-known role. */
export function grantedName(granted: Granted): string {
  return isRole<Granted>(granted)
    ? `${roleName(granted.role) ?? granted.role} on ${granted.scope}`
    : `${granted.vault}/${granted.secret}`;
}

/** What tells it from others: Azure tells neither names nor ids apart by case. */
export function grantedKey(granted: Granted): string {
  return grantedName(granted).toLowerCase();
}

/** The role by whose assignment it is granted; of a secret, in a vault with role assignments. */
export function roleOf(
  granted: Granted,
  vaults: Readonly<Record<string, { readonly id: string }>>,
): GrantedRole {
  return isRole<Granted>(granted)
    ? granted
    : {
        role: builtInRoles.keyVaultSecretsUser,
        scope: `${vaults[granted.vault]?.id ?? ''}/secrets/${granted.secret}`,
      };
}
