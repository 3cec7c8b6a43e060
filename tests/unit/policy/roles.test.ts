import { mayAssignOnly } from '../../../components/azure/assignmentCondition';
import named from '../../../components/azure/builtInRoles.json';
import { onlySecrets } from '../../../components/vault/nameCondition';
import { BUILT_IN_ROLES } from '../../../localcloud/azure/identity/roles';
import { builtInRole, reachingActions } from '../../../policy/rules/reach';
import { customRoles } from '../../../policy/rules/roles';
import type { Declared } from '../../../policy/rules/rule';
import { found, nobody, usual } from './found';

// What the rules on roles refuse, and what they do not.

const scope = '/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv';
const role = (guid: string) => `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
const assignment = 'azure-native:authorization:RoleAssignment';
const customRole = 'azure-native:authorization:RoleDefinition';
const custom = '3f5d0c35-0000-4000-8000-000000000000';
const user = role('4633458b-17de-408a-b874-0445c86b69e6');
const officer = role('b86a8fe4-44ce-4948-aee5-eccb2c155cd7');
const owner = role('8E3AF657-a8ff-443c-a75c-2fe8c4bcb635');
const rbacAdministrator = role('f58310d9-a9f6-439a-9e8d-f62e7b41a168');
const accessAdministrator = role('18d7d88d-d35e-4fb5-a5c3-7773c20a72d9');
const dataAccessAdministrator = role('8b54135c-b56d-4d72-a534-26097cfdc8d8');
const certificateUser = role('db79e9a7-68ee-4b58-9aeb-b90e7c24fcba');
const contributor = role('b24988ac-6180-42a0-ab88-20f7382dd24c');
const onNames = onlySecrets(['db', 'key']);
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
    ['a vault under a condition that names the secrets', user, scope, onNames],
  ])('allows %s', (_, roleDefinitionId, on, condition = '') => {
    expect(found('grant-on-secret', assignment, { roleDefinitionId, scope: on, condition })).toEqual([]);
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
    ['a vault to a user of keys', role('12338af0-0e69-4776-bea7-57ae8d297424'), scope],
    ['all that there is', officer, '/'],
    [
      'a vault under a condition on a prefix',
      user,
      scope,
      onNames.replace('StringEquals', 'StringStartsWith'),
    ],
    ['a vault under a condition on nothing', user, scope, "!(ActionMatches{'x'})"],
    ['a vault under an alternative', user, scope, `${onNames} OR ${onNames.replace('db', 'other')}`],
    ['a vault to an officer under a condition', officer, scope, onNames],
    ['a group under a condition', user, '/subscriptions/s/resourceGroups/g', onNames],
  ])('refuses %s', (_, roleDefinitionId, on, condition = '') => {
    const [what] = found('grant-on-secret', assignment, { roleDefinitionId, scope: on, condition });
    expect(what).toMatch(
      / is assigned on .+\. Its holder can read secrets or use keys \(Microsoft\.KeyVault\/vaults\/\w+\/\w+\/action\)\. Assign it on /,
    );
    expect(what).toContain(on);
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

  it('refuses a custom role that writes secrets, except that of the writer of connection strings', () => {
    const permissions = [{ actions: [writeSecrets] }];
    expect(found('grant-on-secret', customRole, { permissions })).toEqual([
      `actions has "${writeSecrets}". Only a ConnectionWriterRole may have it, on single secrets.`,
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
  ])('lets the writer of connection strings have its role on single resources: %s', (_, on, allowed) => {
    const properties = { roleDefinitionId: role('3f5d0c35-0000-4000-8000-000000000000'), scope: on };
    const within = [`${dependency}:ConnectionWriter`];
    expect(found('grant-on-secret', assignment, properties, {}, { within })).toHaveLength(allowed ? 0 : 1);
  });
});

describe('no-powerful-role', () => {
  const subscription = '/subscriptions/s';
  const group = `${subscription}/resourceGroups/g`;
  const management = '/providers/Microsoft.Management/managementGroups/m';
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id`;
  const cluster = `${group}/providers/Microsoft.ContainerService/managedClusters/aks`;
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/st`;
  const identityOperator = role('f1a07417-d97a-45cb-824c-7a7467783830');
  const identityContributor = role('e40ec5ca-96e0-45a2-b4ff-59039f2c2b59');
  const vaultContributor = role('f25e0fa2-a7c8-4377-a976-54943a77a395');
  const clusterWriter = role('a7ffa36f-339b-4b5c-8bdf-e2c188b2c0eb');
  const clusterAdmin = role('0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8');
  const machineContributor = role('9980e02c-c2be-4d73-94e8-173b1dc7cf3c');
  const machineAdministrator = role('1c0163c0-47e6-4577-8991-ea5c82e286e4');
  const openShiftDisks = role('5b7237c5-45e1-49d6-bc18-a1f62f400748');
  const compute = `${group}/providers/Microsoft.Compute`;
  const nodes = `${compute}/virtualMachineScaleSets/aks-nodes`;
  const limited = mayAssignOnly({ roles: ['keyVaultSecretsUser'] });
  const ofPrincipals =
    "((!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})) OR (@Request[Microsoft.Authorization/roleAssignments:PrincipalType] StringEqualsIgnoreCase 'ServicePrincipal'))";
  const ofDeletion = limited.slice(limited.indexOf(' AND ((!') + ' AND '.length);
  const powers = (roleDefinitionId: string, on: string, condition?: string, within: string[] = []) =>
    found('no-powerful-role', assignment, { roleDefinitionId, scope: on, condition }, {}, { within });

  it.each([
    ['a reader', reader, subscription, undefined],
    ['a contributor of a service', contributor, account, undefined],
    ['a role on identities on a vault', identityOperator, scope, undefined],
    ['a writer of clusters on an identity', clusterWriter, identity, undefined],
    ['a cluster reader', role('7f6c6a51-bcf8-42ba-9220-52d62157d7db'), subscription, undefined],
    ['an administrator who may give named roles', rbacAdministrator, scope, limited],
    ['the same in another case', rbacAdministrator, scope, limited.toUpperCase()],
    ['a data access administrator who may give named roles', dataAccessAdministrator, scope, limited],
    ['a contributor of machines on a disk', machineContributor, `${compute}/disks/d`, undefined],
    ['a reader of nodes', reader, nodes, undefined],
    ["a role that is not Azure's, which custom-role judges", role(custom), group, undefined],
  ])('allows %s', (_, roleDefinitionId, on, condition) => {
    expect(powers(roleDefinitionId, on, condition)).toEqual([]);
  });

  const gives = 'assign roles (Microsoft.Authorization/roleAssignments/write)';
  it.each([
    ['an owner', owner, group, `Owner is assigned on ${group}. Its holder can ${gives}, open`, undefined],
    ['an owner of a service', owner, account, gives, undefined],
    ['an owner by an id with a slash at its end', `${owner}/`, group, gives, undefined],
    ['an owner who may give named roles', owner, group, 'assign roles (', limited],
    ['an administrator', rbacAdministrator, scope, gives, undefined],
    ['an access administrator', accessAdministrator, scope, gives, undefined],
    ['one who writes role definitions', accessAdministrator, scope, 'roleDefinitions/write', limited],
    ['a data access administrator', dataAccessAdministrator, scope, gives, undefined],
    ['a blank condition', rbacAdministrator, scope, gives, ' '],
    ['a condition on principals alone', rbacAdministrator, scope, gives, ofPrincipals],
    ['a condition on deletion alone', rbacAdministrator, scope, gives, ofDeletion],
    [
      'a condition that excludes',
      rbacAdministrator,
      scope,
      gives,
      limited.replace('GuidEquals', 'GuidNotEquals'),
    ],
    [
      'a condition that names a role which gives roles',
      rbacAdministrator,
      scope,
      gives,
      mayAssignOnly({ roles: ['keyVaultSecretsUser', { guid: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635' }] }),
    ],
    ['a contributor of all', contributor, subscription, 'open vaults (', undefined],
    ['a contributor of a group', contributor, group, 'administer clusters (', undefined],
    [
      'an operator of identities above',
      identityOperator,
      management,
      'userAssignedIdentities/assign/',
      undefined,
    ],
    ['an operator of one identity', identityOperator, identity, 'take over identities (', undefined],
    [
      'a contributor of identities',
      identityContributor,
      group,
      'federatedIdentityCredentials/write',
      undefined,
    ],
    ['a contributor of one vault', vaultContributor, scope, 'Microsoft.KeyVault/vaults/write', undefined],
    ['a writer of a cluster', clusterWriter, cluster, 'managedClusters/secrets/read', undefined],
    ['an administrator of clusters', clusterAdmin, group, 'listClusterAdminCredential', undefined],
    [
      'a contributor of machines',
      machineContributor,
      group,
      'run as root on machines, such as nodes (',
      undefined,
    ],
    ['the same of all', machineContributor, subscription, 'run as root on machines', undefined],
    ['a contributor of nodes', contributor, nodes, 'virtualMachineScaleSets/write', undefined],
    ['a contributor of one node', machineContributor, `${nodes}/virtualMachines/0`, 'run as root', undefined],
    ['a contributor of a machine', contributor, `${compute}/virtualMachines/vm`, 'run as root', undefined],
    ['who signs in to machines', machineAdministrator, group, 'virtualMachines/loginAsAdmin/', undefined],
  ])('refuses %s', (_, roleDefinitionId, on, what, condition) => {
    expect(powers(roleDefinitionId, on, condition)).toEqual([expect.stringContaining(what)]);
  });

  const own = (type: string) => [`aks-workload-identity:${type}`];
  it.each([
    ['the service operator on the group of its services', 'stacks:Cluster', contributor, group],
    ['a pipeline on its groups', 'identity:PipelineIdentity', contributor, group],
    ['a pipeline that previews', 'identity:PipelineIdentity', clusterAdmin, group],
    ['aad-pod-identity on single identities', 'podIdentity:PodIdentity', identityOperator, identity],
    ['aad-pod-identity on the group of the nodes', 'podIdentity:PodIdentity', machineContributor, group],
    ['a hosted cluster on its own group', 'hypershift:HostedClusterIdentities', openShiftDisks, group],
  ])('allows %s, but not wider, and nobody else', (_, type, roleDefinitionId, on) => {
    expect(powers(roleDefinitionId, on, undefined, own(type))).toEqual([]);
    expect(powers(roleDefinitionId, subscription, undefined, own(type))).toHaveLength(1);
    expect(powers(roleDefinitionId, on, undefined, [...own(type), 'my:other:Component'])).toHaveLength(1);
    expect(powers(owner, on, undefined, own(type))).toHaveLength(1);
  });

  it('allows an application its own vault', () => {
    const within = own('dependency:AzureDependency');
    const secrets = (roleDefinitionId: string, on: string) =>
      found('grant-on-secret', assignment, { roleDefinitionId, scope: on }, {}, { within });
    expect(secrets(officer, scope)).toEqual([]);
    expect(secrets(officer, group)).toHaveLength(1);
  });

  it.each([
    ['Microsoft.Authorization/roleAssignments/write'],
    ['Microsoft.Authorization/roleDefinitions/write'],
    ['microsoft.authorization/elevateaccess/action'],
    ['Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write'],
  ])('refuses a custom role with %s', (action) => {
    const permissions = [{ actions: ['Microsoft.KeyVault/vaults/read'] }, { actions: [action] }];
    expect(found('no-powerful-role', customRole, { permissions })).toEqual([
      expect.stringMatching(`^actions has "${action}". Assign a role with only the needed actions`),
    ]);
  });

  it('allows a custom role that grants no access', () => {
    const write = 'Microsoft.Authorization/roleAssignments/write';
    const permissions = [{ actions: ['Microsoft.Authorization/roleAssignments/read'], notActions: [write] }];
    expect(found('no-powerful-role', customRole, { permissions })).toEqual([]);
  });
});

describe('custom-role', () => {
  const group = '/subscriptions/s/resourceGroups/g';
  const cluster = `${group}/providers/Microsoft.ContainerService/managedClusters/aks`;
  const run = 'Microsoft.ContainerService/managedClusters/runCommand/action';
  const resourceOf = (type: string, properties: object): Declared => ({
    ...{ type, name: 'one', isCustom: true, within: [] },
    properties: { ...properties },
  });
  const definition = (permission: object) =>
    resourceOf(customRole, { roleDefinitionId: custom, roleName: 'Runner', permissions: [permission] });
  const assigned = (on: string, guid = custom) =>
    resourceOf(assignment, { roleDefinitionId: role(guid), scope: on });
  const findings = (...resources: Declared[]) =>
    customRoles.checkAll(resources, usual, nobody).map(({ problem }) => problem);

  it.each([
    ['a role that reaches nothing', { actions: ['Microsoft.KeyVault/vaults/read'] }, group],
    ['what a role does not allow after all', { actions: ['*'], notActions: ['Microsoft.*'] }, group],
    ['what is nothing on the resource', { actions: [run] }, scope],
  ])('allows %s', (_, permission, on) => {
    expect(findings(definition(permission), assigned(on))).toEqual([]);
  });

  it.each([
    ['on a cluster', { actions: [run] }, cluster, run],
    ['on a group', { actions: ['Microsoft.ContainerService/*'] }, group, 'managedClusters/write'],
    [
      'of data',
      { dataActions: ['Microsoft.KeyVault/vaults/secrets/getSecret/action'] },
      '/subscriptions/s',
      'read secrets or use keys (',
    ],
  ])('refuses what a role of the stack allows %s', (_, permission, on, what) => {
    const [finding = '', ...others] = findings(assigned(on), definition(permission));
    expect(others).toEqual([]);
    expect(finding).toContain(`Runner is assigned on ${on}. Its holder can `);
    expect(finding).toContain(what);
    expect(finding).toContain('Remove the action from the role.');
  });

  const nodes = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/nodes`;
  it.each([[group], [scope], [cluster], [nodes], ['/subscriptions/s']])(
    'does not judge a role of elsewhere on %s, and says so',
    (on) => {
      expect(findings(assigned(on))).toEqual([
        expect.stringContaining(`The role ${custom} on ${on} is not judged: `),
      ]);
    },
  );

  it.each([
    ['where nothing is in reach', assigned(`${scope}/secrets/db`)],
    ['a built-in role', assigned(group, 'b24988ac-6180-42a0-ab88-20f7382dd24c')],
    ['what is not known yet', resourceOf(assignment, { scope: group })],
  ])('leaves %s', (_, resource) => expect(findings(resource)).toEqual([]));
});

it('the table of built-in roles agrees with the permissions in the local cloud', () => {
  for (const { name, permission } of BUILT_IN_ROLES)
    expect([name, builtInRole(name)?.actions]).toEqual([name, reachingActions([permission])]);
});

it('the table has every role that can be named', () => {
  expect(Object.values(named).filter((guid) => builtInRole(guid) === undefined)).toEqual([]);
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
