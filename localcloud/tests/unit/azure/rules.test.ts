import fc from 'fast-check';
import { matchPath } from '../../../azure/arm/endpoint';
import { parseResourceId } from '../../../azure/arm/resourceId';
import { changePolicies } from '../../../azure/arm/resources/accessPolicies';
import { vaultNameProblem } from '../../../azure/arm/resources/vaultRules';
import { covers } from '../../../azure/identity/access';
import { permits } from '../../../azure/identity/actions';
import { BUILT_IN_ROLES, roleDefinition } from '../../../azure/identity/roles';
import { isAligned, isWithin, overlap } from '../../../azure/network';
import { tunnelRefusal } from '../../../azure/server/proxy';

const roleNamed = (name: string) => {
  const found = BUILT_IN_ROLES.find((role) => role.roleName === name);
  if (found === undefined) throw new Error(`no role ${name}`);
  return found.permission;
};

describe('paths and ids', () => {
  it('matches literals in any case and keeps parameters as they are', () => {
    const template = '/subscriptions/{subscriptionId}/resourceGroups/{name}';
    expect(matchPath(template, ['SUBSCRIPTIONS', 'S', 'resourcegroups', 'Rg'])?.params).toEqual({
      subscriptionId: 'S',
      name: 'Rg',
    });
    expect(matchPath(template, ['subscriptions', 'S', 'resourceGroups'])).toBeUndefined();
  });

  it('returns the scope of an extension resource', () => {
    const match = matchPath('{scope}/providers/A.B/roleAssignments/{name}', [
      'subscriptions',
      's',
      'providers',
      'A.B',
      'roleassignments',
      'n',
    ]);
    expect(match).toEqual({ scope: '/subscriptions/s', params: { name: 'n' } });
  });

  it('takes ids apart', () => {
    const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v/secrets/x';
    expect(parseResourceId(id)).toEqual({
      subscriptionId: 's',
      resourceGroup: 'g',
      namespace: 'Microsoft.KeyVault',
      type: 'Microsoft.KeyVault/vaults/secrets',
      names: ['v', 'x'],
    });
    expect(parseResourceId('/subscriptions/s/resourceGroups')).toBeUndefined();
    expect(parseResourceId(`${id}/y`)).toBeUndefined();
  });
});

