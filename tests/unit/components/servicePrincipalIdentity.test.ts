import {
  ServicePrincipalIdentity,
  type ServicePrincipalIdentityArgs,
} from '../../../components/entra/servicePrincipalIdentity';
import * as pulumi from '@pulumi/pulumi';
import { guidOf } from './support/azure';
import { record, valueOf } from './support/recorder';

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

describe('a service principal with stored credentials', () => {
  const certificates = ['2026-09-01-90d', '2026-11-01-90d'].map((name) => ({ name, validityHours: 2160 }));
  const passwords = ['2026-09-01-90d', '2026-11-01-90d'].map((name) => ({
    name,
    expiresOn: '2027-01-30T00:00:00Z',
  }));

  it('signs in by its newest certificate, which does not stay in Entra', async () => {
    const { find, result } = await make({ subjects: [], certificates });

    const registered = find(
      'azuread:index/applicationCertificate:ApplicationCertificate',
      'orders/2026-11-01-90d',
    );
    expect(registered.retainOnDelete).toBe(false);
    expect(await valueOf(pulumi.output(result.credential))).toBe(
      'certificate orders/2026-11-01-90d\nkey of orders/2026-11-01-90d\n',
    );
    expect(await pulumi.isSecret(result.credential as pulumi.Output<string>)).toBe(true);
    expect(await valueOf(result.keyIds)).toEqual(certificates.map(({ name }) => guidOf(`orders/${name}`)));
  });

  it('signs in by its newest password, which ends when it is to', async () => {
    const { find, result } = await make({ subjects: [], passwords });

    expect(
      find('azuread:index/applicationPassword:ApplicationPassword', 'orders/2026-11-01-90d'),
    ).toMatchObject({
      inputs: { displayName: '2026-11-01-90d', endDate: '2027-01-30T00:00:00Z' },
      retainOnDelete: false,
    });
    expect(await valueOf(pulumi.output(result.credential))).toBe('password of orders/2026-11-01-90d');
    expect(await pulumi.isSecret(result.credential as pulumi.Output<string>)).toBe(true);
    expect(await valueOf(pulumi.output(result.expiresOn))).toBe('2027-01-30T00:00:00Z');
  });

  it('is refused with both, with one of them twice, and with a time that Entra would write in another way', async () => {
    await expect(make({ certificates, passwords })).rejects.toThrow(
      'passwords cannot be beside `certificates`',
    );
    await expect(make({ passwords: passwords.map((one) => ({ ...one, name: 'same' })) })).rejects.toThrow(
      'passwords[1].name',
    );
    await expect(make({ passwords: [{ name: 'p', expiresOn: '2027-01-30T00:00:00.000Z' }] })).rejects.toThrow(
      'a time such as 2027-01-30T00:00:00Z',
    );
  });
});
