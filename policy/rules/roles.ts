import {
  builtInRoles,
  fieldsOf,
  rolesGivingAccess,
  rolesReadingSecrets,
  scopeKind,
} from '../../stacks/offline';
import { textOf, textsOf, type Declared, type Rule } from './rule';

const guidOf = (roleDefinitionId: unknown): string =>
  textOf(roleDefinitionId).split('/').at(-1)?.toLowerCase() ?? '';

/** A vault that Azure Service Operator makes for one application is its own: it keeps its secrets in it. */
const ownVault = 'aks-workload-identity:dependency:AzureDependency';

const roleGrants = 'aks-workload-identity:access:RoleGrants';
/** The connection writer: its role lists keys and writes secrets, of single ones only. */
const connectionWriter = 'aks-workload-identity:dependency:ConnectionWriter';
const connectionWriterRole = 'aks-workload-identity:dependency:ConnectionWriterRole';

/** A single secret, or what of a single service has keys. */
const oneSecretOrService =
  /\/(vaults\/[^/]+\/secrets\/[^/]+|storageAccounts\/[^/]+|redis\/[^/]+|namespaces\/[^/]+\/authorizationRules\/[^/]+)$/i;

const writeSecrets = 'Microsoft.KeyVault/vaults/secrets/write';

const assignment = 'azure-native:authorization:RoleAssignment';
const customRole = 'azure-native:authorization:RoleDefinition';

/** A condition that limits the roles which may be given: only what is written has attributes of the request. */
const limitsRoles = /@Request\[Microsoft\.Authorization\/roleAssignments:RoleDefinitionId\]/i;

/** What a custom role allows, each with the list that has it; nothing of any other resource. */
function actionsOf({ permissions }: Declared['properties']): { key: string; action: string }[] {
  const all = Array.isArray(permissions) ? permissions.map(fieldsOf) : [];
  return ['actions', 'dataActions'].flatMap((key) =>
    all.flatMap((permission) => textsOf(permission[key])).map((action) => ({ key, action })),
  );
}

/** What is wrong with a custom role that has an action: where it is assigned, and with which condition, is not seen. */
const withAction = (properties: Declared['properties'], refused: string, remedy: string): string[] =>
  actionsOf(properties)
    .filter(({ action }) => action.toLowerCase() === refused.toLowerCase())
    .map(({ key, action }) => `${key} has "${action}". ${remedy}`);

/** Role assignments: secrets one by one, and no role that gives more than it is for. */
export const roleRules: readonly Rule[] = [
  {
    name: 'grant-on-secret',
    description: 'Secrets are granted one by one: a role on a vault opens all that it has and will have.',
    types: [assignment, customRole],
    check({ type, within, properties }) {
      if (type === customRole)
        return [
          ...withAction(
            properties,
            'Microsoft.KeyVault/vaults/secrets/getSecret/action',
            'Assign Key Vault Secrets User on each secret.',
          ),
          ...(within.includes(connectionWriterRole)
            ? []
            : withAction(properties, writeSecrets, 'Only a ConnectionWriterRole has it, on single secrets.')),
        ];
      if (within.includes(connectionWriter) && !oneSecretOrService.test(textOf(properties.scope)))
        return [
          `The role that writes secrets is assigned on ${textOf(properties.scope)}. Assign it on …/vaults/<vault>/secrets/<secret>, and on single services.`,
        ];
      const role = rolesReadingSecrets[guidOf(properties.roleDefinitionId)];
      if (role === undefined || within.includes(ownVault)) return [];
      const scope = textOf(properties.scope);
      return /\/vaults\/[^/]+\/(secrets|certificates)\/[^/]+$/i.test(scope)
        ? []
        : [`${role} is assigned on ${scope}. Assign it on …/vaults/<vault>/secrets/<secret>.`];
    },
  },
  {
    name: 'no-powerful-role',
    description:
      'Nobody gets Owner, or a role with which access can be given without a condition that limits the roles, or Contributor beyond a resource group.',
    types: [assignment, customRole],
    check({ type, properties }) {
      if (type === customRole)
        return withAction(
          properties,
          'Microsoft.Authorization/roleAssignments/write',
          'Assign Role Based Access Control Administrator with a condition that limits the roles.',
        );
      const guid = guidOf(properties.roleDefinitionId);
      const scope = textOf(properties.scope);
      const giving = rolesGivingAccess[guid];
      if (giving === 'Owner') return [`Owner is assigned on ${scope}. Assign a role for what is needed.`];
      if (giving !== undefined && !limitsRoles.test(textOf(properties.condition)))
        return [
          `${giving} is assigned on ${scope}. Assign a role for what is needed, or add a condition that limits the RoleDefinitionId of the request.`,
        ];
      return guid === builtInRoles.contributor && !/\/resourceGroups\//i.test(scope)
        ? [
            `Contributor is assigned on ${scope}. Assign it on a resource group, or a role for what is needed.`,
          ]
        : [];
    },
  },
  {
    name: 'wide-role',
    description:
      'An application has a role on a resource group, a subscription or a management group only with consent: it covers also what others add later.',
    types: [assignment],
    check({ within, properties }, { acceptedRoles }) {
      const scope = textOf(properties.scope);
      const kind = scopeKind(scope);
      const key = `${guidOf(properties.roleDefinitionId)} ${scope}`.toLowerCase();
      if (!within.includes(roleGrants) || kind === 'resource' || acceptedRoles.includes(key)) return [];
      return [
        `It is on the ${kind ?? 'scope'} ${scope}. Assign it on the resource that is used; or, if all of them are meant, write \`scopeWiderThanResource: accepted\` in the settings.`,
      ];
    },
  },
  {
    name: 'no-wildcard-role',
    description: 'A custom role names its actions: a wildcard allows also what Azure adds later.',
    types: [customRole],
    check: ({ properties }) =>
      actionsOf(properties)
        .filter(({ action }) => action.includes('*'))
        .map(({ key, action }) => `${key} has "${action}". Name each action.`),
  },
];