describe('roles', () => {
  const secrets = 'Microsoft.KeyVault/vaults/secrets';
  const storage = 'Microsoft.Storage/storageAccounts';
  const blobs = `${storage}/blobServices/containers/blobs`;
  const messages = `${storage}/queueServices/queues/messages`;
  const entities = `${storage}/tableServices/tables/entities`;
  const bus = 'Microsoft.ServiceBus/namespaces/messages';
  const OPENSHIFT = 'Azure Red Hat OpenShift';
  const HOSTED = `${OPENSHIFT} Hosted Control Planes`;
  const NETWORK = 'Microsoft.Network';
  it.each([
    ['Key Vault Secrets User', `${secrets}/getSecret/action`, 'data', true],
    ['Key Vault Secrets User', `${secrets}/setSecret/action`, 'data', false],
    ['Key Vault Secrets Officer', `${secrets}/purge/action`, 'data', true],
    ['Key Vault Reader', `${secrets}/getSecret/action`, 'data', false],
    ['Key Vault Reader', `${secrets}/readMetadata/action`, 'data', true],
    ['Key Vault Crypto User', `${secrets}/getSecret/action`, 'data', false],
    ['Owner', `${secrets}/getSecret/action`, 'data', false],
    ['Owner', 'Microsoft.Authorization/roleAssignments/write', 'control', true],
    ['Contributor', 'Microsoft.Authorization/roleAssignments/write', 'control', false],
    ['Contributor', 'Microsoft.Authorization/roleAssignments/read', 'control', true],
    ['Contributor', 'microsoft.keyvault/VAULTS/write', 'control', true],
    ['Reader', 'Microsoft.KeyVault/vaults/write', 'control', false],
    ['Managed Identity Operator', 'Microsoft.ManagedIdentity/userAssignedIdentities/write', 'control', false],
    ['Managed Identity Operator', 'Microsoft.ManagedIdentity/userAssignedIdentities/read', 'control', true],
    [
      'Managed Identity Operator',
      'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action',
      'control',
      true,
    ],
    ['Key Vault Reader', 'Microsoft.KeyVault/vaults/read', 'control', true],
    ['Key Vault Reader', 'Microsoft.KeyVault/vaultsread', 'control', false],
    ['Contributor', 'Microsoft.AuthorizationX/Write', 'control', true],
    ['Storage Account Contributor', `${storage}/write`, 'control', true],
    ['Storage Account Contributor', `${storage}/listKeys/action`, 'control', true],
    ['Storage Account Contributor', `${blobs}/read`, 'data', false],
    ['Storage Account Contributor', 'Microsoft.Storage/register/action', 'control', false],
    ['Storage Blob Data Contributor', `${blobs}/write`, 'data', true],
    ['Storage Blob Data Contributor', `${storage}/listKeys/action`, 'control', false],
    ['Storage Blob Data Contributor', `${blobs}/modifyPermissions/action`, 'data', false],
    ['Storage Blob Data Owner', `${blobs}/modifyPermissions/action`, 'data', true],
    ['Storage Blob Data Reader', `${blobs}/write`, 'data', false],
    ['Storage Blob Data Reader', `${blobs}/read`, 'data', true],
    ['Storage Queue Data Contributor', `${messages}/process/action`, 'data', true],
    ['Storage Queue Data Message Processor', `${messages}/write`, 'data', false],
    ['Storage Queue Data Message Processor', `${messages}/process/action`, 'data', true],
    ['Storage Queue Data Message Sender', `${messages}/add/action`, 'data', true],
    ['Storage Queue Data Message Sender', `${messages}/read`, 'data', false],
    ['Storage Queue Data Reader', `${messages}/read`, 'data', true],
    ['Storage Table Data Contributor', `${entities}/update/action`, 'data', true],
    ['Storage Table Data Reader', `${entities}/read`, 'data', true],
    ['Storage Table Data Reader', `${entities}/write`, 'data', false],
    ['Redis Cache Contributor', 'Microsoft.Cache/redis/listKeys/action', 'control', true],
    ['Redis Cache Contributor', 'Microsoft.Cache/register/action', 'control', true],
    ['Redis Cache Contributor', 'Microsoft.Cache/redisEnterprise/write', 'control', false],
    ['Azure Service Bus Data Owner', 'Microsoft.ServiceBus/namespaces/write', 'control', true],
    ['Azure Service Bus Data Owner', `${bus}/send/action`, 'data', true],
    ['Azure Service Bus Data Sender', `${bus}/send/action`, 'data', true],
    ['Azure Service Bus Data Sender', `${bus}/receive/action`, 'data', false],
    ['Azure Service Bus Data Receiver', `${bus}/receive/action`, 'data', true],
    ['Azure Service Bus Data Receiver', 'Microsoft.ServiceBus/namespaces/write', 'control', false],
    ['Key Vault Crypto User', 'Microsoft.KeyVault/vaults/keys/encrypt/action', 'data', true],
    [`${OPENSHIFT} Cloud Controller Manager`, `${NETWORK}/networkSecurityGroups/write`, 'control', true],
    [`${OPENSHIFT} Cloud Controller Manager`, `${NETWORK}/virtualNetworks/subnets/write`, 'control', false],
    [`${OPENSHIFT} Cluster Ingress Operator`, `${NETWORK}/dnsZones/A/write`, 'control', true],
    [`${OPENSHIFT} Cluster Ingress Operator`, `${NETWORK}/dnsZones/write`, 'control', false],
    [`${OPENSHIFT} Disk Storage Operator`, 'Microsoft.Compute/snapshots/delete', 'control', true],
    [`${OPENSHIFT} Disk Storage Operator`, 'Microsoft.Compute/virtualMachines/delete', 'control', false],
    [`${OPENSHIFT} File Storage Operator`, `${NETWORK}/virtualNetworks/subnets/write`, 'control', true],
    [`${OPENSHIFT} File Storage Operator`, `${NETWORK}/virtualNetworks/write`, 'control', false],
    [
      `${OPENSHIFT} Image Registry Operator`,
      `${storage}/PrivateEndpointConnectionsApproval/action`,
      'control',
      true,
    ],
    [`${OPENSHIFT} Image Registry Operator`, `${blobs}/write`, 'data', true],
    [`${OPENSHIFT} Image Registry Operator`, `${blobs}/modifyPermissions/action`, 'data', false],
    [`${OPENSHIFT} Network Operator`, `${NETWORK}/loadBalancers/backendAddressPools/read`, 'control', true],
    [`${OPENSHIFT} Network Operator`, `${NETWORK}/virtualNetworks/write`, 'control', false],
    [`${HOSTED} Cluster API Provider`, 'Microsoft.Compute/virtualMachines/delete', 'control', true],
    [`${HOSTED} Cluster API Provider`, `${NETWORK}/virtualNetworks/subnets/read`, 'control', false],
    [`${HOSTED} Control Plane Operator`, `${NETWORK}/networkSecurityGroups/read`, 'control', true],
    [`${HOSTED} Control Plane Operator`, `${NETWORK}/networkSecurityGroups/write`, 'control', false],
  ] as const)('%s and %s (%s): %s', (name, action, plane, expected) => {
    expect(permits(roleNamed(name), action, plane)).toBe(expected);
  });

  it.each([
    ['a1f96423-95ce-4224-ab27-4e3dc72facd4', 'Cloud Controller Manager', 17, 0],
    ['0336e1d3-7a87-462b-b6db-342b63f7802c', 'Cluster Ingress Operator', 6, 0],
    ['5b7237c5-45e1-49d6-bc18-a1f62f400748', 'Disk Storage Operator', 16, 0],
    ['0d7aedc0-15fd-4a67-a412-efad370c947e', 'File Storage Operator', 13, 0],
    ['8b32b316-c2f5-4ddf-b05b-83dacd2d08b5', 'Image Registry Operator', 25, 5],
    ['be7a6435-15ae-4171-8f30-4a343eff9e8f', 'Network Operator', 7, 0],
    ['88366f10-ed47-4cc0-9fab-c8a06148393e', 'Hosted Control Planes Cluster API Provider', 16, 0],
    ['fc0c873f-45e9-4d0d-a7d1-585aab30c6ed', 'Hosted Control Planes Control Plane Operator', 3, 0],
  ])('OpenShift’s %s is %s, with as many actions as on Azure', (id, name, actions, dataActions) => {
    const role = roleDefinition(id);
    expect(role?.roleName).toBe(`Azure Red Hat OpenShift ${name}`);
    expect(new Set(role?.permission.actions).size).toBe(actions);
    expect(new Set(role?.permission.dataActions).size).toBe(dataActions);
  });

  it('has each role once and finds it by its id in any case', () => {
    expect(new Set(BUILT_IN_ROLES.map((role) => role.name)).size).toBe(BUILT_IN_ROLES.length);
    for (const role of BUILT_IN_ROLES) {
      expect(roleDefinition(`/subscriptions/s/providers/x/roleDefinitions/${role.name.toUpperCase()}`)).toBe(
        role,
      );
    }
  });

  it('a scope covers itself and its descendants, but not a sibling with the same prefix', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), name, (parts, more) => {
        const scope = `/${parts.join('/')}`;
        expect(covers(scope.toUpperCase(), `${scope}/${more}`)).toBe(true);
        expect(covers(scope, scope)).toBe(true);
        expect(covers(scope, `${scope}${more}`)).toBe(false);
        expect(covers(`${scope}/${more}`, scope)).toBe(false);
        expect(covers('/', scope)).toBe(true);
      }),
    );
  });
});

