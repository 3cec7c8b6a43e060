import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { all, refusal, withCloud } from '../../support/azure';

const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const SECRETS_OFFICER = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
const KEY_VAULT_ADMINISTRATOR = '00482a5a-887f-4fb3-b363-3b7fe8e74483';

const NAME = 'Microsoft.KeyVault/vaults/secrets:name';
const unless = (...names: string[]) =>
  names.map((name) => `!(ActionMatches{'Microsoft.KeyVault/vaults/secrets/${name}/action'})`).join(' AND ');
const only = (comparison: string) =>
  `((${unless('getSecret', 'readMetadata')}) OR (@Resource[${NAME}] ${comparison}))`;

describe('conditions on the names of secrets, through @azure/keyvault-secrets', () => {
  const cloud = withCloud();
  let vault = '';
  beforeAll(async () => {
    vault = await cloud.makeVault('kv-names');
    for (const name of ['app-one', 'app-two', 'other'])
      await cloud.secrets('kv-names').setSecret(name, `of ${name}`);
  });

  const assign = (principalId: string, condition: string | null, role = SECRETS_USER, name = randomUUID()) =>
    cloud.authorization().roleAssignments.create(vault, name, {
      principalId,
      roleDefinitionId: role,
      principalType: 'ServicePrincipal',
      // Null, which removes a condition, is not in the client's types.
      ...({ condition, conditionVersion: '2.0' } as object),
    });
  /** The inner code of the refusal, or what was read. */
  const outcome = async (read: Promise<{ value?: string | undefined } | unknown[]>) => {
    cloud.innerError = undefined;
    try {
      const answer = await read;
      return Array.isArray(answer) ? answer.length : answer.value;
    } catch {
      return cloud.innerError;
    }
  };
  const read = (credential: TokenCredential, name: string) =>
    outcome(cloud.secrets('kv-names', credential).getSecret(name));

  it('lets an identity read the named secrets, and nothing else of the vault', async () => {
    const { objectId, credential } = cloud.principal('named');
    const condition = `((${unless('getSecret', 'readMetadata')}) OR (@Resource[${NAME}] StringEquals 'app-one' OR @Resource[${NAME}] StringEquals 'app-two'))`;
    await assign(objectId, condition);
    const client = cloud.secrets('kv-names', credential);

    expect(await read(credential, 'app-one')).toBe('of app-one');
    expect(await read(credential, 'app-two')).toBe('of app-two');
    expect(await outcome(all(client.listPropertiesOfSecretVersions('app-one')))).toBe(1);
    const refused = [
      () => client.getSecret('other'),
      () => client.getSecret('App-One'),
      () => client.getSecret('missing'),
      () => all(client.listPropertiesOfSecrets()),
      () => all(client.listPropertiesOfSecretVersions('other')),
      () => client.setSecret('app-one', 'changed'),
    ];
    // One after the other: each has its own inner error.
    for (const each of refused) expect(await outcome(each())).toBe('ForbiddenByRbac');
    expect(await refusal(client.getSecret('other'))).toMatchObject({ status: 403, code: 'Forbidden' });
  });

  it('leaves actions that the condition does not name to the role', async () => {
    const { objectId, credential } = cloud.principal('unnamed');
    await assign(objectId, `(${unless('getSecret')} OR (@Resource[${NAME}] StringEquals 'app-one'))`);

    expect(await read(credential, 'other')).toBe('ForbiddenByRbac');
    const listed = all(cloud.secrets('kv-names', credential).listPropertiesOfSecrets());
    expect(await outcome(listed)).toBe(3);
  });

  it.each([
    [only("StringStartsWith 'app-'"), true, false],
    [only("StringNotStartsWith 'app-'"), false, true],
    [only("StringLike '*-?ne'"), true, false],
    ["@Resource[Microsoft.KeyVault/vaults:name] StringEquals 'kv-names'", true, true],
    ["@Resource[Microsoft.KeyVault/vaults:name] StringNotEquals 'kv-names'", false, false],
  ])('%s: app-one %s, other %s', async (condition, one, other) => {
    const { objectId, credential } = cloud.principal(`pattern-${randomUUID()}`);
    await assign(objectId, condition);
    expect(await read(credential, 'app-one')).toBe(one ? 'of app-one' : 'ForbiddenByRbac');
    expect(await read(credential, 'other')).toBe(other ? 'of other' : 'ForbiddenByRbac');
  });

  it('finds the name of a secret that is written in the request', async () => {
    const [asked, stored] = [cloud.principal('asked'), cloud.principal('stored')];
    const may = (source: string) => `(${unless('setSecret')} OR (@${source}[${NAME}] StringEquals 'new'))`;
    await assign(asked.objectId, may('Request'), SECRETS_OFFICER);
    await assign(stored.objectId, may('Resource'), SECRETS_OFFICER);
    const write = (credential: TokenCredential, name: string) =>
      outcome(cloud.secrets('kv-names', credential).setSecret(name, 'value'));

    expect(await write(stored.credential, 'new')).toBe('ForbiddenByRbac');
    expect(await write(asked.credential, 'newer')).toBe('ForbiddenByRbac');
    expect(await write(asked.credential, 'new')).toBe('value');
  });

  it('limits no keys, which have no such attribute', async () => {
    const [guarded, bare] = [cloud.principal('guarded'), cloud.principal('bare')];
    await assign(guarded.objectId, only("StringEquals 'app-one'"), KEY_VAULT_ADMINISTRATOR);
    await assign(bare.objectId, `@Resource[${NAME}] StringEquals 'app-one'`, KEY_VAULT_ADMINISTRATOR);
    const make = async ({ credential }: { credential: TokenCredential }, name: string) =>
      (await cloud.keys('kv-names', credential).createRsaKey(name)).name;

    expect(await make(guarded, 'key')).toBe('key');
    expect(await refusal(make(bare, 'app-one'))).toMatchObject({ status: 403 });
  });

  it('follows a condition that is changed, and a role without one', async () => {
    const { objectId, credential } = cloud.principal('changed');
    const name = randomUUID();
    await assign(objectId, only("StringEquals 'app-one'"), SECRETS_USER, name);
    expect(await read(credential, 'app-two')).toBe('ForbiddenByRbac');

    await assign(objectId, only("StringEquals 'app-two'"), SECRETS_USER, name);
    await cloud.restart();
    expect(await read(credential, 'app-one')).toBe('ForbiddenByRbac');
    expect(await read(credential, 'app-two')).toBe('of app-two');

    await assign(objectId, null, SECRETS_USER, name);
    expect(await read(credential, 'other')).toBe('of other');
  });

  it('refuses a second assignment of the role with another condition', async () => {
    const { objectId } = cloud.principal('twice');
    await assign(objectId, only("StringEquals 'app-one'"));
    expect(await refusal(assign(objectId, only("StringEquals 'app-two'")))).toMatchObject({
      status: 409,
      code: 'RoleAssignmentExists',
    });
  });

  it.each([
    ['several lines', only("\n StringEquals 'app-one'"), 'BadRequest', 'more than one line'],
    ['a name without quotes', only('StringEquals app-one'), 'BadRequest', 'a text in quotes is needed'],
    ['more than 8 KB', only(`StringEquals '${'x'.repeat(8192)}'`), 'BadRequest', '8192 are allowed'],
    ['case ignored', only("StringEqualsIgnoreCase 'app-one'"), 'ConditionNotSupported', 'SecretName'],
    [
      'several values',
      only("ForAnyOfAnyValues:StringEquals {'app-one'}"),
      'ConditionNotSupported',
      'ForAnyOfAnyValues',
    ],
    ['tags', only("StringEquals 'x'").replace(':name', ':tags'), 'ConditionNotSupported', 'secrets:tags'],
  ])('refuses a condition with %s', async (_what, condition, code, message) => {
    const { objectId } = cloud.principal('refused');
    const refused = await refusal(assign(objectId, condition));
    expect(refused).toMatchObject({ status: 400, code });
    expect(refused.message).toContain(message);
  });
});
