import { randomUUID } from 'node:crypto';
import { all, refusal, TestCloud, withCloud } from '../../support/azure';

const DAY = 24 * 60 * 60 * 1000;

describe('vaults, through @azure/arm-keyvault', () => {
  const cloud = withCloud();
  let vaults: ReturnType<TestCloud['vaults']>['vaults'];
  beforeAll(() => {
    vaults = cloud.vaults().vaults;
  });

  const parameters = (properties: object = {}) => ({
    location: 'westeurope',
    properties: {
      tenantId: cloud.tenantId,
      sku: { family: 'A', name: 'standard' as const },
      enableRbacAuthorization: true,
      ...properties,
    },
  });
  const policy = (objectId: string, secrets: string[]) => ({
    tenantId: cloud.tenantId,
    objectId,
    permissions: { secrets },
  });
  const create = (name: string, properties: object = {}) =>
    Promise.resolve(vaults.createOrUpdate('rg', name, parameters(properties)));

  it('creates, reads, changes and lists a vault', async () => {
    const created = await create('kv-one');
    await vaults.update('rg', 'kv-one', { tags: { a: 'b' } });

    expect(created.properties).toMatchObject({
      vaultUri: 'https://kv-one.vault.azure.net/',
      enableRbacAuthorization: true,
      enableSoftDelete: true,
      softDeleteRetentionInDays: 90,
    });
    expect(await vaults.get('rg', 'KV-ONE')).toMatchObject({ name: 'kv-one', tags: { a: 'b' } });
    expect((await all(vaults.listByResourceGroup('rg'))).map((each) => each.name)).toContain('kv-one');
    expect((await all(vaults.listBySubscription())).map((each) => each.name)).toContain('kv-one');
    expect((await all(vaults.list())).map((each) => each.name)).toContain('kv-one');
  });

  it('is RBAC by default, from version 2026-02-01 on, and not before', async () => {
    const { enableRbacAuthorization: _unsaid, ...properties } = parameters({ accessPolicies: [] }).properties;
    const put = (name: string, version: string) =>
      cloud.raw(
        `https://management.azure.com/subscriptions/${cloud.subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}?api-version=${version}`,
        {
          method: 'PUT',
          body: JSON.stringify({ location: 'westeurope', properties }),
          credential: cloud.administrator(),
        },
      );
    expect((await put('kv-newer', '2026-02-01')).body).toMatchObject({
      properties: { enableRbacAuthorization: true },
    });
    expect((await put('kv-older', '2024-11-01')).body).toMatchObject({
      properties: { enableRbacAuthorization: false },
    });
    // An existing vault keeps its model.
    expect((await put('kv-newer', '2024-11-01')).body).toMatchObject({
      properties: { enableRbacAuthorization: true },
    });
    expect((await put('kv-older', '2026-02-01')).body).toMatchObject({
      properties: { enableRbacAuthorization: false },
    });
  });

  it.each(['1abc', 'ab', 'a--b', 'abc-', 'a'.repeat(25)])('refuses the name %s', async (name) => {
    expect(await refusal(create(name))).toMatchObject({ status: 400, code: 'VaultNameNotValid' });
    expect(await vaults.checkNameAvailability({ name, type: 'Microsoft.KeyVault/vaults' })).toMatchObject({
      nameAvailable: false,
      reason: 'AccountNameInvalid',
    });
  });

  it('refuses a name that is taken in another group', async () => {
    await cloud.group('rg-other');
    await create('kv-taken');
    const twin = vaults.createOrUpdate('rg-other', 'kv-taken', parameters());
    expect(await refusal(twin)).toMatchObject({ status: 409, code: 'VaultAlreadyExists' });
  });

  it('keeps a deleted vault and its name until it is recovered', async () => {
    const created = await create('kv-back', { softDeleteRetentionInDays: 7 });
    await cloud.secrets('kv-back').setSecret('kept', 'value');
    await vaults.delete('rg', 'kv-back');

    const deleted = await vaults.getDeleted('kv-back', 'westeurope');
    expect(deleted.properties?.vaultId).toBe(created.id);
    expect((await all(vaults.listDeleted())).map((each) => each.name)).toContain('kv-back');
    const modules = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.KeyVault/deletedManagedHSMs`;
    expect(
      await cloud.raw(`https://management.azure.com${modules}?api-version=2026-02-01`, {
        credential: cloud.administrator(),
      }),
    ).toMatchObject({ status: 200, body: { value: [] } });
    expect(await refusal(vaults.get('rg', 'kv-back'))).toMatchObject({ code: 'ResourceNotFound' });
    expect(await refusal(create('kv-back'))).toMatchObject({ status: 409, code: 'ConflictError' });
    expect(
      await vaults.checkNameAvailability({ name: 'kv-back', type: 'Microsoft.KeyVault/vaults' }),
    ).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' });

    await create('kv-back', { createMode: 'recover' });
    expect((await cloud.secrets('kv-back').getSecret('kept')).value).toBe('value');
  });

  it('frees the name and deletes the secrets when a deleted vault is purged', async () => {
    await create('kv-purged');
    await cloud.secrets('kv-purged').setSecret('lost', 'value');
    await vaults.delete('rg', 'kv-purged');
    await vaults.purgeDeleted('kv-purged', 'westeurope');

    expect(await refusal(vaults.getDeleted('kv-purged', 'westeurope'))).toMatchObject({ status: 404 });
    await create('kv-purged');
    expect(await refusal(cloud.secrets('kv-purged').getSecret('lost'))).toMatchObject({
      code: 'SecretNotFound',
    });
  });

  it('does not purge a protected vault before its retention period ends', async () => {
    const own = await TestCloud.start();
    try {
      await own.group('rg');
      const client = own.vaults().vaults;
      const properties = { enablePurgeProtection: true, softDeleteRetentionInDays: 7 };
      await client.createOrUpdate('rg', 'kv-safe', parameters(properties));
      await client.delete('rg', 'kv-safe');
      const purge = own.vaults().vaults.purgeDeleted('kv-safe', 'westeurope');
      expect((await refusal(purge)).message).toContain('purge protection is enabled');

      own.azure.control.clock.advance(8 * DAY);
      expect(await all(own.vaults().vaults.listDeleted())).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  it('never disables soft delete or purge protection', async () => {
    await create('kv-oneway', { enablePurgeProtection: true });
    const off = (properties: object) => refusal(vaults.update('rg', 'kv-oneway', { properties }));
    expect((await off({ enablePurgeProtection: false })).message).toContain(
      '"enablePurgeProtection" cannot be set to false',
    );
    expect((await off({ enableSoftDelete: false })).message).toContain('"enableSoftDelete"');
    expect((await off({ softDeleteRetentionInDays: 7 })).message).toContain("can't be modified");
  });

  it('adds, replaces and removes access policies of one principal only', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await create('kv-policies', { enableRbacAuthorization: false, accessPolicies: [policy(one, ['get'])] });
    const change = async (
      kind: 'add' | 'replace' | 'remove',
      ...accessPolicies: ReturnType<typeof policy>[]
    ) => {
      await vaults.updateAccessPolicy('rg', 'kv-policies', kind, { properties: { accessPolicies } });
      const vault = await vaults.get('rg', 'kv-policies');
      return Object.fromEntries(
        (vault.properties.accessPolicies ?? []).map((each) => [each.objectId, each.permissions.secrets]),
      );
    };

    expect(await change('add', policy(two, ['get']), policy(one, ['list']))).toEqual({
      [one]: ['get', 'list'],
      [two]: ['get'],
    });
    expect(await change('replace', policy(one, ['set']))).toEqual({ [one]: ['set'], [two]: ['get'] });
    expect(await change('remove', policy(one, ['set']))).toEqual({ [two]: ['get'] });
  });

  it('requires permission for role assignments to change the permission model', async () => {
    const { id: scope = '' } = await create('kv-model');
    const contributor = cloud.principal('model');
    await cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId: contributor.objectId,
      roleDefinitionId: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
    });
    const properties = { enableRbacAuthorization: false };
    const changed = cloud.vaults(contributor.credential).vaults.update('rg', 'kv-model', { properties });
    expect(await refusal(changed)).toMatchObject({ status: 403, code: 'InsufficientPermissions' });
  });

  it('writes and lists secrets through the control plane without ever returning a value', async () => {
    await create('kv-control');
    const { secrets } = cloud.vaults();
    const created = await secrets.createOrUpdate('rg', 'kv-control', 'one', {
      tags: { a: 'b' },
      properties: { value: 'hidden', contentType: 'text/plain' },
    });
    await secrets.update('rg', 'kv-control', 'one', { properties: { contentType: 'text/html' } });

    expect(created.properties.secretUri).toBe('https://kv-control.vault.azure.net/secrets/one');
    const read = await secrets.get('rg', 'kv-control', 'one');
    expect(read.properties).toMatchObject({ contentType: 'text/html' });
    expect(JSON.stringify([created, read, await all(secrets.list('rg', 'kv-control'))])).not.toContain(
      'hidden',
    );
    expect((await cloud.secrets('kv-control').getSecret('one')).value).toBe('hidden');
    const large = { properties: { value: 'x'.repeat(25 * 1024 + 1) } };
    const refused = await refusal(secrets.createOrUpdate('rg', 'kv-control', 'large', large));
    expect(refused).toMatchObject({ status: 400, code: 'InvalidRequestContent' });
  });
});
