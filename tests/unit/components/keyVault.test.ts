import { isValidName } from '../../../components/azure/naming';
import { assertAccess } from '../../../components/vault/access';
import type { KeyVaultArgs, NewKeyVault } from '../../../components/vault/arguments';
import { KeyVault } from '../../../components/vault/keyVault';
import { guidOf, ids } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that a grant lets anybody read, and that a vault keeps policies which others wrote.

const create: NewKeyVault = { resourceGroupName: 'rg', vaultName: 'kv-dev', tenantId: ids.tenant };
const made = (changes: Partial<KeyVaultArgs> = {}) =>
  record(() => new KeyVault('central', { create, access: 'rbac', ...changes }));

it('who reads what nobody granted is an error', async () => {
  const grants = [{ grantee: 'aks-1', principalId: guidOf('aks-1'), secrets: ['shared', 'orders-db'] }];
  const { result } = await made({ secrets: { 'orders-db': 'x' }, grants });

  expect(result.readableBy('aks-1', ['orders-db', 'shared'])).toHaveLength(2);
  expect(() => result.readableBy('aks-1', ['orders-db', 'billing-db'])).toThrow(
    'grantee "aks-1" has no grant on billing-db. Allowed: the secrets of its entry in `grants`.',
  );
  expect(() => result.readableBy('nobody', ['orders-db'])).toThrow('"nobody" has no grant on orders-db');
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
  const { find, names } = await made({
    create: { ...create, privateEndpoints: subnets.map((id) => ({ subnet: id })) },
  });

  const inAzure = names(type).map((name) => find(type, name).inputs.privateEndpointName);
  expect(new Set(names(type)).size).toBe(subnets.length);
  expect(new Set(inAzure).size).toBe(subnets.length);
  expect(inAzure.filter((name) => !isValidName('privateEndpoint', String(name)))).toEqual([]);
});
