import { builtInRoles, fieldsOf, rolesGivingAccess } from '../../stacks/offline';
import { textOf, textsOf, type Rule } from './rule';

/** Roles that read the values of secrets. */
const readingSecrets: Readonly<Record<string, string>> = {
  '00482a5a-887f-4fb3-b363-3b7fe8e74483': 'Key Vault Administrator',
  [builtInRoles.keyVaultSecretsOfficer]: 'Key Vault Secrets Officer',
  [builtInRoles.keyVaultSecretsUser]: 'Key Vault Secrets User',
};

const guidOf = (roleDefinitionId: unknown): string =>
  textOf(roleDefinitionId).split('/').at(-1)?.toLowerCase() ?? '';

/** A vault that Azure Service Operator makes for one application is its own: it keeps its secrets in it. */
const ownVault = 'aks-workload-identity:dependency:AzureDependency';

const assignment = 'azure-native:authorization:RoleAssignment';

/** Role assignments: secrets one by one, and no role that gives more than it is for. */
export const roleRules: readonly Rule[] = [
  {
    name: 'grant-on-secret',
    description: 'Secrets are granted one by one: a role on a vault opens all that it has and will have.',
    types: [assignment],
    check({ within, properties }) {
      const role = readingSecrets[guidOf(properties.roleDefinitionId)];
      if (role === undefined || within.includes(ownVault)) return [];
      const scope = textOf(properties.scope);
      return /\/vaults\/[^/]+\/secrets\/[^/]+$/i.test(scope)
        ? []
        : [`${role} is assigned on ${scope}. Assign it on …/vaults/<vault>/secrets/<secret>.`];
    },
  },
  {
    name: 'no-powerful-role',
    description:
      'Nobody gets a role with which access can be given without a condition that limits it, and nobody Contributor beyond a resource group.',
    types: [assignment],
    check({ properties }) {
      const guid = guidOf(properties.roleDefinitionId);
      const scope = textOf(properties.scope);
      const giving = rolesGivingAccess[guid];
      if (giving !== undefined && textOf(properties.condition) === '')
        return [`${giving} is assigned on ${scope}. Assign a role for what is needed, or add a condition.`];
      return guid === builtInRoles.contributor && !/\/resourceGroups\//i.test(scope)
        ? [
            `Contributor is assigned on ${scope}. Assign it on a resource group, or a role for what is needed.`,
          ]
        : [];
    },
  },
  {
    name: 'no-wildcard-role',
    description: 'A custom role names its actions: a wildcard allows also what Azure adds later.',
    types: ['azure-native:authorization:RoleDefinition'],
    check({ properties: { permissions } }) {
      const all = Array.isArray(permissions) ? permissions.map(fieldsOf) : [];
      return ['actions', 'dataActions'].flatMap((key) =>
        all
          .flatMap((permission) => textsOf(permission[key]))
          .filter((action) => action.includes('*'))
          .map((action) => `${key} has "${action}". Name each action.`),
      );
    },
  },
];