describe('address ranges', () => {
  it.each([
    ['10.0.1.0/24', '10.0.0.0/16', true],
    ['10.0.0.0/16', '10.0.0.0/16', true],
    ['10.0.0.0/15', '10.0.0.0/16', false],
    ['10.1.0.0/24', '10.0.0.0/16', false],
    ['255.255.255.0/24', '0.0.0.0/0', true],
    ['here', '0.0.0.0/0', false],
  ])('%s is within %s: %s', (inner, outer, expected) => {
    expect(isWithin(inner, outer)).toBe(expected);
  });

  it.each([
    ['10.0.0.0/25', '10.0.0.128/25', false],
    ['10.0.0.0/24', '10.0.0.128/25', true],
    ['10.0.0.128/25', '10.0.0.0/24', true],
  ])('%s and %s overlap: %s', (first, second, expected) => {
    expect(overlap(first, second)).toBe(expected);
  });

  it.each([
    ['10.0.0.0/16', true],
    ['10.0.1.0/16', false],
    ['128.0.0.0/1', true],
    ['10.0.0.7/32', true],
    ['10.0.0.0/33', false],
  ])('%s begins with its first address: %s', (text, expected) => {
    expect(isAligned(text)).toBe(expected);
  });
});

describe('access policies', () => {
  const tenantId = '11111111-1111-4111-8111-111111111111';
  const permission = fc.constantFrom('get', 'list', 'set', 'delete');
  const policy = (objectId: string) =>
    fc
      .uniqueArray(permission, { minLength: 1 })
      .map((secrets) => ({ tenantId, objectId, permissions: { secrets: secrets as ('get' | 'list')[] } }));

  it('adding and removing a policy leaves others unchanged', () => {
    fc.assert(
      fc.property(policy('other'), policy('mine'), (other, mine) => {
        const added = changePolicies([other], [mine], 'add');
        expect(added).toEqual([other, mine]);
        expect(
          changePolicies(changePolicies(added, [mine], 'add'), [mine], 'remove').map((p) => p.objectId),
        ).toEqual(['other']);
        expect(changePolicies(added, [mine], 'replace')).toContainEqual(mine);
      }),
    );
  });
});

describe('vault names', () => {
  it.each(['abc', 'a1-b2', 'kv-wi-local', 'a'.repeat(24)])('takes %s', (name) => {
    expect(vaultNameProblem(name)).toBeUndefined();
  });
  it.each(['ab', '1abc', '-abc', 'abc-', 'a--b', 'a_b', 'a'.repeat(25), ''])('refuses %j', (name) => {
    expect(vaultNameProblem(name)).toContain('invalid');
  });
});

describe('the proxy', () => {
  it.each([
    ['management.azure.com:443', undefined],
    ['KV-one.vault.azure.net:443', undefined],
    ['westeurope.oic.prod-aks.azure.com:443', undefined],
    ['registry.example:443', '403 Forbidden'],
    ['localhost:443', '403 Forbidden'],
    ['[::1]:443', '403 Forbidden'],
    ['vault.azure.net:443', '403 Forbidden'],
    ['evil.vault.azure.net.example:443', '403 Forbidden'],
    ['nothing', '400 Bad Request'],
  ])('%s: %s', (target, status) => {
    expect(tunnelRefusal(target)?.status).toBe(status);
  });
});
