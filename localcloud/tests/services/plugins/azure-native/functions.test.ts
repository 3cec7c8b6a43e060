import { readFileSync } from 'node:fs';
import https from 'node:https';
import { ADMINISTRATOR_OBJECT_ID } from '../../../../identity';
import { textAt, valueAt } from '../../../../plugins/resources/propertyPath';
import { revealAll, Secret, type Properties } from '../../../../plugins/protocol';
import { withCloud } from '../../../support/azure';
import type { PluginProcess } from '../../../support/plugins/pluginProcess';
import { startPlugin } from '../../../support/plugins/pluginProcess';

const group = 'azure-native:resources:ResourceGroup';
const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignment = 'azure-native:authorization:RoleAssignment';
const cluster = 'azure-native:containerservice:ManagedCluster';
const workspace = 'azure-native:operationalinsights:Workspace';
const groupName = 'rg-functions';

const cloud = withCloud({ groups: [] });
let plugin: PluginProcess;

beforeAll(async () => {
  plugin = await startPlugin(cloud);
  await make(group, { resourceGroupName: groupName, location: 'westeurope' });
}, 60_000);

/** Creates a resource as the operator does; returns its id. */
async function provision(path: string, apiVersion: string, body: Properties): Promise<string> {
  const { credentials, azurePort, caFile } = cloud.azure;
  const id = `/subscriptions/${credentials.subscriptionId}/resourceGroups/${groupName}/providers/${path}`;
  const token = textAt(
    revealAll(await plugin.invoke('azure-native:authorization:getClientToken', {})),
    'token',
  );
  const status = await new Promise((resolve, reject) => {
    const request = https.request(
      `https://127.0.0.1:${azurePort}${id}?api-version=${apiVersion}`,
      {
        method: 'PUT',
        ca: readFileSync(caFile),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      (response) => resolve(response.resume().statusCode),
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
  expect(status).toBe(202);
  cloud.azure.control.clock.advance(1000);
  return id;
}

async function make(type: string, inputs: Properties): Promise<{ id: string; state: Properties }> {
  const checked = await plugin.check(type, inputs);
  expect(checked.failures).toEqual([]);
  return plugin.create(type, checked.inputs);
}

describe('functions', () => {
  it('read resources, with credentials as secrets', async () => {
    const checked = await plugin.check(cluster, {
      resourceGroupName: groupName,
      resourceName: 'aks-functions',
      dnsPrefix: 'aks',
      identity: { type: 'SystemAssigned' },
      oidcIssuerProfile: { enabled: true },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
    });
    const { state } = await plugin.create(cluster, checked.inputs);
    const names = { resourceGroupName: groupName, resourceName: textAt(state, 'name') };

    const got = await plugin.invoke('azure-native:containerservice:getManagedCluster', names);
    expect(got).toMatchObject({ name: names.resourceName, oidcIssuerProfile: state['oidcIssuerProfile'] });
    expect(valueAt(got, 'oidcIssuerProfile.issuerURL')).toMatch(/^https:\/\/.+\/$/);

    for (const role of ['User', 'Admin']) {
      const answer = await plugin.invoke(
        `azure-native:containerservice:listManagedCluster${role}Credentials`,
        names,
      );
      expect(answer['kubeconfigs']).toBeInstanceOf(Secret);
      const [first] = revealAll(answer)['kubeconfigs'] as Properties[];
      expect(Buffer.from(textAt(first ?? {}, 'value'), 'base64').toString()).toContain(
        `current-context: ${names.resourceName}`,
      );
    }
  });

  it('read what the preflight checks', async () => {
    const owner = await make(identity, { resourceGroupName: groupName });
    const resourceName = textAt(owner.state, 'name');
    const trust = await make(credential, {
      resourceGroupName: groupName,
      resourceName,
      issuer: 'https://issuer.example/',
      subject: 's',
      audiences: ['a'],
    });
    const grant = await make(assignment, {
      scope: owner.id,
      principalId: textAt(owner.state, 'principalId'),
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/f1a07417-d97a-45cb-824c-7a7467783830`,
    });
    const sink = await make(workspace, { resourceGroupName: groupName });
    const get = (name: string, args: Properties) => plugin.invoke(`azure-native:${name}`, args);

    expect(await get('resources:getResourceGroup', { resourceGroupName: groupName })).toMatchObject({
      location: 'westeurope',
    });
    const user = { resourceGroupName: groupName, resourceName };
    expect(await get('managedidentity:getUserAssignedIdentity', user)).toMatchObject({ id: owner.id });
    const federated = {
      ...user,
      federatedIdentityCredentialResourceName: trust.id.split('/').at(-1) ?? '',
    };
    expect(await get('managedidentity:getFederatedIdentityCredential', federated)).toMatchObject({
      id: trust.id,
      subject: 's',
    });
    const named = { scope: owner.id, roleAssignmentName: grant.id.split('/').at(-1) ?? '' };
    expect(await get('authorization:getRoleAssignment', named)).toMatchObject({
      id: grant.id,
      principalId: owner.state['principalId'],
    });
    const log = { resourceGroupName: groupName, workspaceName: textAt(sink.state, 'name') };
    expect(await get('operationalinsights:getWorkspace', log)).toMatchObject({
      id: sink.id,
      customerId: sink.state['customerId'],
    });
  });

  it('list the keys of a storage account as secrets, by the name that Azure has for them', async () => {
    const accountName = 'stfunctions';
    const scope = await provision(`Microsoft.Storage/storageAccounts/${accountName}`, '2025-06-01', {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
    });
    const answer = await plugin.invoke('azure-native:storage:listStorageAccountKeys', {
      resourceGroupName: groupName,
      accountName,
    });
    expect(answer['keys']).toBeInstanceOf(Secret);
    const keys = revealAll(answer)['keys'] as Properties[];
    expect(keys.map((key) => [key['keyName'], key['permissions']])).toEqual([
      ['key1', 'FULL'],
      ['key2', 'FULL'],
    ]);
    expect(Buffer.from(textAt(keys[0] ?? {}, 'value'), 'base64')).toHaveLength(64);
    const none = { resourceGroupName: groupName, accountName: 'stnone' };
    await expect(plugin.invoke('azure-native:storage:listStorageAccountKeys', none)).rejects.toThrow(
      /ResourceNotFound: /,
    );

    // The grants of the program on resources of the operator.
    const server = await provision('Microsoft.DBforPostgreSQL/flexibleServers/psql-functions', '2025-08-01', {
      location: 'westeurope',
      sku: { name: 'Standard_B1ms', tier: 'Burstable' },
      properties: {
        version: '16',
        authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
      },
    });
    const owner = await make(identity, { resourceGroupName: groupName });
    for (const [at, role] of [
      [scope, 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'],
      [`${server}/databases/orders`, 'acdd72a7-3385-48ef-bd42-f606fba81ae7'],
    ]) {
      const grant = await make(assignment, {
        scope: at ?? '',
        principalId: textAt(owner.state, 'principalId'),
        principalType: 'ServicePrincipal',
        roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${role ?? ''}`,
      });
      expect(grant.state).toMatchObject({ scope: at });
      expect(grant.id.startsWith(`${at ?? ''}/providers/Microsoft.Authorization/`)).toBe(true);
    }
  });

  it.each([
    ['resources:getResourceGroup', {}, /ResourceGroupNotFound: /],
    ['managedidentity:getUserAssignedIdentity', { resourceName: 'none' }, /ResourceGroupNotFound: /],
    ['keyvault:getVault', { vaultName: 'none' }, /ResourceNotFound: /, true],
    ['containerservice:getManagedCluster', { resourceName: 'none' }, /ResourceNotFound: /, true],
    ['operationalinsights:getWorkspace', { workspaceName: 'none' }, /ResourceNotFound: /, true],
  ])('report Azure’s error code for a missing resource: %s', async (name, args, message, inGroup = false) => {
    const resourceGroupName = inGroup ? groupName : 'rg-that-is-not-there';
    const got = plugin.invoke(`azure-native:${name}`, { resourceGroupName, ...args });
    await expect(got).rejects.toThrow(message);
  });

  it('tell who the plugin is', async () => {
    const { clientId, tenantId, subscriptionId } = cloud.azure.credentials;
    expect(await plugin.invoke('azure-native:authorization:getClientConfig', {})).toEqual({
      clientId,
      tenantId,
      subscriptionId,
      objectId: ADMINISTRATOR_OBJECT_ID,
    });
  });
});
