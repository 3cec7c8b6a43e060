import { valueOf } from '../components/support/recorder';
import type { Deployment } from './deployed';
import { deploy } from './deployed';
import { input } from './settings';

// What mocks do not prove: that pods sign in as applications in Entra; the end-to-end test does.

const application = 'azuread:index/application:Application';
const managedIdentity = 'azure-native:managedidentity:UserAssignedIdentity';

let whole: Deployment;
beforeAll(async () => {
  whole = await deploy(
    input([{ name: 'orders', image: 'x:1', secrets: ['db'], identity: 'servicePrincipal' }], {
      clusters: [{ name: 'aks-1', operatorIdentity: 'servicePrincipal' }],
    }),
  );
});

describe('an identity that is a service principal', () => {
  it('is an application in Entra with the tag of the stack, for the application and for the operator', () => {
    const { find, names } = whole;

    expect(names(application).sort()).toEqual(['aks-1-aso', 'aks-1-orders']);
    expect(names(managedIdentity)).toEqual(['aks-1']);
    expect(find(application, 'aks-1-orders').inputs).toMatchObject({
      displayName: 'id-test-aks-1-orders',
      tags: ['aks-workload-identity/test'],
    });
  });

  it('is granted the secrets, and the pods wait for its trust', () => {
    const { find } = whole;

    expect(
      find('azure-native:authorization:RoleAssignment', 'kv-test/aks-1-orders/db').dependencies,
    ).toContain('azuread:index/servicePrincipal:ServicePrincipal::aks-1-orders');
    expect(find('aks-workload-identity:application:Workload', 'aks-1-orders').dependencies).toContain(
      'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential::aks-1-orders/orders_orders',
    );
  });

  it('is in the outputs with its ids in Entra', async () => {
    const identities = await valueOf(whole.result.identities);

    expect(identities.map(({ name, clientId }) => [name, clientId === undefined])).toEqual([
      ['id-test-aks-1', true],
      ['id-test-aks-1-orders', false],
      ['id-test-aks-1-aso', false],
    ]);
  });
});
