import type { StorageAccountCreateParameters, StorageAccountUpdateParameters } from '@azure/arm-storage';
import { StorageManagementClient } from '@azure/arm-storage';
import { AnonymousCredential } from '@azure/storage-blob';
import { blobServiceClient } from '../../support/blobServiceClient';
import { refusal, withCloud } from '../../support/azure';

const MINUTE = 60_000;

describe('the blob service, through @azure/storage-blob', () => {
  const cloud = withCloud();
  const accounts = () =>
    new StorageManagementClient(cloud.administrator(), cloud.subscriptionId, cloud.clientOptions())
      .storageAccounts;
  const blobs = (account: string, credential: Parameters<typeof blobServiceClient>[1]) =>
    blobServiceClient(account, credential, cloud.clientOptions());
  const info = (account: string, key: string) => blobs(account, key).getAccountInfo();
  const refused = (account: string, key: string) => refusal(info(account, key));

  /** Makes an account, and returns its keys. */
  async function create(name: string, change: Partial<StorageAccountCreateParameters> = {}) {
    const parameters = {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_ZRS' },
      ...change,
    };
    await accounts().create('rg', name, parameters);
    const { keys = [] } = await accounts().listKeys('rg', name);
    return keys.map(({ value = '' }) => value) as [string, string];
  }
  const update = (name: string, change: StorageAccountUpdateParameters) =>
    accounts().update('rg', name, change);

  it('answers a request that either key has signed, and no longer one by a regenerated key', async () => {
    const [firstKey, secondKey] = await create('stblobs');
    for (const key of [firstKey, secondKey]) {
      expect(await info('stblobs', key)).toMatchObject({
        ...{ skuName: 'Standard_ZRS', accountKind: 'StorageV2', isHierarchicalNamespaceEnabled: false },
      });
    }
    const { keys = [] } = await accounts().regenerateKey('rg', 'stblobs', { keyName: 'key1' });
    expect(await refused('stblobs', firstKey)).toMatchObject({ status: 403, code: 'AuthenticationFailed' });
    await info('stblobs', secondKey);
    await info('stblobs', keys[0]?.value ?? '');
  });

  it('refuses the key of another account, and names none in the answer', async () => {
    await create('stown');
    const [other] = await create('stother');
    const answer = await refused('stown', other);
    expect(answer).toMatchObject({ status: 403, code: 'AuthenticationFailed' });
    expect(JSON.stringify(answer)).not.toContain(other);
  });

  it('refuses keys while the account does not accept any', async () => {
    const [key] = await create('stkeyless', { allowSharedKeyAccess: false });
    expect(await refused('stkeyless', key)).toMatchObject({
      ...{ status: 403, code: 'KeyBasedAuthenticationNotPermitted' },
    });
    await update('stkeyless', { allowSharedKeyAccess: true });
    await info('stkeyless', key);
  });

  it('refuses all callers while public access is disabled, and admits them by an IP rule', async () => {
    const [key] = await create('stclosed', { publicNetworkAccess: 'Disabled' });
    const expected = { status: 403, code: 'AuthorizationFailure' };
    expect(await refused('stclosed', key)).toMatchObject(expected);
    await update('stclosed', {
      ...{ publicNetworkAccess: 'Enabled', networkRuleSet: { defaultAction: 'Deny' } },
    });
    expect(await refused('stclosed', key)).toMatchObject(expected);
    const ipRules = [{ iPAddressOrRange: '127.0.0.1' }];
    await update('stclosed', { networkRuleSet: { defaultAction: 'Deny', ipRules } });
    await info('stclosed', key);
  });

  it('refuses a request of more than a quarter of an hour ago', async () => {
    const [key] = await create('stlate');
    cloud.azure.control.clock.advance(14 * MINUTE);
    await info('stlate', key);
    cloud.azure.control.clock.advance(2 * MINUTE);
    expect(await refused('stlate', key)).toMatchObject({ status: 403, code: 'AuthenticationFailed' });
  });

  it('refuses by name what it does not do: containers, requests that no key signs, accounts that do not exist', async () => {
    const [key] = await create('stnone');
    const unknown = { status: 501, code: 'NotImplemented' };
    expect(await refusal(blobs('stnone', key).getContainerClient('files').getProperties())).toMatchObject(
      unknown,
    );
    expect(await refusal(blobs('stnone', new AnonymousCredential()).getAccountInfo())).toMatchObject(unknown);
    expect(await refused('stnowhere', key)).toMatchObject({ status: 404 });
  });
});
