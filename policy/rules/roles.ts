import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { scopeKind } from '../../components/azure/scope';
import { boundElsewhere, clusterRoleTypes, opensCluster, usesIdentities } from './clusterRoles';
import { isComponentRole } from './componentRoles';
import { builtInRole, isReaching, opened, reachingActions, type Reached } from './reach';
import { type Declared, type Rule, type StackRule } from './rule';

const guidOf = (roleDefinitionId: unknown): string =>
  /([^/]*)\/*$/.exec(textOf(roleDefinitionId).toLowerCase())?.[1] ?? '';

const roleGrants = 'aks-workload-identity:access:RoleGrants';
/** The connection writer: its role lists keys of single services and writes single secrets. */
const connectionWriter = 'aks-workload-identity:dependency:ConnectionWriter';
const connectionWriterRole = 'aks-workload-identity:dependency:ConnectionWriterRole';

/** A single secret, or the resource of a single service that has keys. */
const oneSecretOrService =
  /\/(vaults\/[^/]+\/secrets\/[^/]+|storageAccounts\/[^/]+|redis\/[^/]+|namespaces\/[^/]+\/authorizationRules\/[^/]+)$/i;

const writeSecrets = 'Microsoft.KeyVault/vaults/secrets/write';

const assignment = 'azure-native:authorization:RoleAssignment';
const customRole = 'azure-native:authorization:RoleDefinition';

/** The actions of a custom role, each with the name of its list; none for any other resource. */
function actionsOf({ permissions }: Declared['properties']): { key: string; action: string }[] {
  const lists = Array.isArray(permissions) ? permissions.map(fieldsOf) : [];
  return ['actions', 'dataActions'].flatMap((key) =>
    lists.flatMap((permission) => textsOf(permission[key])).map((action) => ({ key, action })),
  );
}

/** Describes which of the powers a built-in role grants, except roles that components assign for their own function. */
function builtInOpens(
  { within, properties }: Declared,
  refusedPowers: readonly Reached[],
): string | undefined {
  const guid = guidOf(properties.roleDefinitionId);
  const role = builtInRole(guid);
  const on = { scope: textOf(properties.scope), condition: textOf(properties.condition) };
  return role === undefined || isComponentRole(within, guid, on.scope)
    ? undefined
    : opened(role, on, refusedPowers);
}

const powers: readonly Reached[] = ['access', 'identities', 'vaults', 'clusters', 'machines'];
const lessPower =
  'Assign a role with only the needed actions. To let it assign roles, use Role Based Access Control Administrator with a condition that limits RoleDefinitionId to named roles.';
/** Actions that no custom role may have, wherever it is assigned. */
const neverCustom = [
  'Microsoft.Authorization/roleAssignments/write',
  'Microsoft.Authorization/roleDefinitions/write',
  'Microsoft.Authorization/elevateAccess/action',
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
];

/** Findings on a custom role with a refused action. The scope and condition of its assignments are unknown here. */
const withAction = (properties: Declared['properties'], refused: string, hint: string): string[] =>
  actionsOf(properties)
    .filter(({ action }) => action.toLowerCase() === refused.toLowerCase())
    .map(({ key, action }) => `${key} has "${action}". ${hint}`);

/** Rules on role assignments and custom roles. */
export const roleRules: readonly Rule[] = [
  {
    name: 'grant-on-secret',
    description:
      'Secrets are granted one by one: a role on a vault opens all its present and future secrets.',
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
            : withAction(
                properties,
                writeSecrets,
                'Only a ConnectionWriterRole may have it, on single secrets.',
              )),
        ];
      if (within.includes(connectionWriter) && !oneSecretOrService.test(textOf(properties.scope)))
        return [
          `The role that writes secrets is assigned on ${textOf(properties.scope)}. Assign it on …/vaults/<vault>/secrets/<secret> and on single services.`,
        ];
      const finding = builtInOpens(resource, ['secrets']);
      return finding === undefined ? [] : [`${finding} Assign it on …/vaults/<vault>/secrets/<secret>.`];
    },
  },
  {
    name: 'no-powerful-role',
    description:
      'Nobody gets a role that can give access, open vaults, take over identities, administer clusters or command machines: each leads to all secrets. The same holds within clusters.',
    types: [assignment, customRole, ...clusterRoleTypes],
    check(resource) {
      if (clusterRoleTypes.includes(resource.type)) return opensCluster(resource);
      if (resource.type === customRole)
        return neverCustom.flatMap((action) => withAction(resource.properties, action, lessPower));
      const finding = builtInOpens(resource, powers);
      return finding === undefined ? [] : [`${finding} ${lessPower}`];
    },
  },
  {
    name: 'wide-role',
    description:
      'An application has a role on a resource group, a subscription or a management group only with consent: the role also covers resources that others add later.',
    types: [assignment],
    check({ within, properties }, { acceptedRoles }) {
      const scope = textOf(properties.scope);
      const kind = scopeKind(scope);
      const key = `${guidOf(properties.roleDefinitionId)} ${scope}`.toLowerCase();
      if (!within.includes(roleGrants) || kind === 'resource' || acceptedRoles.includes(key)) return [];
      return [
        `It is on the ${kind ?? 'scope'} ${scope}. Assign it on the resource that is used; or, if all resources are intended, set \`scopeWiderThanResource: accepted\` in the stack file.`,
      ];
    },
  },
  {
    name: 'no-wildcard-role',
    description: 'A custom role names its actions: a wildcard also allows actions that Azure adds later.',
    types: [customRole],
    check: ({ properties }) =>
      actionsOf(properties)
        .filter(({ action }) => action.includes('*'))
        .map(({ key, action }) => `${key} has "${action}". Name each action.`),
  },
];

/** Custom roles: those of the stack are checked by their actions; others cannot be checked. */
export const customRoles: StackRule = {
  name: 'custom-role',
  description:
    'An assigned custom role is judged by its actions, like a built-in one; one from outside the stack cannot be judged.',
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
        // Both are unknown in the preview of resources that are yet to be created.
        if (guid === '' || scope === '' || builtInRole(guid) !== undefined || !isReaching(scope)) return [];
        const definition = definitions.get(guid);
        if (definition === undefined)
          return [
            {
              resource,
              problem: `The role ${guid} on ${scope} is not judged: it is neither built into Azure nor in this stack. Assign a role that is, or assign it on the resource that is used.`,
            },
          ];
        const { permissions, roleName } = definition;
        const actions = reachingActions(Array.isArray(permissions) ? permissions : []);
        const role = { name: textOf(roleName) || guid, actions };
        const finding = opened(role, { scope }, ['secrets', ...powers]);
        return finding === undefined
          ? []
          : [{ resource, problem: `${finding} Remove the action from the role.` }];
      });
    return [...ofAzure, ...boundElsewhere(resources), ...usesIdentities(resources)];
  },
};
