import { roleGuidOf } from '../../components/azure/roles';
import type { ScopeKind } from '../../components/azure/scope';
import { scopeKind } from '../../components/azure/scope';
import { grantLists } from '../settings/grantLists';
import type { StackSettings } from '../settings/schema';
import type { RoleSettings } from '../settings/schema/roles';
import type { GrantedRole } from './granted';
import { grantedKey } from './granted';

/** Returns the roles with their scopes, each once, sorted by name. */
export function planRoles(settings: readonly RoleSettings[]): GrantedRole[] {
  const all = settings.map(({ role, scope }) => ({ role: roleGuidOf(role) ?? role, scope }));
  const each = new Map(all.map((grant) => [grantedKey(grant), grant] as const));
  return [...each].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, role]) => role);
}

/** A role whose scope is wider than one resource, and its holder. */
export interface WideRole extends RoleSettings {
  /** Name of the application, or `group <name>`. */
  readonly holder: string;
  readonly kind: ScopeKind;
}

/** Returns the roles in the settings whose scope is wider than one resource. */
export function wideRoles(settings: Pick<StackSettings, 'applications' | 'groups'>): WideRole[] {
  return grantLists(settings).flatMap(({ holder, roles }) =>
    roles.flatMap((role) => {
      const kind = scopeKind(role.scope);
      return kind === undefined || kind === 'resource' ? [] : [{ ...role, holder, kind }];
    }),
  );
}
