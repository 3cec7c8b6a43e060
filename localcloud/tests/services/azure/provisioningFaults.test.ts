import { readFileSync } from 'node:fs';
import https from 'node:https';
import { StorageManagementClient } from '@azure/arm-storage';
import { PostgreSQLManagementFlexibleServerClient } from '@azure/arm-postgresql-flexible';
import { refusal, withCloud } from '../../support/azure';

describe('named faults of provisioning', () => {
  const cloud = withCloud();
  afterEach(() => cloud.azure.control.faults.clear());

  const local = async (
    method: string,
    body?: object,
    credential = cloud.administrator(),
  ): Promise<{ status: number; text: string }> => {
    const token = await credential.getToken('https://management.azure.com/.default');
    return new Promise((resolve, reject) => {
      const request = https.request(
        `https://127.0.0.1:${cloud.azure.azurePort}/_local/faults`,
        {
          method,
          ca: readFileSync(cloud.azure.caFile),
          headers: { authorization: `Bearer ${token?.token ?? ''}`, 'content-type': 'application/json' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  };
  const account = (name: string) =>
    Promise.resolve(
      new StorageManagementClient(
        cloud.administrator(),
        cloud.subscriptionId,
        cloud.clientOptions(),
      ).storageAccounts.create('rg', name, {
        location: 'northeurope',
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
      }),
    );
  const servers = () =>
    new PostgreSQLManagementFlexibleServerClient(
      cloud.administrator(),
      cloud.subscriptionId,
      cloud.clientOptions(),
    ).servers;
  const server = (name: string) =>
    servers().beginCreateOrUpdateAndWait(
      'rg',
      name,
      {
        location: 'westeurope',
        version: '16',
        sku: { name: 'Standard_B1ms', tier: 'Burstable' },
        authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
      },
      { updateIntervalInMs: 50 },
    );

  it('answers like Azure with an exhausted quota, for the given resource and number of times', async () => {
    expect((await local('POST', { name: 'storageQuota', resource: 'stfull', times: 1 })).status).toBe(201);
    await account('stother');
    expect(await refusal(account('stfull'))).toMatchObject({
      status: 409,
      code: 'MaxStorageAccountsCountPerSubscriptionExceeded',
      message: `Subscription ${cloud.subscriptionId} already contains 250 storage accounts in location northeurope and the maximum allowed is 250.`,
    });
    expect(await account('stfull')).toMatchObject({ provisioningState: 'Succeeded' });

    await local('POST', { name: 'postgresqlRegion' });
    expect(await refusal(server('psql-region'))).toMatchObject({
      status: 400,
      code: 'LocationIsOfferRestricted',
      message:
        "Subscriptions are restricted from provisioning in location 'westeurope'. Try again in a different location.",
    });
    await local('POST', { name: 'storagePolicy' });
    expect(await refusal(account('stpolicy'))).toMatchObject({
      status: 403,
      code: 'RequestDisallowedByPolicy',
    });
  });

  it('fails an accepted operation, and keeps the previous resource', async () => {
    await local('POST', { name: 'storageInternal', times: 1 });
    expect(await refusal(account('stfails'))).toMatchObject({ code: 'InternalServerError' });
    expect(await account('stfails')).toMatchObject({ provisioningState: 'Succeeded' });

    await server('psql-held');
    await local('POST', { name: 'postgresqlBusy', resource: 'psql-held' });
    const changed = servers().beginUpdateAndWait(
      'rg',
      'psql-held',
      { storage: { storageSizeGB: 1024 } },
      { updateIntervalInMs: 50 },
    );
    await expect(changed).rejects.toThrow(/ServerIsBusy|busy processing another operation/);
    const left = await servers().get('rg', 'psql-held');
    expect([left.state, left.storage?.storageSizeGB]).toEqual(['Ready', 128]);
  });

  it('ends with its removal, and needs an owner of the subscription', async () => {
    await local('POST', { name: 'storageQuota' });
    expect((await local('DELETE')).status).toBe(204);
    expect(await account('stfree')).toMatchObject({ provisioningState: 'Succeeded' });
    const stranger = cloud.principal('stranger');
    expect((await local('POST', { name: 'storageQuota' }, stranger.credential)).status).toBe(403);
    expect((await local('DELETE', undefined, stranger.credential)).status).toBe(403);
    const unknown = await local('POST', { name: 'meteor' });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('storageQuota');
  });
});
