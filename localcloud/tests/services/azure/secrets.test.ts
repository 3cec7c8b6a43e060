import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { all, groupId, refusal, withCloud } from '../../support/azure';

const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const SECRETS_OFFICER = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';

describe('secrets, through @azure/keyvault-secrets', () => {
  const cloud = withCloud();
  const group = groupId('rg');
  beforeAll(async () => {
    await cloud.makeVault('kv-rbac');
    await cloud.makeVault('kv-policy', { enableRbacAuthorization: false, accessPolicies: [] });
  });

  const grant = (scope: string, principalId: string, role: string) =>
    cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      roleDefinitionId: role,
      principalType: 'ServicePrincipal',
    });
  const denied = async (promise: Promise<unknown>) => {
    cloud.innerError = undefined;
    const refused = await refusal(promise);
    return { status: refused.status, code: refused.code, inner: cloud.innerError };
  };
  const read = (vaultName: string, name: string, credential: TokenCredential) =>
    cloud.secrets(vaultName, credential).getSecret(name);

  it('sets, reads, updates and lists versions of a secret', async () => {
    const client = cloud.secrets('kv-rbac');
    // Not later, because the client cuts times to 32 bits.
    const expiresOn = new Date('2037-01-01T00:00:00Z');
    const first = await client.setSecret('versions', 'one', {
      contentType: 'text/plain',
      tags: { a: 'b' },
      expiresOn,
    });
    const second = await client.setSecret('versions', 'two');
    await client.updateSecretProperties('versions', first.properties.version ?? '', { tags: { c: 'd' } });

    expect((await client.getSecret('versions')).value).toBe('two');
    const old = await client.getSecret('versions', { version: first.properties.version });
    expect(old.value).toBe('one');
    expect(old.properties).toMatchObject({ contentType: 'text/plain', tags: { c: 'd' }, expiresOn });
    const versions = await all(client.listPropertiesOfSecretVersions('versions'));
    expect(versions.map((each) => each.version)).toEqual([
      first.properties.version,
      second.properties.version,
    ]);
    expect(second.properties).toMatchObject({ recoveryLevel: 'Recoverable+Purgeable', recoverableDays: 90 });
  });

  it('lists secrets over several pages, without values', async () => {
    await cloud.makeVault('kv-many');
    const client = cloud.secrets('kv-many');
    for (let index = 0; index < 30; index++) await client.setSecret(`secret-${index}`, 'value');
    const listed = await all(client.listPropertiesOfSecrets());
    expect(new Set(listed.map((each) => each.name)).size).toBe(30);
  });

  it('soft-deletes a secret: the name stays taken until it is recovered or purged', async () => {
    const client = cloud.secrets('kv-rbac');
    await client.setSecret('soft', 'kept');
    const poller = await client.beginDeleteSecret('soft', { intervalInMs: 1 });
    await poller.pollUntilDone();

    expect(await refusal(client.getSecret('soft'))).toMatchObject({ status: 404, code: 'SecretNotFound' });
    expect(await denied(client.setSecret('soft', 'again'))).toEqual({
      status: 409,
      code: 'Conflict',
      inner: 'ObjectIsDeletedButRecoverable',
    });
    expect((await client.getDeletedSecret('soft')).name).toBe('soft');
    expect((await all(client.listDeletedSecrets())).map((each) => each.name)).toContain('soft');

    await (await client.beginRecoverDeletedSecret('soft', { intervalInMs: 1 })).pollUntilDone();
    expect((await client.getSecret('soft')).value).toBe('kept');

    await (await client.beginDeleteSecret('soft', { intervalInMs: 1 })).pollUntilDone();
    await client.purgeDeletedSecret('soft');
    expect(await refusal(client.getDeletedSecret('soft'))).toMatchObject({ status: 404 });
    await client.setSecret('soft', 'new');
  });

  it('does not return a disabled secret', async () => {
    const client = cloud.secrets('kv-rbac');
    await client.setSecret('off', 'value', { enabled: false });
    expect(await denied(client.getSecret('off'))).toEqual({
      status: 403,
      code: 'Forbidden',
      inner: 'SecretDisabled',
    });
  });

  it('starts with a challenge that names the directory and the resource', async () => {
    const { status, headers } = await cloud.raw('https://kv-rbac.vault.azure.net/secrets/x?api-version=7.6');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer authorization="https://login.microsoftonline.com/${cloud.tenantId}", resource="https://vault.azure.net"`,
    );
  });

  it.each([
    ['at the secret', (name: string) => `/providers/Microsoft.KeyVault/vaults/kv-rbac/secrets/${name}`],
    ['at the vault', () => '/providers/Microsoft.KeyVault/vaults/kv-rbac'],
    ['at the group', () => ''],
  ])('reads by a role %s', async (_where, below) => {
    const name = `s-${randomUUID()}`;
    await cloud.secrets('kv-rbac').setSecret(name, 'granted');
    const reader = cloud.principal(`reader-${name}`);
    expect(await denied(read('kv-rbac', name, reader.credential))).toEqual({
      status: 403,
      code: 'Forbidden',
      inner: 'ForbiddenByRbac',
    });
    await grant(`${group}${below(name)}`, reader.objectId, SECRETS_USER);
    expect((await read('kv-rbac', name, reader.credential)).value).toBe('granted');
  });

  it('a role at one secret opens no other, no list and no write', async () => {
    const client = cloud.secrets('kv-rbac');
    await client.setSecret('mine', 'value');
    await client.setSecret('mine-too', 'value');
    const reader = cloud.principal('one-secret');
    await grant(
      `${group}/providers/Microsoft.KeyVault/vaults/kv-rbac/secrets/mine`,
      reader.objectId,
      SECRETS_USER,
    );
    const own = cloud.secrets('kv-rbac', reader.credential);

    expect((await own.getSecret('mine')).value).toBe('value');
    const tries: (() => Promise<unknown>)[] = [
      () => own.getSecret('mine-too'),
      () => all(own.listPropertiesOfSecrets()),
      () => own.setSecret('mine', 'x'),
    ];
    for (const attempt of tries) {
      expect(await denied(attempt())).toMatchObject({ status: 403, inner: 'ForbiddenByRbac' });
    }
  });

  it('revokes a grant at once', async () => {
    await cloud.secrets('kv-rbac').setSecret('revoked', 'value');
    const reader = cloud.principal('revoked');
    const scope = `${group}/providers/Microsoft.KeyVault/vaults/kv-rbac`;
    const { name = '' } = await grant(scope, reader.objectId, SECRETS_OFFICER);
    await cloud.secrets('kv-rbac', reader.credential).setSecret('revoked', 'changed');
    await cloud.authorization().roleAssignments.delete(scope, name);
    expect(await denied(read('kv-rbac', 'revoked', reader.credential))).toMatchObject({
      inner: 'ForbiddenByRbac',
    });
  });

  it('allows reading every secret of the vault by an access policy, regardless of roles', async () => {
    const reader = cloud.principal('policy');
    const change = (secrets: string[]) =>
      cloud.vaults().vaults.updateAccessPolicy('rg', 'kv-policy', 'replace', {
        properties: {
          accessPolicies: [{ tenantId: cloud.tenantId, objectId: reader.objectId, permissions: { secrets } }],
        },
      });
    await grant(`${group}/providers/Microsoft.KeyVault/vaults/kv-policy`, reader.objectId, SECRETS_OFFICER);
    const own = cloud.secrets('kv-policy', reader.credential);

    expect(await denied(own.setSecret('any', 'value'))).toEqual({
      status: 403,
      code: 'Forbidden',
      inner: 'AccessDenied',
    });
    await change(['get', 'set']);
    await own.setSecret('any', 'value');
    expect((await own.getSecret('any')).value).toBe('value');
    expect(await denied(all(own.listPropertiesOfSecrets()))).toMatchObject({ inner: 'AccessDenied' });
  });

  it('ignores an access policy for an application on behalf of the principal', async () => {
    const reader = cloud.principal('compound');
    await cloud.vaults().vaults.updateAccessPolicy('rg', 'kv-policy', 'add', {
      properties: {
        accessPolicies: [
          {
            tenantId: cloud.tenantId,
            objectId: reader.objectId,
            applicationId: reader.clientId,
            permissions: { secrets: ['all'] },
          },
        ],
      },
    });
    expect(await denied(read('kv-policy', 'any', reader.credential))).toMatchObject({
      inner: 'AccessDenied',
    });
  });

  it('refuses all callers while public access is disabled', async () => {
    await cloud.makeVault('kv-closed', { publicNetworkAccess: 'Disabled' });
    const reading = cloud.secrets('kv-closed').getSecret('x');
    expect(await denied(reading)).toEqual({ status: 403, code: 'Forbidden', inner: 'ForbiddenByConnection' });
  });

  it.each([
    ['no api-version', 'secrets/x', 400, 'BadParameter'],
    ['an unknown api-version', 'secrets/x?api-version=1.0', 400, 'BadParameter'],
    ['an unknown query', 'secrets/x?api-version=7.6&what=1', 400, 'BadParameter'],
    ['an unknown path', 'certificates/x?api-version=7.6', 404, 'NotFound'],
    ['a backup', 'secrets/x/backup/y?api-version=7.6', 404, 'NotFound'],
    ['a rotation policy', 'keys/x/rotationpolicy?api-version=7.6', 404, 'NotFound'],
    ['the versions of a key', 'keys/x/versions?api-version=7.6', 404, 'NotFound'],
  ])('refuses %s by name', async (_what, rest, status, code) => {
    const reply = await cloud.raw(`https://kv-rbac.vault.azure.net/${rest}`, {
      credential: cloud.administrator(),
    });
    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it('refuses unknown properties without repeating a value', async () => {
    const body = JSON.stringify({ value: 'hidden', what: 'is this' });
    const reply = await cloud.raw('https://kv-rbac.vault.azure.net/secrets/x?api-version=7.6', {
      method: 'PUT',
      body,
      credential: cloud.administrator(),
    });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain("unknown property 'what'");
    expect(JSON.stringify(reply.body)).not.toContain('hidden');
  });
});
