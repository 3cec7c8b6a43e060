import { builtInRoles } from '../../../components/azure/roles';
import { isValidName } from '../../../components/azure/naming';
import { assertAccess } from '../../../components/vault/access';
import type { KeyVaultArgs, NewKeyVault } from '../../../components/vault/arguments';
import { KeyVault } from '../../../components/vault/keyVault';
import { onlySecrets, secretsNamedBy } from '../../../components/vault/nameCondition';
import { isMet } from '../../../localcloud/azure/identity/conditions/evaluate';
import { roleDefinition } from '../../../localcloud/azure/identity/roles';
import { guidOf, ids } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that a grant lets anybody read, and that a vault keeps policies which others wrote.

const create: NewKeyVault = { resourceGroupName: 'rg', vaultName: 'kv-dev', tenantId: ids.tenant };
const created = (changes: Partial<KeyVaultArgs> = {}) =>
  record(() => new KeyVault('central', { create, access: 'rbac', ...changes }));

it('reading without a grant is an error', async () => {
  const grants = [{ grantee: 'aks-1', principalId: guidOf('aks-1'), secrets: ['shared', 'orders-db'] }];
  const { result } = await created({ secrets: { 'orders-db': 'x' }, grants });

  expect(result.readableBy('aks-1', ['orders-db', 'shared'])).toHaveLength(2);
  expect(() => result.readableBy('aks-1', ['orders-db', 'billing-db'])).toThrow(
    'grantee "aks-1" has no grant on billing-db. Allowed: the secrets of its entry in `grants`.',
  );
  expect(() => result.readableBy('nobody', ['orders-db'])).toThrow('"nobody" has no grant on orders-db');
});

describe('a grant by condition', () => {
  const grant = (secrets: string[]) => ({
    ...{ grantee: 'aks-1', principalId: guidOf('aks-1'), secrets, byCondition: true },
  });
  const type = 'azure-native:authorization:RoleAssignment';

  it('is one role on the vault, and needs its secret', async () => {
    const granted = { secrets: { 'orders-db': 'x' }, grants: [grant(['shared', 'orders-db'])] };
    const { result, find, names } = await created(granted);

    expect(names(type)).toEqual(['central/aks-1']);
    const { scope, condition, conditionVersion, roleAssignmentName } = find(type, 'central/aks-1').inputs;
    expect({ condition, conditionVersion }).toEqual({
      condition:
        "((!(ActionMatches{'Microsoft.KeyVault/vaults/secrets/getSecret/action'}) AND !(ActionMatches{'Microsoft.KeyVault/vaults/secrets/readMetadata/action'})) OR (@Resource[Microsoft.KeyVault/vaults/secrets:name] StringEquals 'orders-db' OR @Resource[Microsoft.KeyVault/vaults/secrets:name] StringEquals 'shared'))",
      conditionVersion: '2.0',
    });
    expect(scope).toMatch(/\/vaults\/kv-dev$/);
    expect(result.readableBy('aks-1', ['orders-db'])).toHaveLength(2);
    expect(result.readableBy('aks-1', ['shared'])).toHaveLength(1);

    // Azure changes the condition of an assignment in place.
    const more = await created({ grants: [grant(['shared', 'orders-db', 'billing-db'])] });
    expect(more.find(type, 'central/aks-1').inputs.roleAssignmentName).toBe(roleAssignmentName);
  });

  it('limits everything that the role allows to the named secrets', () => {
    const { permission } = roleDefinition(builtInRoles.keyVaultSecretsUser) ?? {};
    const met = permission?.dataActions.flatMap((action) =>
      ['orders-db', 'shared', 'other', 'orders', undefined].filter((SecretName) =>
        isMet(onlySecrets(['shared', 'orders-db']), action, { Resource: { SecretName } }),
      ),
    );
    expect(met).toEqual(['orders-db', 'shared', 'orders-db', 'shared']);
  });

  it('may be imported by its name', async () => {
    const name = guidOf('imported');
    const { find } = await created({
      ...{ grants: [grant(['shared'])], importedAssignments: { 'central/aks-1': name } },
    });
    expect(find(type, 'central/aks-1').inputs.roleAssignmentName).toBe(name);
  });

  it.each([
    [
      'a name that is not in lower case',
      ['Shared'],
      'case-sensitively, and Shared is not in lower case. Allowed: names of secrets in lower case.',
    ],
    ['a quote', ["x' OR 'y"], "and x' OR 'y is not"],
    [
      'too many names',
      Array.from({ length: 120 }, (_, index) => `secret-${index}`),
      'a condition that names 120 secrets exceeds the length that Azure allows. Allowed: a condition of 8192',
    ],
  ])('refuses %s', async (_what, secrets, message) => {
    await expect(created({ grants: [grant(secrets)] })).rejects.toThrow(message);
  });

  it('is refused in a vault with access policies', async () => {
    const refused = created({ access: 'accessPolicy', grants: [grant(['shared'])] });
    await expect(refused).rejects.toThrow(
      'grants[0].byCondition true needs role assignments, and the vault has access policies. Allowed: grants by condition with `access: rbac`.',
    );
  });
});

