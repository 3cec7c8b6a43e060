import { isMatch } from '../../components/azure/permission';
import { roleName, rolesReadingSecrets } from '../../components/azure/roles';
import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import type { Target } from './facts';
import type { Names } from './names';
import { roleIdOf } from './names';
import type { Registered } from './registered';
import { typeIn } from './registered';

/** Names of built-in roles and of the stack's custom roles, and whether they read secrets. */
export class Roles {
  /** Permissions of custom roles by the names of their GUIDs. */
  private readonly permissions = new Map<string, readonly unknown[]>();

  constructor(
    private readonly names: Names,
    resources: readonly Registered[],
  ) {
    for (const { urn, id, inputs } of resources) {
      if (typeIn(urn) !== 'azure-native:authorization:RoleDefinition') continue;
      const permissions: unknown = names.in(inputs.permissions);
      this.permissions.set(
        names.shown(roleIdOf({ id, inputs })),
        Array.isArray(permissions) ? permissions : [],
      );
    }
  }

  /** Returns the target of a role on a scope. */
  target(role: string, scope: string): Target {
    const shown = this.names.shown(role);
    const custom = this.permissions.get(shown);
    const isKnown = custom !== undefined || roleName(role) !== undefined;
    return {
      // The permissions of a custom role may change under the same name.
      key: `${shown} on ${scope}${custom === undefined ? '' : ` ${JSON.stringify(custom)}`}`.toLowerCase(),
      text: `${this.text(role)} on ${scope}`,
      ...(!isKnown && { notJudged: 'what this role allows' }),
    };
  }

  text(role: string): string {
    return roleName(role) ?? this.names.shown(role).replace(/^\{role (.*)\}$/, '$1');
  }

  /** Tells whether the role may read secrets. Exclusions of a custom role are ignored: they only reduce access. */
  readsSecrets(role: string): boolean {
    if (role in rolesReadingSecrets) return true;
    const custom = this.permissions.get(this.names.shown(role)) ?? [];
    const allowed = custom.map(fieldsOf).flatMap(({ dataActions }) => textsOf(dataActions));
    return allowed.some((pattern) => reading.some((action) => isMatch(pattern, action)));
  }
}

/** Data actions that read the value of a secret. */
const reading = ['getSecret', 'backup'].map((name) => `Microsoft.KeyVault/vaults/secrets/${name}/action`);

/** Returns the GUID in the id of a role definition. */
export function roleIn(definitionId: unknown): string {
  const text = textOf(definitionId);
  return (/\/roleDefinitions\/([^/]+)\/?$/i.exec(text)?.[1] ?? text).toLowerCase();
}
