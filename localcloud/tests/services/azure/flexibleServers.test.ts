import { randomUUID } from 'node:crypto';
import type { Server } from '@azure/arm-postgresql-flexible';
import { PostgreSQLManagementFlexibleServerClient } from '@azure/arm-postgresql-flexible';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const VERSION = 'api-version=2025-08-01';
const QUICK = { updateIntervalInMs: 50 };

describe('PostgreSQL flexible servers, through @azure/arm-postgresql-flexible', () => {
  const cloud = withCloud();
  const group = groupId('rg');

  const client = (credential = cloud.administrator()) =>
    new PostgreSQLManagementFlexibleServerClient(credential, cloud.subscriptionId, cloud.clientOptions());
  const parameters = (change: Partial<Server> = {}): Server => ({
    location: 'westeurope',
    version: '16',
    sku: { name: 'Standard_B1ms', tier: 'Burstable' },
    storage: { storageSizeGB: 32 },
    authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled', tenantId: cloud.tenantId },
    ...change,
  });
  const create = (name: string, change: Partial<Server> = {}, inGroup = 'rg') =>
    client().servers.beginCreateOrUpdateAndWait(inGroup, name, parameters(change), QUICK);
  const path = (name: string) => `${group}/providers/Microsoft.DBforPostgreSQL/flexibleServers/${name}`;
  const arm = (method: string, url: string, body?: object) => cloud.arm(method, `${url}?${VERSION}`, body);
  const wire = (change: object = {}) => ({
    location: 'westeurope',
    sku: { name: 'Standard_B1ms', tier: 'Burstable' },
    properties: {
      version: '16',
      storage: { storageSizeGB: 32 },
      authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
      ...change,
    },
  });

  it('creates, reads, changes, lists and deletes a server', async () => {
    const created = await create('psql-orders');
    expect(created).toMatchObject({
      id: path('psql-orders'),
      // The service returns the display name of the region.
      location: 'West Europe',
      state: 'Ready',
      version: '16',
      fullyQualifiedDomainName: 'psql-orders.postgres.database.azure.com',
      storage: { storageSizeGB: 32, tier: 'P4', iops: 120 },
      authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled', tenantId: cloud.tenantId },
      backup: { backupRetentionDays: 7 },
    });
    const changed = await client().servers.beginUpdateAndWait(
      'rg',
      'psql-orders',
      { storage: { storageSizeGB: 64 }, tags: { a: 'b' } },
      QUICK,
    );
    expect(changed).toMatchObject({
      storage: { storageSizeGB: 64, tier: 'P6' },
      tags: { a: 'b' },
      version: '16',
    });
    expect((await all(client().servers.listBySubscription())).map(({ name }) => name)).toEqual([
      'psql-orders',
    ]);
    expect((await all(client().servers.listByResourceGroup('rg'))).map(({ name }) => name)).toEqual([
      'psql-orders',
    ]);
    await client().servers.beginDeleteAndWait('rg', 'psql-orders', QUICK);
    expect(await refusal(client().servers.get('rg', 'psql-orders'))).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
    });
  });

  it('is created in the background, and refuses other changes meanwhile, polled as the operator does', async () => {
    cloud.azure.control.clock.auto = false;
    const accepted = await arm(
      'PUT',
      path('psql-aso'),
      wire({ maintenanceWindow: { customWindow: 'enabled', dayOfWeek: 5 } }),
    );
    expect(accepted).toMatchObject({ status: 202, body: { operation: 'UpsertServerManagementOperationV2' } });
    const link = accepted.headers['azure-asyncoperation'] ?? '';
    const state = () => cloud.raw(link, { credential: cloud.administrator() });
    expect((await state()).body).toMatchObject({ status: 'InProgress' });
    expect((await arm('GET', path('psql-aso'))).body).toMatchObject({
      properties: { state: 'Provisioning' },
    });
    const busy = {
      code: 'ServerIsBusy',
      message:
        "Cannot complete operation while server 'psql-aso' is busy processing another operation. Try again later.",
    };
    expect(await arm('PUT', path('psql-aso'), wire())).toMatchObject({ status: 409, body: { error: busy } });
    expect(await arm('DELETE', path('psql-aso'))).toMatchObject({ status: 409, body: { error: busy } });
    // Changes of children are accepted and fail later.
    const database = await arm('PUT', `${path('psql-aso')}/databases/early`, {
      properties: { charset: 'utf8' },
    });
    expect(database.status).toBe(202);
    cloud.azure.control.clock.advance(1000);
    expect((await state()).body).toMatchObject({ status: 'Succeeded' });
    const ended = await cloud.raw(database.headers['azure-asyncoperation'] ?? '', {
      credential: cloud.administrator(),
    });
    expect(ended.body).toMatchObject({ status: 'Failed', error: busy });
    expect((await arm('GET', `${path('psql-aso')}/databases/early`)).status).toBe(404);
    expect((await arm('GET', path('psql-aso'))).body).toMatchObject({
      properties: { state: 'Ready', maintenanceWindow: { customWindow: 'Enabled', dayOfWeek: 5 } },
    });
  });

  it('creates, lists and deletes databases, Entra administrators and firewall rules', async () => {
    await create('psql-inner');
    const objectId = randomUUID();
    const { databases, administratorsMicrosoftEntra: administrators, firewallRules } = client();
    expect(await databases.beginCreateAndWait('rg', 'psql-inner', 'orders', {}, QUICK)).toMatchObject({
      name: 'orders',
      charset: 'UTF8',
    });
    const principal = {
      principalName: 'id-orders',
      principalType: 'ServicePrincipal',
      tenantId: cloud.tenantId,
    };
    expect(
      await administrators.beginCreateOrUpdateAndWait('rg', 'psql-inner', objectId, principal, QUICK),
    ).toMatchObject({
      id: `${path('psql-inner')}/administrators/${objectId}`,
      // By name, as in the service's answers.
      name: 'id-orders',
      objectId,
      principalType: 'ServicePrincipal',
    });
    const range = { startIpAddress: '0.0.0.0', endIpAddress: '0.0.0.0' };
    expect(
      await firewallRules.beginCreateOrUpdateAndWait('rg', 'psql-inner', 'azure', range, QUICK),
    ).toMatchObject(range);

    expect((await all(databases.listByServer('rg', 'psql-inner'))).map(({ name }) => name)).toEqual([
      'azure_maintenance',
      'azure_sys',
      'orders',
      'postgres',
    ]);
    expect((await all(administrators.listByServer('rg', 'psql-inner'))).map((each) => each.objectId)).toEqual(
      [objectId],
    );
    expect((await all(firewallRules.listByServer('rg', 'psql-inner'))).map(({ name }) => name)).toEqual([
      'azure',
    ]);

    await databases.beginDeleteAndWait('rg', 'psql-inner', 'orders', QUICK);
    await administrators.beginDeleteAndWait('rg', 'psql-inner', objectId, QUICK);
    await firewallRules.beginDeleteAndWait('rg', 'psql-inner', 'azure', QUICK);
    expect(await refusal(databases.get('rg', 'psql-inner', 'orders'))).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
      message:
        "The requested resource of type 'Microsoft.DBforPostgreSQL/flexibleServers/databases' with name 'orders' was not found.",
    });
    expect(await all(administrators.listByServer('rg', 'psql-inner'))).toEqual([]);
    expect(await all(firewallRules.listByServer('rg', 'psql-inner'))).toEqual([]);
    expect(await refusal(databases.get('rg', 'psql-none', 'orders'))).toMatchObject({
      status: 404,
      code: 'ParentResourceNotFound',
    });
  }, 60_000);

  it('accepts a name once in all of Azure', async () => {
    await create('psql-unique');
    await cloud.group('rg2');
    expect(await refusal(create('psql-unique', {}, 'rg2'))).toMatchObject({
      status: 409,
      code: 'ServerNameAlreadyExists',
      message: 'Specified server name is already used.',
    });
    const available = (name: string) =>
      client().nameAvailability.checkGlobally({ name, type: 'Microsoft.DBforPostgreSQL/flexibleServers' });
    expect(await available('psql-unique')).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' });
    expect(await available('wrong_server')).toMatchObject({ nameAvailable: false, reason: 'Invalid' });
    expect(await available('psql-free')).toMatchObject({ nameAvailable: true });
  });

  it.each([
    ['a name', 'Psql_Bad', {}, 'InvalidServerName'],
    ['a version', 'psql-bad', { version: '9' }, 'ParameterOutOfRange'],
    ['no version', 'psql-bad', { version: null }, 'MissingRequiredParameter'],
    ['a size', 'psql-bad', { storage: { storageSizeGB: 33 } }, 'ParameterOutOfRange'],
    ['no way to sign in', 'psql-bad', { authConfig: { passwordAuth: 'Disabled' } }, 'InvalidParameterValue'],
    ['a password without a login', 'psql-bad', { authConfig: null }, 'MissingRequiredParameter'],
    ['a reserved login', 'psql-bad', { administratorLogin: 'admin' }, 'InvalidAdministratorLogin'],
    ['a property that is unknown', 'psql-bad', { colour: 'red' }, 'InvalidRequestContent'],
  ])('refuses %s', async (_what, name, change, code) => {
    expect(await arm('PUT', path(name), wire(change))).toMatchObject({
      status: 400,
      body: { error: { code } },
    });
    expect((await arm('GET', path(name))).status).toBe(404);
  });

  it('refuses a size of another tier, smaller storage, and administrators without Entra sign-in', async () => {
    const other = { ...wire(), sku: { name: 'Standard_B1ms', tier: 'GeneralPurpose' } };
    expect(await arm('PUT', path('psql-bad'), other)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'ServerEditionIncompatibleWithSkuSize',
          message: 'The requested server edition is incompatible with requested Sku Size.',
        },
      },
    });
    const login = { administratorLogin: 'owner1', administratorLoginPassword: 'not-a-Secret-1' };
    const created = await create('psql-local', {
      ...login,
      authConfig: undefined,
      storage: { storageSizeGB: 64 },
    });
    expect(JSON.stringify([created, (await arm('GET', path('psql-local'))).body])).not.toContain(
      login.administratorLoginPassword,
    );
    expect(await arm('PUT', path('psql-local'), wire())).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidParameterValue' } },
    });
    const principal = { properties: { principalName: 'a', principalType: 'ServicePrincipal' } };
    expect(await arm('PUT', `${path('psql-local')}/administrators/${randomUUID()}`, principal)).toMatchObject(
      {
        status: 400,
        body: { error: { code: 'AadAuthDisabled' } },
      },
    );
    expect(await arm('PUT', `${path('psql-local')}/databases/postgres`, {})).toMatchObject({ status: 400 });
    const rule = { properties: { startIpAddress: '10.0.0.9', endIpAddress: '10.0.0.1' } };
    expect(await arm('PUT', `${path('psql-local')}/firewallRules/range`, rule)).toMatchObject({
      status: 400,
    });
  });

  it('needs permission for changes, and is deleted with its group and its children', async () => {
    await cloud.group('rg-gone');
    await create('psql-gone', {}, 'rg-gone');
    const stranger = client(cloud.principal('stranger').credential);
    expect(
      await refusal(stranger.databases.beginCreateAndWait('rg-gone', 'psql-gone', 'x', {}, QUICK)),
    ).toMatchObject({
      status: 403,
      code: 'AuthorizationFailed',
    });
    await cloud.resources().resourceGroups.delete('rg-gone');
    // The name is free, and the new server has none of the old databases.
    await create('psql-gone');
    expect(await all(client().databases.listByServer('rg', 'psql-gone'))).toHaveLength(3);
  });
});
