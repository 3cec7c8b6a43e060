import { StorageManagementClient } from '@azure/arm-storage';
import type { TokenIssuance } from '../../../azure';
import { clusterWithIssuer, groupId, withCloud } from '../../support/azure';

const SUBJECT = 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default';
const STORAGE_CONTRIBUTOR = '17d1049b-9a84-46fb-8f53-869881c3d3ab';
const GUID = '6b7a7a64-2f0e-4f1d-8f0d-5d6b6ad2d6a1';

interface Event {
  authorization: { action: string };
  caller: string;
  claims: Record<string, string>;
  resourceId: string;
  operationId: string;
  properties: Record<string, string>;
  status: { value: string };
  subStatus: { value: string };
}

describe('the activity log', () => {
  const cloud = withCloud();
  const group = groupId('rg');

  const values = (filter: string, credential = cloud.administrator()) =>
    cloud.raw(
      `https://management.azure.com/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}`,
      { credential },
    );
  const events = async (filter = "eventTimestamp ge '2020-01-01T00:00:00Z'"): Promise<Event[]> =>
    ((await values(filter)).body as { value: Event[] }).value;

  it('records each token request and each change with the same token id', async () => {
    const { managedClusters } = cloud.clusters();
    const cluster = await managedClusters.createOrUpdate('rg', 'aks', clusterWithIssuer());
    const issuer = cluster.oidcIssuerProfile?.issuerURL ?? '';
    const identities = cloud.identities();
    const identity = await identities.userAssignedIdentities.createOrUpdate('rg', 'id-aso', {
      location: 'westeurope',
    });
    const [clientId = '', objectId = ''] = [identity.clientId, identity.principalId];
    await identities.federatedIdentityCredentials.createOrUpdate('rg', 'id-aso', 'aso', {
      issuer,
      subject: SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
    await cloud.authorization().roleAssignments.create(group, GUID, {
      principalId: objectId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${STORAGE_CONTRIBUTOR}`,
    });
    const credential = cloud.assertionCredential(clientId, () =>
      cloud.runtime.token({ issuer, subject: SUBJECT }),
    );
    const { storageAccounts } = new StorageManagementClient(
      credential,
      cloud.subscriptionId,
      cloud.clientOptions(),
    );
    await storageAccounts.create('rg', 'staudit', {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
    });
    await storageAccounts.listKeys('rg', 'staudit');

    const id = `${group}/providers/Microsoft.Storage/storageAccounts/staudit`;
    const found = await events(`eventTimestamp ge '2020-01-01T00:00:00Z' and resourceUri eq '${id}'`);
    expect(found.map(({ authorization, status }) => [authorization.action, status.value])).toEqual([
      ['Microsoft.Storage/storageAccounts/listKeys/action', 'Succeeded'],
      ['Microsoft.Storage/storageAccounts/write', 'Accepted'],
    ]);
    const requests = cloud.azure.control.audit();
    for (const { claims, caller } of found) {
      expect(caller).toBe(objectId);
      const [request, ...others] = requests.filter(({ tokenId }) => tokenId === claims['uti']);
      expect(others).toEqual([]);
      expect(request).toMatchObject<Partial<TokenIssuance>>({
        clientId,
        objectId,
        displayName: 'id-aso',
        grant: 'federated',
        issuer,
        subject: SUBJECT,
        audiences: ['api://AzureADTokenExchange'],
        credential: 'aso',
        scope: 'https://management.azure.com/.default',
        resource: 'https://management.azure.com',
        outcome: 'issued',
      });
      expect(Date.parse(request?.time ?? '')).not.toBeNaN();
    }
    // One token for several requests.
    expect(new Set(found.map(({ claims }) => claims['uti'])).size).toBe(1);
  });

  it('records refusals with their code, and no reads', async () => {
    const stranger = cloud.principal('stranger');
    const refused = await cloud.raw(`https://management.azure.com${group}?api-version=2024-03-01`, {
      method: 'DELETE',
      credential: stranger.credential,
    });
    expect(refused.status).toBe(403);
    await cloud.resources().resourceGroups.get('rg');
    const [newest, ...rest] = await events();
    expect(newest).toMatchObject({
      caller: stranger.objectId,
      resourceId: group,
      status: { value: 'Failed' },
      subStatus: { value: 'AuthorizationFailed' },
    });
    expect([newest, ...rest].some((event) => event?.authorization.action.endsWith('/read'))).toBe(false);
    expect((await values("eventTimestamp ge '2020-01-01T00:00:00Z'", stranger.credential)).status).toBe(403);
  });

  it('names the role assignment when its creation begins, and not what a removal removed', async () => {
    const { roleAssignments } = cloud.authorization();
    const { objectId } = cloud.principal('logged');
    const name = '0e1f7c52-3c0a-4d38-9b62-8a1f2c3d4e5f';
    const parameters = {
      principalId: objectId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${STORAGE_CONTRIBUTOR}`,
    };
    await roleAssignments.create(group, name, parameters);
    await roleAssignments.create(group, name, parameters);
    await roleAssignments.delete(group, name);
    await roleAssignments.delete(group, name);

    const id = `${group}/providers/Microsoft.Authorization/roleAssignments/${name}`;
    const of = "eventTimestamp ge '2020-01-01T00:00:00Z' and resourceProvider eq 'Microsoft.Authorization'";
    const found = (await events(of)).filter(({ resourceId }) => resourceId === id);
    expect(
      found.map(({ status, authorization, properties: { statusCode } }) => [
        ...[authorization.action.split('/').at(-1), status.value, statusCode],
      ]),
    ).toEqual([
      ['delete', 'Succeeded', 'NoContent'],
      ['delete', 'Succeeded', 'OK'],
      ['write', 'Succeeded', 'OK'],
      ['write', 'Started', undefined],
      ['write', 'Succeeded', 'Created'],
      ['write', 'Started', undefined],
    ]);
    const [, , , , end, begin] = found;
    expect(JSON.parse(begin?.properties['requestbody'] ?? '')).toEqual({ properties: parameters });
    expect(begin?.operationId).toBe(end?.operationId);
    expect(new Set(found.map(({ operationId }) => operationId)).size).toBe(4);
    expect(end?.properties).toMatchObject({ entity: id, eventCategory: 'Administrative' });
    expect(
      JSON.stringify(found.filter(({ properties }) => properties['requestbody'] === undefined)),
    ).not.toContain(objectId);
    expect((await events(`${of} and status eq 'Started'`)).length).toBeGreaterThan(1);
  });

  it('can be filtered by time, group, provider and resource', async () => {
    const since = "eventTimestamp ge '2020-01-01T00:00:00Z'";
    const listed = await events();
    expect(listed.length).toBeGreaterThan(5);
    expect(await events("eventTimestamp ge '2999-01-01T00:00:00Z'")).toEqual([]);
    expect(await events(`${since} and eventTimestamp le '2020-01-02T00:00:00Z'`)).toEqual([]);
    expect(await events(`${since} and resourceGroupName eq 'none'`)).toEqual([]);
    expect(await events(`${since} and resourceGroupName eq 'RG'`)).toHaveLength(listed.length);
    const ofStorage = await events(`${since} and resourceProvider eq 'Microsoft.Storage'`);
    expect(ofStorage.map(({ resourceId }) => resourceId.split('/').at(-1))).toEqual(['staudit', 'staudit']);
    expect((await values("resourceGroupName eq 'rg'")).status).toBe(400);
    expect((await values(`${since} and colour eq 'red'`)).status).toBe(400);
  });
});
