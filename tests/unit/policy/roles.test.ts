import { mayAssignOnly } from '../../../components/azure/assignmentCondition';
import { found } from './found';

// What the rules on roles refuse, and what they do not.

const scope = '/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv';
const role = (guid: string) => `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
const assignment = 'azure-native:authorization:RoleAssignment';
const customRole = 'azure-native:authorization:RoleDefinition';
const user = role('4633458b-17de-408a-b874-0445c86b69e6');
const officer = role('b86a8fe4-44ce-4948-aee5-eccb2c155cd7');
const owner = role('8E3AF657-a8ff-443c-a75c-2fe8c4bcb635');
const rbacAdministrator = role('f58310d9-a9f6-439a-9e8d-f62e7b41a168');
const accessAdministrator = role('18d7d88d-d35e-4fb5-a5c3-7773c20a72d9');
const dataAccessAdministrator = role('8b54135c-b56d-4d72-a534-26097cfdc8d8');
const certificateUser = role('db79e9a7-68ee-4b58-9aeb-b90e7c24fcba');
const contributor = role('b24988ac-6180-42a0-ab88-20f7382dd24c');
const reader = role('acdd72a7-3385-48ef-bd42-f606fba81ae7');

describe('wide-role', () => {
  const within = ['aks-workload-identity:access:RoleGrants'];
  const group = '/subscriptions/s/resourceGroups/g';
  const acceptedRoles = [`acdd72a7-3385-48ef-bd42-f606fba81ae7 ${group}`.toLowerCase()];

  it.each([
    ['a role on a resource', reader, scope],
    ['a role on a resource in a resource', reader, `${scope}/keys/k`],
    ['what the settings consent to', reader, group],
    ['what the settings consent to in another case', reader.toUpperCase(), group.toUpperCase()],
  ])('allows %s', (_, roleDefinitionId, on) => {
    const properties = { roleDefinitionId, scope: on };
    expect(found('wide-role', assignment, properties, { acceptedRoles }, { within })).toEqual([]);
  });

  it('allows what the stack assigns for itself, such as to the service operator', () => {
    expect(found('wide-role', assignment, { roleDefinitionId: contributor, scope: group })).toEqual([]);
  });

  it.each([
    ['another role there', contributor, group, 'resource group'],
    ['the role on another group', reader, `${group}2`, 'resource group'],
    ['the role on the subscription', reader, '/subscriptions/s', 'subscription'],
    ['a management group', reader, '/providers/Microsoft.Management/managementGroups/m', 'management group'],
  ])('refuses %s', (_, roleDefinitionId, on, kind) => {
    const [what] = found(
      'wide-role',
      assignment,
      { roleDefinitionId, scope: on },
      { acceptedRoles },
      { within },
    );
    expect(what).toContain(`It is on the ${kind} ${on}. Assign it on the resource that is used`);
  });
});

describe('grant-on-secret', () => {
  it.each([
    ['a secret', user, `${scope}/secrets/db`],
    ['a secret in another case', user.toUpperCase(), `${scope}/SECRETS/db`],
    ['a certificate', certificateUser, `${scope}/certificates/tls`],
    ['a role that reads no secret', reader, scope],
  ])('allows %s', (_, roleDefinitionId, on) => {
    expect(found('grant-on-secret', assignment, { roleDefinitionId, scope: on })).toEqual([]);
  });

  it.each([
    ['a vault', user, scope],
    ['a group', user, '/subscriptions/s/resourceGroups/g'],
    ['all secrets', user, `${scope}/secrets/`],
    ['a version of a secret', user, `${scope}/secrets/db/1`],
    ['a vault to an officer', officer, scope],
    ['a vault to an administrator', role('00482a5a-887f-4fb3-b363-3b7fe8e74483'), scope],
    ['a vault to a user of certificates', certificateUser, scope],
    ['all certificates', certificateUser, `${scope}/certificates/`],
  ])('refuses %s', (_, roleDefinitionId, on) => {
    const [what] = found('grant-on-secret', assignment, { roleDefinitionId, scope: on });
    expect(what).toContain(` is assigned on ${on}. Assign it on `);
  });

  const getSecret = 'Microsoft.KeyVault/vaults/secrets/getSecret/action';

  it.each([[getSecret], [getSecret.toUpperCase()]])('refuses a custom role with %s', (action) => {
    const permissions = [{ dataActions: ['Microsoft.KeyVault/vaults/keys/read'] }, { dataActions: [action] }];
    expect(found('grant-on-secret', customRole, { permissions })).toEqual([
      `dataActions has "${action}". Assign Key Vault Secrets User on each secret.`,
    ]);
  });

  it('allows a custom role that reads no secret', () => {
    const permissions = [{ dataActions: ['Microsoft.KeyVault/vaults/secrets/readMetadata/action'] }];
    expect(found('grant-on-secret', customRole, { permissions })).toEqual([]);
  });

  const writeSecrets = 'Microsoft.KeyVault/vaults/secrets/write';
  const dependency = 'aks-workload-identity:dependency';

  it('refuses a custom role that writes secrets, but that of what keeps connection strings current', () => {
    const permissions = [{ actions: [writeSecrets] }];
    expect(found('grant-on-secret', customRole, { permissions })).toEqual([
      `actions has "${writeSecrets}". Only a ConnectionWriterRole has it, on single secrets.`,
    ]);
    const within = [`${dependency}:ConnectionWriterRole`];
    expect(found('grant-on-secret', customRole, { permissions }, {}, { within })).toEqual([]);
  });

  it.each([
    ['a secret', `${scope}/secrets/db`, true],
    ['a storage account', '/subscriptions/s/resourceGroups/g/providers/M.S/storageAccounts/st', true],
    ['a cache', '/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/r', true],
    ['a rule', '/subscriptions/s/resourceGroups/g/providers/M.S/namespaces/n/authorizationRules/a', true],
    ['a namespace', '/subscriptions/s/resourceGroups/g/providers/M.S/namespaces/n', false],
    ['a vault', scope, false],
    ['a group', '/subscriptions/s/resourceGroups/g', false],
  ])('lets what keeps connection strings current write on single things: %s', (_, on, allowed) => {
    const properties = { roleDefinitionId: role('3f5d0c35-0000-4000-8000-000000000000'), scope: on };
    const within = [`${dependency}:ConnectionWriter`];
    expect(found('grant-on-secret', assignment, properties, {}, { within })).toHaveLength(allowed ? 0 : 1);
  });

  it('allows an application the vault that is made for it alone', () => {
    const within = ['aks-workload-identity:dependency:AzureDependency'];
    expect(
      found('grant-on-secret', assignment, { roleDefinitionId: officer, scope }, {}, { within }),
    ).toEqual([]);
  });
});

describe('no-powerful-role', () => {
  const group = '/subscriptions/s/resourceGroups/g';
  const limited = mayAssignOnly({ roles: ['keyVaultSecretsUser'] });
  const ofPrincipals =
    "((!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})) OR (@Request[Microsoft.Authorization/roleAssignments:PrincipalType] StringEqualsIgnoreCase 'ServicePrincipal'))";
  const ofDeletion = limited.slice(limited.indexOf(' AND ((!') + ' AND '.length);

  it.each([
    ['a reader', reader, '/subscriptions/s', undefined],
    ['a contributor of a group', contributor, group, undefined],
    ['an administrator who may give named roles', rbacAdministrator, scope, limited],
    ['the same in another case', rbacAdministrator, scope, limited.toUpperCase()],
    ['an access administrator who may give named roles', accessAdministrator, scope, limited],
    ['a data access administrator who may give named roles', dataAccessAdministrator, scope, limited],
  ])('allows %s', (_, roleDefinitionId, on, condition) => {
    expect(found('no-powerful-role', assignment, { roleDefinitionId, scope: on, condition })).toEqual([]);
  });

  it.each([
    ['an owner', owner, group, 'Owner', undefined],
    ['an owner who may give named roles', owner, group, 'Owner', limited],
    ['an administrator', rbacAdministrator, scope, 'Role Based Access Control Administrator', undefined],
    ['an access administrator', accessAdministrator, scope, 'User Access Administrator', undefined],
    [
      'a data access administrator',
      dataAccessAdministrator,
      scope,
      'Key Vault Data Access Administrator',
      undefined,
    ],
    ['a blank condition', rbacAdministrator, scope, 'Role Based Access Control Administrator', ' '],
    [
      'a condition on principals alone',
      rbacAdministrator,
      scope,
      'Role Based Access Control Administrator',
      ofPrincipals,
    ],
    [
      'a condition on deletion alone',
      rbacAdministrator,
      scope,
      'Role Based Access Control Administrator',
      ofDeletion,
    ],
    ['a contributor of all', contributor, '/subscriptions/s', 'Contributor', undefined],
  ])('refuses %s', (_, roleDefinitionId, on, name, condition) => {
    expect(found('no-powerful-role', assignment, { roleDefinitionId, scope: on, condition })).toEqual([
      expect.stringContaining(`${name} is assigned on ${on}. Assign `),
    ]);
  });

  const write = 'Microsoft.Authorization/roleAssignments/write';

  it.each([[write], [write.toLowerCase()]])('refuses a custom role with %s', (action) => {
    const permissions = [{ actions: ['Microsoft.KeyVault/vaults/read'] }, { actions: [action] }];
    expect(found('no-powerful-role', customRole, { permissions })).toEqual([
      `actions has "${action}". Assign Role Based Access Control Administrator with a condition that limits the roles.`,
    ]);
  });

  it('allows a custom role that gives no access', () => {
    const permissions = [{ actions: ['Microsoft.Authorization/roleAssignments/read'], notActions: [write] }];
    expect(found('no-powerful-role', customRole, { permissions })).toEqual([]);
  });
});

describe('no-wildcard-role', () => {
  const type = customRole;
  const read = 'Microsoft.KeyVault/vaults/secrets/getSecret/action';

  it('allows named actions', () => {
    const permissions = [
      { actions: ['Microsoft.KeyVault/vaults/read'], dataActions: [read], notActions: ['*'] },
    ];
    expect(found('no-wildcard-role', type, { permissions })).toEqual([]);
  });

  it.each([
    ['actions', '*'],
    ['actions', 'Microsoft.KeyVault/*'],
    ['dataActions', 'Microsoft.KeyVault/vaults/secrets/*'],
  ])('refuses in %s: %s', (key, action) => {
    const permissions = [{}, { [key]: [read, action] }];
    expect(found('no-wildcard-role', type, { permissions })).toEqual([
      `${key} has "${action}". Name each action.`,
    ]);
  });
});
