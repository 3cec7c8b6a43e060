import fc from 'fast-check';
import { fitName, isValidName } from '../../../components/azure/naming';
import { tryParseResourceId } from '../../../components/azure/resourceId';
import { credentialName, subjectOf } from '../../../components/identity/subjects';
import {
  builtInRoles,
  roleAssignmentName,
  roleDefinitionId,
  roleGuidOf,
  roleName,
  roleNames,
  rolesGivingAccess,
} from '../../../components/azure/roles';
import { group, ids } from './support/azure';

// What these do not prove: that Azure's rules are those of the table; the local cloud's tests and Azure do.

const labelCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789-'.split('');
const dnsLabel = fc
  .string({ unit: fc.constantFrom(...labelCharacters), minLength: 1, maxLength: 63 })
  .filter((text) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text));
const accountName = fc.array(dnsLabel, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
const account = fc.record({ namespace: dnsLabel, serviceAccount: accountName });

describe('names', () => {
  it.each([
    ['keyVault', 'kv-wi-local', true],
    ['keyVault', 'abc', true],
    ['keyVault', 'ab', false],
    ['keyVault', 'a--b', false],
    ['keyVault', '1abc', false],
    ['keyVault', 'abc-', false],
    ['keyVault', 'a'.repeat(24), true],
    ['keyVault', 'a'.repeat(25), false],
    ['keyVaultSecret', 'a', true],
    ['keyVaultSecret', 'a_b', false],
    ['keyVaultSecret', 'a'.repeat(128), false],
    ['userAssignedIdentity', 'id_x-1', true],
    ['userAssignedIdentity', '_id', false],
    ['resourceGroup', 'rg.', false],
    ['resourceGroup', 'rg(1)', true],
    ['namespace', 'a', true],
    ['namespace', 'A', false],
    ['namespace', 'a.b', false],
    ['namespace', 'a'.repeat(64), false],
    ['serviceAccount', 'a.b', true],
    ['serviceAccount', 'a..b', false],
    ['managedCluster', 'aks_1', true],
    ['managedCluster', 'aks_', false],
  ] as const)('%s %p: %p', (type, name, valid) => {
    expect(isValidName(type, name)).toBe(valid);
  });
});

describe('names of federated credentials', () => {
  it('are readable', () => {
    expect(credentialName({ namespace: 'orders', serviceAccount: 'orders.api' })).toBe('orders_orders__api');
  });

  it('are valid, and their beginning is that of the account, whatever its length', () => {
    fc.assert(
      fc.property(account, (serviceAccount) => {
        const name = credentialName(serviceAccount);
        expect(name).toMatch(/^[a-zA-Z0-9]{1}[a-zA-Z0-9-_]{2,119}$/);
        expect(name.startsWith(`${serviceAccount.namespace}_`)).toBe(true);
      }),
    );
  });

  it('differ for different accounts', () => {
    fc.assert(
      fc.property(account, account, (a, b) => {
        expect(credentialName(a) === credentialName(b)).toBe(subjectOf(a) === subjectOf(b));
      }),
    );
    expect(credentialName({ namespace: 'a-b', serviceAccount: 'c' })).not.toBe(
      credentialName({ namespace: 'a', serviceAccount: 'b-c' }),
    );
  });

  it('differ where they are shortened', () => {
    const long = 'x'.repeat(100);
    const names = ['1', '2'].map((end) =>
      credentialName({ namespace: 'n'.repeat(63), serviceAccount: long + end }),
    );

    expect(names[0]).toHaveLength(120);
    expect(names[0]).not.toBe(names[1]);
    expect(fitName('federatedIdentityCredential', 'short')).toBe('short');
  });
});

describe('the subject of a service account', () => {
  it('is as Kubernetes writes it', () => {
    expect(subjectOf({ namespace: 'orders', serviceAccount: 'api' })).toBe(
      'system:serviceaccount:orders:api',
    );
  });
});

describe('the name of a role assignment', () => {
  it('is a GUID of version 5, the same each time', () => {
    fc.assert(
      fc.property(fc.string(), fc.uuid(), (scope, principalId) => {
        const name = roleAssignmentName(scope, principalId, 'reader');
        expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(roleAssignmentName(scope, principalId, 'reader')).toBe(name);
      }),
    );
  });

  it('differs with scope, principal and role, for a recreated identity above all', () => {
    const names = [
      roleAssignmentName(`${group}/secrets/a`, ids.tenant, 'reader'),
      roleAssignmentName(`${group}/secrets/b`, ids.tenant, 'reader'),
      roleAssignmentName(`${group}/secrets/a`, ids.subscription, 'reader'),
      roleAssignmentName(`${group}/secrets/a`, ids.tenant, 'contributor'),
    ];

    expect(new Set(names).size).toBe(4);
  });

  it('does not change: a change would replace every assignment of every stack', () => {
    expect(
      roleAssignmentName(
        '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/db',
        '66666666-6666-4666-8666-666666666666',
        'keyVaultSecretsUser',
      ),
    ).toBe('2c8518d2-d714-5150-905a-df0ab8d5b5fc');
  });

  it('is the same for ids that differ in case only', () => {
    const scope = `${group}/providers/Microsoft.KeyVault/vaults/kv`;

    expect(roleAssignmentName(scope.toUpperCase(), 'A', 'reader')).toBe(
      roleAssignmentName(scope, 'a', 'reader'),
    );
  });
});

describe('resource ids', () => {
  it('are read without regard to case, and keep the case of names', () => {
    expect(
      tryParseResourceId('/Subscriptions/S/resourcegroups/Rg/PROVIDERS/microsoft.keyvault/Vaults/Kv'),
    ).toEqual({
      subscriptionId: 'S',
      resourceGroupName: 'Rg',
      type: 'microsoft.keyvault/Vaults',
      name: 'Kv',
    });
  });

  it.each(['', 'kv', group, `${group}/providers/Microsoft.KeyVault/vaults/kv/secrets/db`])(
    '%p is none',
    (id) => {
      expect(tryParseResourceId(id)).toBeUndefined();
    },
  );

  it('give the full id of a role in their subscription', () => {
    expect(roleDefinitionId(group, 'keyVaultSecretsUser')).toBe(
      `/subscriptions/${ids.subscription}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`,
    );
    expect(roleDefinitionId('/providers/Microsoft.Management/managementGroups/mg', 'reader')).toBe(
      '/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7',
    );
  });

  const vault = `${group}/providers/Microsoft.KeyVault/vaults/kv`;
  it.each([
    '/',
    '',
    `${vault}/secrets/`,
    `${vault}/secrets/..`,
    `${vault}/secrets/a/../b`,
    `${vault}/secrets/*`,
    `${group}/`,
  ])('give no role on an incomplete id or one with ..: %p', (scope) => {
    expect(() => roleDefinitionId(scope, 'keyVaultSecretsUser')).toThrow(/not a scope for role assignments/);
  });
});

describe('names of roles', () => {
  const guid = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1';

  it.each([
    'Storage Blob Data Reader',
    'storage blob data reader',
    guid,
    guid.toUpperCase(),
    `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
    `/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
  ])('give the GUID: %s', (reference) => {
    expect(roleGuidOf(reference)).toBe(guid);
  });

  it.each(['Storage Blob Reader', '', 'x/roleDefinitions/y', `${guid}/x`])('give none: %s', (reference) => {
    expect(roleGuidOf(reference)).toBeUndefined();
  });

  it('are unique, and include those of the roles that the components assign', () => {
    const found = roleNames.map(roleGuidOf);
    expect(new Set(found).size).toBe(roleNames.length);
    for (const [role, name] of [
      ['keyVaultSecretsUser', 'Key Vault Secrets User'],
      ['rbacAdministrator', 'Role Based Access Control Administrator'],
      ['storageBlobDataContributor', 'Storage Blob Data Contributor'],
    ] as const) {
      expect(roleName(builtInRoles[role])).toBe(name);
    }
    expect(Object.entries(rolesGivingAccess).map(([guid, name]) => roleGuidOf(name) === guid)).not.toContain(
      false,
    );
  });
});
