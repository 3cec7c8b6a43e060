import { fieldsOf, scopeKind, textOf, textsOf } from '../../stacks/offline';
import { boundElsewhere, clusterRoleTypes, opensCluster } from './clusterRoles';
import { builtInRole, isOurs, isReaching, opened, reachingActions, type Reached } from './reach';
import { type Declared, type Rule, type StackRule } from './rule';

const guidOf = (roleDefinitionId: unknown): string =>
  /([^/]*)\/*$/.exec(textOf(roleDefinitionId).toLowerCase())?.[1] ?? '';

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

/** What a custom role allows, each with the list that has it; nothing of any other resource. */
function actionsOf({ permissions }: Declared['properties']): { key: string; action: string }[] {
  const all = Array.isArray(permissions) ? permissions.map(fieldsOf) : [];
  return ['actions', 'dataActions'].flatMap((key) =>
    all.flatMap((permission) => textsOf(permission[key])).map((action) => ({ key, action })),
  );
}

/** What access a role of Azure's gives to what is asked for, beside what components assign for what they are. */
function builtInOpens({ within, properties }: Declared, asked: readonly Reached[]): string | undefined {
  const guid = guidOf(properties.roleDefinitionId);
  const role = builtInRole(guid);
  const on = { scope: textOf(properties.scope), condition: textOf(properties.condition) };
  return role === undefined || isOurs(within, guid, on.scope) ? undefined : opened(role, on, asked);
}

const oneByOne = 'Assign it on …/vaults/<vault>/secrets/<secret>.';
const powers: readonly Reached[] = ['access', 'identities', 'vaults', 'clusters', 'machines'];
const lessPower =
  'Assign a role for what is needed; to let it give roles, Role Based Access Control Administrator with a condition that limits the RoleDefinitionId of the request to named ones.';
/** A custom role may have none of these, wherever it is assigned. */
const neverCustom = [
  'Microsoft.Authorization/roleAssignments/write',
  'Microsoft.Authorization/roleDefinitions/write',
  'Microsoft.Authorization/elevateAccess/action',
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
];

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
    check(resource) {
      const { type, within, properties } = resource;
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
      const what = builtInOpens(resource, ['secrets']);
      return what === undefined ? [] : [`${what} ${oneByOne}`];
    },
  },
  {
    name: 'no-powerful-role',
    description:
      'Nobody gets a role with which access can be given, vaults opened, identities taken over, clusters administrated or machines commanded: each is a way to all secrets. The same holds within clusters.',
    types: [assignment, customRole, ...clusterRoleTypes],
    check(resource) {
      if (clusterRoleTypes.includes(resource.type)) return opensCluster(resource);
      if (resource.type === customRole)
        return neverCustom.flatMap((action) => withAction(resource.properties, action, lessPower));
      const what = builtInOpens(resource, powers);
      return what === undefined ? [] : [`${what} ${lessPower}`];
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

/** Roles that are none of Azure's: those of the stack are judged, and no others can be. */
export const customRoles: StackRule = {
  name: 'custom-role',
  description:
    'A custom role is held to what it allows where it is assigned, as a built-in one; one of elsewhere cannot be judged.',
  checkAll(resources) {
    const definitions = new Map(
      resources
        .filter(({ type }) => type === customRole)
        .map(({ properties }) => [guidOf(properties.roleDefinitionId ?? properties.name), properties]),
    );
    const ofAzure = resources
      .filter(({ type }) => type === assignment)
      .flatMap((resource) => {
        const guid = guidOf(resource.properties.roleDefinitionId);
        const scope = textOf(resource.properties.scope);
        // Neither is known in the preview of what is still to be made.
        if (guid === '' || scope === '' || builtInRole(guid) !== undefined || !isReaching(scope)) return [];
        const definition = definitions.get(guid);
        if (definition === undefined)
          return [
            {
              resource,
              what: `The role ${guid} on ${scope} is not judged: it is none of Azure's, and not of this stack. Assign one of these, or the role on the resource that is used.`,
            },
          ];
        const { permissions, roleName } = definition;
        const actions = reachingActions(Array.isArray(permissions) ? permissions : []);
        const role = { name: textOf(roleName) || guid, actions };
        const what = opened(role, { scope }, ['secrets', ...powers]);
        return what === undefined ? [] : [{ resource, what: `${what} Remove the action from the role.` }];
      });
    return [...ofAzure, ...boundElsewhere(resources)];
  },
};
