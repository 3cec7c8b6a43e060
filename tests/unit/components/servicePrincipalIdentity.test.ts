import {
  ServicePrincipalIdentity,
  type ServicePrincipalIdentityArgs,
} from '../../../components/entra/servicePrincipalIdentity';
import { record } from './support/recorder';

// What mocks do not prove: that Entra accepts the credentials; the end-to-end tests have the local one.

const application = 'azuread:index/application:Application';
const credential =
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential';
const args: ServicePrincipalIdentityArgs = {
  displayName: 'id-dev-orders',
  issuer: 'https://issuer.example/',
  subjects: [
    { namespace: 'orders', serviceAccount: 'orders' },
    { namespace: 'orders', serviceAccount: 'worker', audience: 'openshift' },
  ],
  tags: ['aks-workload-identity/dev'],
};
const make = (more: Partial<ServicePrincipalIdentityArgs> = {}) =>
  record(() => new ServicePrincipalIdentity('orders', { ...args, ...more }));

describe('a service principal', () => {
  it('is an application in Entra without a certificate and a password, which stays there', async () => {
    const { find, registrations } = await make();

    expect(find(application, 'orders')).toMatchObject({
      inputs: { displayName: 'id-dev-orders', preventDuplicateNames: true, tags: args.tags },
      retainOnDelete: true,
      ignoreChanges: ['owners'],
    });
    expect(registrations.map(({ type }) => type).sort()).toEqual([
      'aks-workload-identity:entra:ServicePrincipalIdentity',
      application,
      credential,
      credential,
      'azuread:index/servicePrincipal:ServicePrincipal',
    ]);
  });

  it('trusts each service account with its audience, and its trust does not stay', async () => {
    const { find } = await make();

    expect(find(credential, 'orders/orders_orders')).toMatchObject({
      inputs: {
        displayName: 'orders_orders',
        issuer: 'https://issuer.example/',
        subject: 'system:serviceaccount:orders:orders',
        audiences: ['api://AzureADTokenExchange'],
      },
      retainOnDelete: false,
    });
    expect(find(credential, 'orders/orders_worker').inputs['audiences']).toEqual(['openshift']);
  });

  it('goes with the program if it is not to be retained', async () => {
    expect((await make({ retainOnDelete: false })).find(application, 'orders').retainOnDelete).toBe(false);
  });

  it('trusts nobody if it is to', async () => {
    expect((await make({ subjects: [] })).names(credential)).toEqual([]);
  });

  it('is refused with a service account twice', async () => {
    const [first] = args.subjects;
    await expect(make({ subjects: first === undefined ? [] : [first, first] })).rejects.toThrow(
      'subjects[1]',
    );
  });
});