it.each([
  [' ( x ) ', undefined],
  [onlySecrets(['a', 'b']).replaceAll(' OR ', ' \n OR '), ['a', 'b']],
  [onlySecrets(['a']).replaceAll('(@', '( @').replaceAll('))', ') )'), ['a']],
  [onlySecrets(['a']).replace('getSecret', 'setSecret'), undefined],
  [onlySecrets(['a']).replace('readMetadata', 'getSecret'), undefined],
  [onlySecrets(['a']).replace(' AND ', ' OR '), undefined],
  [onlySecrets(['a']).replace("'a'", "'*'"), undefined],
  [onlySecrets(['a']).replace('StringEquals', 'StringLike'), undefined],
  [`${onlySecrets(['a'])} OR ${onlySecrets(['b'])}`, undefined],
  ['', undefined],
])('%s names %j', (condition, names) => {
  expect(secretsNamedBy(condition)).toEqual(names);
});

it.each([
  ['accessPolicy', true, 'rbac'],
  ['rbac', false, 'accessPolicy'],
  ['rbac', undefined, 'accessPolicy'],
] as const)('%s is refused for an existing vault that says %p', (access, found, actual) => {
  const wanted = { component: 'KeyVault central', vault: 'existing', access };

  expect(() => assertAccess(wanted, found)).toThrow(
    `KeyVault central: access "${access}" does not match the vault existing, which uses ${actual}. Allowed: ${actual}.`,
  );
  expect(() => assertAccess({ ...wanted, access: actual }, found)).not.toThrow();
});

it('each subnet has an endpoint, whatever subnets have in common', async () => {
  const subnet = (place: string, network: string, name: string) =>
    `/subscriptions/${place}/providers/Microsoft.Network/virtualNetworks/${network}/subnets/${name}`;
  const here = `${ids.subscription}/resourceGroups/rg`;
  const long = 'n'.repeat(60);
  const subnets = [
    subnet(here, 'a', 'b-c'),
    subnet(here, 'a-b', 'c'),
    subnet(`${ids.subscription}/resourceGroups/other`, 'a', 'b-c'),
    subnet(`${ids.tenant}/resourceGroups/rg`, 'a', 'b-c'),
    subnet(here, long, 'one'),
    subnet(here, long, 'two'),
  ];
  const type = 'azure-native:network:PrivateEndpoint';
  const { find, names } = await created({
    create: { ...create, privateEndpoints: subnets.map((id) => ({ subnet: id })) },
  });

  const inAzure = names(type).map((name) => find(type, name).inputs.privateEndpointName);
  expect(new Set(names(type)).size).toBe(subnets.length);
  expect(new Set(inAzure).size).toBe(subnets.length);
  expect(inAzure.filter((name) => !isValidName('privateEndpoint', String(name)))).toEqual([]);
});
