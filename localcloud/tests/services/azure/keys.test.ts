import { createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { groupId, withCloud } from '../../support/azure';

const CRYPTO_USER = '12338af0-0e69-4776-bea7-57ae8d297424';

describe('keys, through @azure/keyvault-keys', () => {
  const cloud = withCloud();
  beforeAll(async () => {
    await cloud.makeVault('kv-rbac');
    await cloud.makeVault('kv-policy', { enableRbacAuthorization: false, accessPolicies: [] });
  });
  const refused = (code: string, message: RegExp) => ({
    ...{ statusCode: { KeyNotFound: 404, BadParameter: 400 }[code] ?? 403, code },
    message: expect.stringMatching(message) as unknown,
  });
  /** What an own data key becomes, encrypted and decrypted again. */
  const roundTrip = async (id: string, credential?: TokenCredential) => {
    const client = cloud.cryptography(id, credential);
    const { result } = await client.encrypt({ algorithm: 'RSA-OAEP-256', plaintext: randomBytes(32) });
    return client.decrypt({ algorithm: 'RSA-OAEP-256', ciphertext: result });
  };

  it('makes a key and further versions of it, and never gives out the private part', async () => {
    const client = cloud.keys('kv-rbac');
    const first = await client.createRsaKey('state', { keySize: 3072, tags: { a: 'b' } });
    const second = await client.createRsaKey('state');

    expect(second.properties.version).not.toBe(first.properties.version);
    expect((await client.getKey('state')).id).toBe(second.id);
    const found = await client.getKey('state', { version: first.properties.version });
    expect(found).toMatchObject({ id: first.id, keyType: 'RSA', properties: { tags: { a: 'b' } } });
    const { n = new Uint8Array(), e = new Uint8Array() } = found.key ?? {};
    const [modulus, exponent] = [n, e].map((part) => Buffer.from(part).toString('base64url'));
    const published = createPublicKey({
      key: { kty: 'RSA', ...(modulus && { n: modulus }), ...(exponent && { e: exponent }) },
      format: 'jwk',
    });
    expect(published.asymmetricKeyDetails?.modulusLength).toBe(3072);
    // A version that the Azure CLI sends.
    const raw = await cloud.raw('https://kv-rbac.vault.azure.net/keys/state?api-version=7.6-preview.2', {
      credential: cloud.administrator(),
    });
    expect(Object.keys((raw.body as { key: object }).key).sort()).toEqual([
      'e',
      'key_ops',
      'kid',
      'kty',
      'n',
    ]);
    await expect(client.getKey('absent')).rejects.toMatchObject(
      refused('KeyNotFound', /absent was not found/),
    );
    await expect(client.createEcKey('curve')).rejects.toMatchObject(
      refused('BadParameter', /the local cloud has RSA keys only/),
    );
  });

  it('encrypts what only the same version decrypts, and wraps what it unwraps', async () => {
    const client = cloud.keys('kv-rbac');
    const [first, second] = [await client.createRsaKey('data'), await client.createRsaKey('data')];
    const plaintext = randomBytes(32);
    const [older, newer] = [first, second].map(({ id = '' }) => cloud.cryptography(id));
    const { result } = (await older?.encrypt({ algorithm: 'RSA-OAEP-256', plaintext })) ?? {};
    const ciphertext = result ?? new Uint8Array();

    expect(Buffer.from(ciphertext).includes(plaintext)).toBe(false);
    const decrypted = await older?.decrypt({ algorithm: 'RSA-OAEP-256', ciphertext });
    expect(Buffer.from(decrypted?.result ?? [])).toEqual(plaintext);
    expect(decrypted?.keyID).toBe(first.id);
    await expect(newer?.decrypt({ algorithm: 'RSA-OAEP-256', ciphertext })).rejects.toMatchObject(
      refused('BadParameter', /cannot decrypt|can decrypt/),
    );
    for (const algorithm of ['RSA-OAEP', 'RSA-OAEP-256'] as const) {
      const wrapped = await newer?.wrapKey(algorithm, plaintext);
      const unwrapped = await newer?.unwrapKey(algorithm, wrapped?.result ?? new Uint8Array());
      expect(Buffer.from(unwrapped?.result ?? [])).toEqual(plaintext);
    }
  });

  it('refuses a disabled key, and what a key is not for', async () => {
    const client = cloud.keys('kv-rbac');
    const disabled = await client.createRsaKey('disabled', { enabled: false });
    await expect(roundTrip(disabled.id ?? '')).rejects.toMatchObject(refused('Forbidden', /disabled key/));
    const wrapping = await client.createRsaKey('wrapping', { keyOps: ['wrapKey', 'unwrapKey'] });
    // The client would refuse by itself.
    const { status, body } = await cloud.raw(`${wrapping.id ?? ''}/encrypt?api-version=7.6`, {
      ...{ method: 'POST', credential: cloud.administrator() },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ alg: 'RSA-OAEP-256', value: 'AA' }),
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: { innererror: { code: 'KeyOperationForbidden' } } });
  });

  it('lets a principal do what its role or its access policy has, and nothing else', async () => {
    const user = cloud.principal('crypto-user');
    const { id = '' } = await cloud.keys('kv-rbac').createRsaKey('granted');
    await cloud.keys('kv-rbac').createRsaKey('other');
    await expect(roundTrip(id, user.credential)).rejects.toMatchObject(
      refused('Forbidden', /not authorized to perform action/),
    );
    const scope = `${groupId('rg')}/providers/Microsoft.KeyVault/vaults/kv-rbac/keys/granted`;
    await cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      ...{ principalId: user.objectId, principalType: 'ServicePrincipal', roleDefinitionId: CRYPTO_USER },
    });
    expect((await roundTrip(id, user.credential)).result).toHaveLength(32);
    const own = cloud.keys('kv-rbac', user.credential);
    await expect(own.getKey('other')).rejects.toMatchObject({ statusCode: 403 });
    await expect(own.createRsaKey('granted')).rejects.toMatchObject({ statusCode: 403 });

    const policy = (objectId: string, keys: string[]) =>
      cloud.vaults().vaults.updateAccessPolicy('rg', 'kv-policy', 'add', {
        properties: { accessPolicies: [{ tenantId: cloud.tenantId, objectId, permissions: { keys } }] },
      });
    const maker = cloud.principal('key-maker');
    await policy(maker.objectId, ['create']);
    const created = await cloud.keys('kv-policy', maker.credential).createRsaKey('by-policy');
    await expect(roundTrip(created.id ?? '', maker.credential)).rejects.toMatchObject(
      refused('Forbidden', /does not have keys (get|encrypt) permission/),
    );
    await policy(user.objectId, ['get', 'encrypt', 'decrypt']);
    expect((await roundTrip(created.id ?? '', user.credential)).result).toHaveLength(32);
    await expect(cloud.secrets('kv-policy', user.credential).getSecret('any')).rejects.toMatchObject({
      statusCode: 403,
    });
  });

  it('deletes the keys of a vault that is purged', async () => {
    await cloud.makeVault('kv-purged');
    await cloud.keys('kv-purged').createRsaKey('gone');
    const { vaults } = cloud.vaults();
    await vaults.delete('rg', 'kv-purged');
    await vaults.purgeDeleted('kv-purged', 'westeurope');
    await cloud.makeVault('kv-purged');

    await expect(cloud.keys('kv-purged').getKey('gone')).rejects.toMatchObject({ statusCode: 404 });
  });
});
