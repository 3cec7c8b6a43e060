import { ADMINISTRATOR_OBJECT_ID } from '../../../../localcloud/identity';
import { packageVersion } from '../../../../localcloud/plugins/azure-native/catalogue';
import { textAt, valueAt } from '../../../../localcloud/plugins/azure-native/propertyPath';
import { revealAll, Secret, type Properties } from '../../../../localcloud/plugins/protocol';
import { startLocalAzure, type LocalAzure } from './localAzure';
import { installPlugin, PluginProcess } from './pluginProcess';

const group = 'azure-native:resources:ResourceGroup';
const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignment = 'azure-native:authorization:RoleAssignment';
const cluster = 'azure-native:containerservice:ManagedCluster';
const workspace = 'azure-native:operationalinsights:Workspace';
const groupName = 'rg-functions';

let local: LocalAzure;
let plugin: PluginProcess;

beforeAll(async () => {
  local = await startLocalAzure();
  plugin = await PluginProcess.start(installPlugin(local.folder, packageVersion), local.environment);
  await plugin.configure({});
  await make(group, { resourceGroupName: groupName, location: 'westeurope' });
}, 60_000);

afterAll(async () => {
  await plugin.stop();
  await local.stop();
});

async function make(type: string, inputs: Properties): Promise<{ id: string; state: Properties }> {
  const checked = await plugin.check(type, inputs);
  expect(checked.failures).toEqual([]);
  return plugin.create(type, checked.inputs);
}

describe('functions', () => {
  it('read what was made, and credentials as secrets', async () => {
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

  it('read what the program looks at before it writes', async () => {
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
      roleDefinitionId: `/subscriptions/${local.azure.credentials.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/f1a07417-d97a-45cb-824c-7a7467783830`,
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

  it.each([
    ['resources:getResourceGroup', {}, /ResourceGroupNotFound: /],
    ['managedidentity:getUserAssignedIdentity', { resourceName: 'none' }, /ResourceGroupNotFound: /],
    ['keyvault:getVault', { vaultName: 'none' }, /ResourceNotFound: /, true],
    ['containerservice:getManagedCluster', { resourceName: 'none' }, /ResourceNotFound: /, true],
    ['operationalinsights:getWorkspace', { workspaceName: 'none' }, /ResourceNotFound: /, true],
  ])('say Azure’s code where nothing is: %s', async (name, args, message, inGroup = false) => {
    const resourceGroupName = inGroup ? groupName : 'rg-that-is-not-there';
    const got = plugin.invoke(`azure-native:${name}`, { resourceGroupName, ...args });
    await expect(got).rejects.toThrow(message);
  });

  it('tell who the plugin is', async () => {
    const { clientId, tenantId, subscriptionId } = local.azure.credentials;
    expect(await plugin.invoke('azure-native:authorization:getClientConfig', {})).toEqual({
      clientId,
      tenantId,
      subscriptionId,
      objectId: ADMINISTRATOR_OBJECT_ID,
    });
  });
});
