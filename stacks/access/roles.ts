import { isMatch } from '../../components/azure/permission';
import { builtInRoles, roleName, rolesGivingAccess, rolesReadingSecrets } from '../../components/azure/roles';
import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import type { Target } from './facts';
import type { Names } from './names';
import { roleIdOf } from './names';
import type { Registered } from './registered';
import { typeIn } from './registered';

/** Built-in roles and those that the stack makes: their names, and whether they read secrets. */
export class Roles {
  /** What custom roles allow, by what stands for their GUIDs. */
  private readonly permissions = new Map<string, readonly unknown[]>();

  constructor(
    private readonly names: Names,
    resources: readonly Registered[],
  ) {
    for (const { urn, id, inputs } of resources) {
      if (typeIn(urn) !== 'azure-native:authorization:RoleDefinition') continue;
      const all: unknown = names.in(inputs.permissions);
      this.permissions.set(names.shown(roleIdOf({ id, inputs })), Array.isArray(all) ? all : []);
    }
  }

  /** A role at a scope. */
  target(role: string, scope: string): Target {
    const shown = this.names.shown(role);
    const custom = this.permissions.get(shown);
    const isKnown = custom !== undefined || nameOf(role) !== undefined;
    return {
      // What a custom role allows may change, with the same name.
      key: `${shown} on ${scope}${custom === undefined ? '' : ` ${JSON.stringify(custom)}`}`.toLowerCase(),
      text: `${this.text(role)} on ${scope}`,
      ...(!isKnown && { notJudged: 'what this role allows' }),
    };
  }

  text(role: string): string {
    return nameOf(role) ?? this.names.shown(role).replace(/^\{role (.*)\}$/, '$1');
  }

  /** Whether it may read a secret. What a custom role excludes is not looked at: that may only be less. */
  readsSecrets(role: string): boolean {
    if (role in rolesReadingSecrets) return true;
    const custom = this.permissions.get(this.names.shown(role)) ?? [];
    const allowed = custom.map(fieldsOf).flatMap(({ dataActions }) => textsOf(dataActions));
    return allowed.some((pattern) => reading.some((action) => isMatch(pattern, action)));
  }
}

/** Data actions by which the value of a secret is read. */
const reading = ['getSecret', 'backup'].map((one) => `Microsoft.KeyVault/vaults/secrets/${one}/action`);

const nameOf = (role: string): string | undefined =>
  roleName(role) ?? rolesReadingSecrets[role] ?? rolesGivingAccess[role] ?? assigned.get(role);

/** Built-in roles that the product assigns itself, by GUID: their names in words. */
const assigned: ReadonlyMap<string, string> = new Map(
  Object.entries(builtInRoles).map(([name, guid]) => [
    guid,
    name.replace(/([A-Z])/g, ' $1').replace(/^./, (first) => first.toUpperCase()),
  ]),
);

/** GUID in the id of a role definition. */
export function roleIn(definitionId: unknown): string {
  const text = textOf(definitionId);
  return (/\/roleDefinitions\/([^/]+)\/?$/i.exec(text)?.[1] ?? text).toLowerCase();
}
