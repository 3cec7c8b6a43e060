import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { secretsNamedBy } from '../../components/vault/nameCondition';
import { builtInRoles } from '../../components/azure/roles';
import type { GrantedRole } from '../plan/granted';
import type { Target } from './facts';
import type { Names } from './names';
import type { RegisteredStack } from './registered';
import { typeIn } from './registered';
import { roleIn } from './roles';

/** Target of a secret in a vault. */
export function secretTarget(vault: string, secret: string): Target {
  const name = vault.split('/').at(-1) ?? '';
  return { key: `${vault}/secrets/${secret}`.toLowerCase(), text: `${name}/${secret}` };
}

/** Id of a secret in a vault: the vault's id and the secret's name. */
export const secretScope = /^(.*\/vaults\/[^/]+)\/secrets\/([^/]+)$/i;

/**
 * Returns the secrets to which a condition limits Key Vault Secrets User on a vault; undefined for any other assignment.
 * @param assignment the role is a GUID
 */
export function secretsNamedOn({
  role,
  scope,
  condition = '',
}: GrantedRole & { readonly condition?: string | undefined }): string[] | undefined {
  const isOnVault = role === builtInRoles.keyVaultSecretsUser && /\/vaults\/[^/]+$/i.test(scope);
  return isOnVault ? secretsNamedBy(condition) : undefined;
}

/** The vaults that a stack's resources name, and their secrets. */
export class Vaults {
  /** Names of the secrets by vault id. */
  readonly secrets = new Map<string, Set<string>>();
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly names: Names,
    { resources, outputs }: RegisteredStack,
  ) {
    for (const { urn, id, inputs, outputs: own } of resources) {
      const type = typeIn(urn);
      if (type === 'azure-native:keyvault:Vault') this.learn(textOf(id), textOf(inputs.vaultName));
      else if (type === 'aks-workload-identity:vault:KeyVault') {
        const vaultId = textOf(own.id);
        this.learn(vaultId, vaultId.split('/').at(-1) ?? '');
      }
    }
    for (const { urn, inputs } of resources) {
      if (typeIn(urn) === 'azure-native:keyvault:Secret')
        this.secretsOf(this.idOf(textOf(inputs.vaultName))).add(textOf(inputs.secretName));
      const [, vault, secret] = secretScope.exec(names.shown(textOf(inputs.scope))) ?? [];
      if (vault !== undefined && secret !== undefined) this.secretsOf(vault.toLowerCase()).add(secret);
      const [role, condition] = [roleIn(inputs.roleDefinitionId), textOf(inputs.condition)];
      const scope = names.shown(textOf(inputs.scope));
      for (const name of secretsNamedOn({ role, scope, condition }) ?? [])
        this.secretsOf(scope.toLowerCase()).add(name);
    }
    for (const [name, vault] of Object.entries(fieldsOf(outputs.vaults)))
      for (const secret of textsOf(fieldsOf(vault).secrets)) this.secretsOf(this.idOf(name)).add(secret);
  }

  /** Returns the id of a vault by its name. */
  idOf(name: string): string {
    return this.ids.get(name.toLowerCase()) ?? `/vaults/${name.toLowerCase()}`;
  }

  /** Returns the names of the secrets of a vault, which may be added to. */
  secretsOf(vault: string): Set<string> {
    const known = this.secrets.get(vault) ?? new Set();
    this.secrets.set(vault, known);
    return known;
  }

  private learn(id: string, name: string): void {
    const key = this.names.shown(id === '' ? `/vaults/${name}` : id).toLowerCase();
    if (name !== '' && !(id === '' && this.ids.has(name.toLowerCase())))
      this.ids.set(name.toLowerCase(), key);
  }
}
