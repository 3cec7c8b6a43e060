import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { StorageManagementClient } from '@azure/arm-storage';
import { refusal, withCloud } from '../../support/azure';
import { blobServiceClient } from '../../support/blobServiceClient';

const BLOB_READER = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1';
const BLOB_CONTRIBUTOR = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe';
const QUEUE_READER = '19e7f393-937e-4f77-808e-94535e297925';
const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';

describe('blobs by roles, through @azure/storage-blob', () => {
  const cloud = withCloud();
  const accounts = () =>
    new StorageManagementClient(cloud.administrator(), cloud.subscriptionId, cloud.clientOptions())
      .storageAccounts;
  const idOf = (account: string) =>
    `/subscriptions/${cloud.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/${account}`;
  const create = (name: string) =>
    accounts().create('rg', name, {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
    });

  /** A principal with the role, and its client of the account's blobs. */
  async function holder(name: string, account: string, role?: string, scope = idOf(account)) {
    const { objectId, clientId } = cloud.principal(name);
    if (role !== undefined) {
      await cloud.authorization().roleAssignments.create(scope, randomUUID(), {
        ...{ principalId: objectId, principalType: 'ServicePrincipal' },
        roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      });
    }
    return blobServiceClient(
      account,
      cloud.secretCredential(clientId, `not-secret-${name}`),
      cloud.clientOptions(),
    );
  }
  type Client = Awaited<ReturnType<typeof holder>>;
  const read = async (client: Client, container: string, blob = 'a.txt') => {
    const { readableStreamBody } = await client.getContainerClient(container).getBlobClient(blob).download();
    return readableStreamBody === undefined ? '' : text(readableStreamBody);
  };
  const write = (client: Client, container: string, content = 'text') =>
    client
      .getContainerClient(container)
      .getBlockBlobClient('a.txt')
      .upload(content, Buffer.byteLength(content));
  const denied = { status: 403, code: 'AuthorizationPermissionMismatch' };

  it('is read with Storage Blob Data Reader on the container or the account, and by nobody else', async () => {
    await create('stroles');
    const writer = await holder('writer', 'stroles', BLOB_CONTRIBUTOR);
    for (const container of ['one', 'two']) {
      await writer.getContainerClient(container).create();
      await write(writer, container, `text of ${container}`);
    }
    const ofOne = await holder(
      'of-one',
      'stroles',
      BLOB_READER,
      `${idOf('stroles')}/blobServices/default/containers/one`,
    );
    expect(await read(ofOne, 'one')).toBe('text of one');
    expect(await refusal(read(ofOne, 'two'))).toMatchObject(denied);
    expect(await refusal(write(ofOne, 'one'))).toMatchObject(denied);
    expect(await refusal(ofOne.getContainerClient('three').create())).toMatchObject(denied);

    const ofAll = await holder('of-all', 'stroles', BLOB_READER);
    expect([await read(ofAll, 'one'), await read(ofAll, 'two')]).toEqual(['text of one', 'text of two']);

    for (const [name, role] of Object.entries({
      none: undefined,
      queues: QUEUE_READER,
      reader: READER,
      contributor: CONTRIBUTOR,
    }))
      expect(await refusal(read(await holder(name, 'stroles', role), 'one'))).toMatchObject(denied);
  });

  it('is not there in another container, in another case, and in a new account of the same name', async () => {
    await create('stagain');
    const writer = await holder(
      'again',
      'stagain',
      BLOB_CONTRIBUTOR,
      `/subscriptions/${cloud.subscriptionId}/resourceGroups/rg`,
    );
    expect(await refusal(write(writer, 'one'))).toMatchObject({ status: 404, code: 'ContainerNotFound' });
    await writer.getContainerClient('one').create();
    expect(await refusal(writer.getContainerClient('one').create())).toMatchObject({
      status: 409,
      code: 'ContainerAlreadyExists',
    });
    await write(writer, 'one');
    expect(await refusal(read(writer, 'one', 'A.txt'))).toMatchObject({ status: 404 });
    await accounts().delete('rg', 'stagain');
    cloud.azure.control.clock.advance(1000);
    await create('stagain');
    expect(await refusal(read(writer, 'one'))).toMatchObject({ status: 404 });
  });

  it('takes tokens for storage only', async () => {
    await create('staudience');
    const { token } = (await cloud.administrator().getToken('https://management.azure.com/.default')) ?? {
      token: '',
    };
    const other = { getToken: () => Promise.resolve({ token, expiresOnTimestamp: Date.now() + 60_000 }) };
    const client = blobServiceClient('staudience', other, cloud.clientOptions());
    expect(await refusal(read(client, 'one'))).toMatchObject({
      status: 401,
      code: 'InvalidAuthenticationInfo',
    });
  });

  it('refuses by name what is not there: lists and deletions', async () => {
    await create('stlists');
    const client = await holder('lists', 'stlists', BLOB_CONTRIBUTOR);
    const unknown = { status: 501, code: 'NotImplemented' };
    expect(await refusal(client.getContainerClient('one').delete())).toMatchObject(unknown);
    expect(await refusal(client.getContainerClient('one').listBlobsFlat().next())).toMatchObject(unknown);
  });
});
