import { randomUUID } from 'node:crypto';
import type { StorageAccount, StorageAccountCreateParameters } from '@azure/arm-storage';
import { StorageManagementClient } from '@azure/arm-storage';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const CONTRIBUTOR = '17d1049b-9a84-46fb-8f53-869881c3d3ab';
const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const BLOB_READER = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1';
const VERSION = 'api-version=2025-06-01';

describe('storage accounts, through @azure/arm-storage', () => {
  const cloud = withCloud();
  const group = groupId('rg');

  const accounts = (credential = cloud.administrator(), subscription = cloud.subscriptionId) =>
    new StorageManagementClient(credential, subscription, cloud.clientOptions()).storageAccounts;
  const parameters = (
    change: Partial<StorageAccountCreateParameters> = {},
  ): StorageAccountCreateParameters => ({
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    ...change,
  });
  const create = (name: string, change: Partial<StorageAccountCreateParameters> = {}, inGroup = 'rg') =>
    Promise.resolve(accounts().create(inGroup, name, parameters(change)));
  const path = (name: string) => `${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
  const arm = cloud.arm.bind(cloud);
  const assign = async (role: string, principalId: string, scope: string) =>
    cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    });

  it('creates, reads, changes, lists and deletes an account', async () => {
    const created: StorageAccount = await create('storders', { tags: { team: 'orders' } });
    expect(created).toMatchObject({
      id: path('storders'),
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS', tier: 'Standard' },
      tags: { team: 'orders' },
      provisioningState: 'Succeeded',
      minimumTlsVersion: 'TLS1_2',
      allowBlobPublicAccess: false,
      primaryLocation: 'westeurope',
      primaryEndpoints: {
        blob: 'https://storders.blob.core.windows.net/',
        queue: 'https://storders.queue.core.windows.net/',
        table: 'https://storders.table.core.windows.net/',
        file: 'https://storders.file.core.windows.net/',
        dfs: 'https://storders.dfs.core.windows.net/',
      },
      networkRuleSet: { defaultAction: 'Allow', bypass: 'AzureServices' },
    });
    // Never set, so it has no value.
    expect(created.allowSharedKeyAccess).toBeUndefined();

    const changed = await accounts().update('rg', 'storders', {
      allowSharedKeyAccess: false,
      tags: { team: 'shop' },
    });
    expect(changed).toMatchObject({ allowSharedKeyAccess: false, tags: { team: 'shop' } });
    // A PUT keeps omitted members.
    expect(await create('storders', { accessTier: 'Cool' })).toMatchObject({
      allowSharedKeyAccess: false,
      accessTier: 'Cool',
      tags: {},
      creationTime: created.creationTime,
    });

    await create('storders2', { kind: 'BlockBlobStorage', sku: { name: 'Premium_LRS' } });
    expect((await all(accounts().list())).map(({ name }) => name)).toEqual(['storders', 'storders2']);
    expect((await all(accounts().listByResourceGroup('rg'))).map(({ name }) => name)).toContain('storders2');
    const files = (await accounts().getProperties('rg', 'storders2')).primaryEndpoints;
    expect([files?.blob, files?.file]).toEqual(['https://storders2.blob.core.windows.net/', undefined]);

    await accounts().delete('rg', 'storders2');
    expect(await refusal(accounts().getProperties('rg', 'storders2'))).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
    });
    expect((await arm('DELETE', `${path('storders2')}?${VERSION}`)).status).toBe(204);
  });

  it('is created in the background: 202, then Creating, then done, polled as the operator does', async () => {
    const body = {
      kind: 'StorageV2',
      location: 'westeurope',
      name: 'staso',
      properties: { accessTier: 'Hot', networkAcls: { defaultAction: 'Deny', ipRules: null } },
      sku: { name: 'Standard_LRS' },
      tags: null,
      zones: null,
    };
    cloud.azure.control.clock.auto = false;
    const accepted = await arm('PUT', `${path('staso')}?${VERSION}`, body);
    expect(accepted).toMatchObject({ status: 202, body: undefined });
    const link = accepted.headers['location'] ?? '';
    expect(link).toContain('/providers/Microsoft.Storage/locations/westeurope/asyncoperations/');

    const seen = await arm('GET', `${path('staso')}?${VERSION}`);
    expect(seen).toMatchObject({ status: 200, body: { properties: { provisioningState: 'Creating' } } });
    const keys = await arm('POST', `${path('staso')}/listKeys?$expand=kerb&api-version=2024-01-01`);
    expect(keys).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'StorageAccountIsNotProvisioned',
          message:
            "The storage account provisioning state must be 'Succeeded' before executing the operation.",
        },
      },
    });
    expect(await arm('PUT', `${path('staso')}?${VERSION}`, body)).toMatchObject({
      status: 409,
      body: { error: { code: 'StorageAccountOperationInProgress' } },
    });
    const monitor = new URL(link);
    expect((await arm('GET', `${monitor.pathname}${monitor.search}`)).status).toBe(202);

    cloud.azure.control.clock.advance(1000);
    expect(await arm('GET', `${monitor.pathname}${monitor.search}`)).toMatchObject({
      status: 200,
      body: {
        tags: {},
        properties: { provisioningState: 'Succeeded', networkAcls: { defaultAction: 'Deny', ipRules: [] } },
      },
    });
    // The same PUT again, which the operator sends every hour.
    expect(await arm('PUT', `${path('staso')}?${VERSION}`, body)).toMatchObject({
      status: 200,
      body: { name: 'staso' },
    });
  });

  it('accepts a name once in all of Azure, and says where it exists', async () => {
    await create('stunique');
    await cloud.group('rg2');
    expect(await refusal(create('stunique', {}, 'rg2'))).toMatchObject({
      status: 409,
      code: 'StorageAccountAlreadyExists',
    });
    await cloud
      .resources(undefined, OTHER_SUBSCRIPTION_ID)
      .resourceGroups.createOrUpdate('rg', { location: 'westeurope' });
    const elsewhere = accounts(undefined, OTHER_SUBSCRIPTION_ID).create('rg', 'stunique', parameters());
    expect(await refusal(Promise.resolve(elsewhere))).toMatchObject({
      status: 409,
      code: 'StorageAccountAlreadyTaken',
      message: 'The storage account named stunique is already taken.',
    });
    const available = (name: string) =>
      accounts().checkNameAvailability({ name, type: 'Microsoft.Storage/storageAccounts' });
    expect(await available('stunique')).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' });
    expect(await available('St-unique')).toMatchObject({
      nameAvailable: false,
      reason: 'AccountNameInvalid',
    });
    expect(await available('stfree')).toEqual({ nameAvailable: true });
  });

  it.each([
    ['a name', 'St-Orders', {}, 400, 'AccountNameInvalid'],
    ['a sku', 'stsku', { sku: { name: 'Gold' } }, 400, 'InvalidValuesForRequestParameters'],
    ['a kind', 'stkind', { kind: 'Bucket' }, 400, 'InvalidValuesForRequestParameters'],
    ['a kind with a sku', 'stkind', { kind: 'FileStorage' }, 400, 'InvalidValuesForRequestParameters'],
    ['a place', 'stplace', { location: 'moon' }, 400, 'LocationNotAvailableForResourceType'],
    ['a place of a group', 'stheld', { location: 'eastus' }, 409, 'InvalidResourceLocation'],
    ['another hierarchy', 'stheld', { isHnsEnabled: true }, 400, 'AccountPropertyCannotBeUpdated'],
    ['an unknown property', 'stodd', { properties: { colour: 'red' } }, 400, 'InvalidRequestContent'],
  ])('refuses %s', async (_what, name, change, status, code) => {
    if (name === 'stheld') await create('stheld');
    const { properties, isHnsEnabled, ...rest } = change as Record<string, unknown>;
    const body = { ...parameters(), ...rest, properties: properties ?? { isHnsEnabled } };
    const refused = await arm('PUT', `${path(name)}?${VERSION}`, body);
    expect(refused).toMatchObject({ status, body: { error: { code } } });
  });

  it('reports Azure’s message about a name, word for word', async () => {
    expect(await refusal(create('==--039'))).toMatchObject({
      message:
        '==--039 is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.',
    });
  });

  it('lists keys even if shared keys are disabled, keeps them over a restart, regenerates them, stores none in plain text', async () => {
    await create('stkeys', { allowSharedKeyAccess: false });
    const listed = (await accounts().listKeys('rg', 'stkeys')).keys ?? [];
    expect(listed.map(({ keyName, permissions }) => [keyName, permissions])).toEqual([
      ['key1', 'FULL'],
      ['key2', 'FULL'],
    ]);
    const [one, two] = listed.map(({ value }) => value ?? '');
    expect(Buffer.from(one ?? '', 'base64')).toHaveLength(64);
    expect(one).not.toBe(two);
    await cloud.restart();
    expect((await accounts().listKeys('rg', 'stkeys')).keys?.map(({ value }) => value)).toEqual([one, two]);
    const changed = await accounts().regenerateKey('rg', 'stkeys', { keyName: 'key1' });
    const values = changed.keys?.map(({ value }) => value);
    expect(values?.[1]).toBe(two);
    expect(values?.[0]).not.toBe(one);
    expect(JSON.stringify(await accounts().getProperties('rg', 'stkeys'))).not.toContain(two);
  });

  it('needs permission to change an account, and another to list its keys, and shows its role assignments', async () => {
    const created = await create('strights');
    const [writer, reader] = [cloud.principal('writer'), cloud.principal('reader')];
    await assign(CONTRIBUTOR, writer.objectId, group);
    await assign(BLOB_READER, reader.objectId, created.id ?? '');
    await assign(READER, reader.objectId, created.id ?? '');
    expect(await accounts(reader.credential).getProperties('rg', 'strights')).toMatchObject({
      kind: 'StorageV2',
    });
    expect((await accounts(writer.credential).listKeys('rg', 'strights')).keys).toHaveLength(2);
    expect(await refusal(accounts(reader.credential).listKeys('rg', 'strights'))).toMatchObject({
      status: 403,
      code: 'AuthorizationFailed',
    });
    expect(
      await refusal(Promise.resolve(accounts(reader.credential).delete('rg', 'strights'))),
    ).toMatchObject({
      status: 403,
    });
    await accounts(writer.credential).update('rg', 'strights', { tags: { a: 'b' } });
    // The role assignments on an account are deleted with it.
    const assigned = () =>
      all(
        cloud
          .authorization()
          .roleAssignments.listForScope(group, { filter: `assignedTo('${reader.objectId}')` }),
      );
    expect(await assigned()).toHaveLength(2);
    await accounts(writer.credential).delete('rg', 'strights');
    expect(await assigned()).toHaveLength(0);
  });

  it('keeps a locked account, and is deleted with its group, also during its creation', async () => {
    await cloud.group('rg-gone');
    await create('stlocked', {}, 'rg-gone');
    const id = path('stlocked').replace('/rg/', '/rg-gone/');
    const { managementLocks } = cloud.locks();
    const at = ['rg-gone', 'Microsoft.Storage', '', 'storageAccounts', 'stlocked'] as const;
    await managementLocks.createOrUpdateAtResourceLevel(...at, 'keep', { level: 'CanNotDelete' });
    expect(await refusal(Promise.resolve(accounts().delete('rg-gone', 'stlocked')))).toMatchObject({
      status: 409,
      code: 'ScopeLocked',
    });
    await managementLocks.deleteAtResourceLevel(...at, 'keep');
    await arm('PUT', `${id.replace('stlocked', 'stlate')}?${VERSION}`, parameters());
    await cloud.resources().resourceGroups.delete('rg-gone');
    cloud.azure.control.clock.advance(1000);
    const left = (await all(accounts().list())).map(({ name }) => name);
    expect(left).not.toContain('stlocked');
    expect(left).not.toContain('stlate');
  });
});
