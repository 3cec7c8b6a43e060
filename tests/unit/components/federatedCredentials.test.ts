import * as pulumi from '@pulumi/pulumi';
import { FederatedCredentials } from '../../../components/identity/federatedCredentials';
import { record } from './support/recorder';

// What mocks do not prove: that writes really come one after the other (that is the engine's work, by the
// dependencies asserted here), that Azure accepts the credentials, and that Entra matches tokens by them.

const component = 'aks-workload-identity:identity:FederatedCredentials';
const resource = 'azure-native:managedidentity:FederatedIdentityCredential';
const identity = {
  identityName: pulumi.output('id-dev-aks-1'),
  resourceGroupName: pulumi.output('rg'),
};
const issuer = 'https://issuer.example/aks-1/';

const subjects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ namespace: `ns-${index}`, serviceAccount: 'app' }));

describe('FederatedCredentials', () => {
  it('makes one credential for each service account, with one audience', async () => {
    const { find, registrations } = await record(
      () =>
        new FederatedCredentials('aks-1', {
          identity,
          issuer,
          subjects: [{ namespace: 'orders', serviceAccount: 'orders-api' }],
        }),
    );

    expect(registrations).toHaveLength(2);
    expect(find(resource, 'aks-1/orders_orders-api')).toEqual({
      type: resource,
      name: 'aks-1/orders_orders-api',
      inputs: {
        resourceGroupName: 'rg',
        resourceName: 'id-dev-aks-1',
        federatedIdentityCredentialResourceName: 'orders_orders-api',
        issuer,
        subject: 'system:serviceaccount:orders:orders-api',
        audiences: ['api://AzureADTokenExchange'],
      },
      parent: `${component}::aks-1`,
      dependencies: [],
      protect: false,
      retainOnDelete: false,
      provider: undefined,
    });
  });

  it('chains them, in an order that does not depend on the list', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((namespace) => ({ namespace, serviceAccount: 'x' }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three subjects');

    const recorded = await Promise.all(
      // One after the other: the mocks are global.
      [[a, b, c]].map((list) =>
        record(() => new FederatedCredentials('id', { identity, issuer, subjects: list })),
      ),
    );
    const reversed = await record(
      () => new FederatedCredentials('id', { identity, issuer, subjects: [c, b, a] }),
    );

    for (const { find } of [...recorded, reversed]) {
      expect(find(resource, 'id/a_x').dependencies).toEqual([]);
      expect(find(resource, 'id/b_x').dependencies).toEqual([`${resource}::id/a_x`]);
      expect(find(resource, 'id/c_x').dependencies).toEqual([
        // On the first as well: it alone orders their deletion where `b` stays.
        `${resource}::id/a_x`,
        `${resource}::id/b_x`,
      ]);
    }
  });

  it('takes another audience', async () => {
    const { find } = await record(
      () =>
        new FederatedCredentials('id', { identity, issuer, subjects: subjects(1), audience: 'openshift' }),
    );

    expect(find(resource, 'id/ns-0_app').inputs.audiences).toEqual(['openshift']);
  });

  it('has an audience for each service account that says one', async () => {
    const { find } = await record(
      () =>
        new FederatedCredentials('id', {
          identity,
          issuer,
          subjects: [
            { namespace: 'a', serviceAccount: 'x', audience: 'openshift' },
            { namespace: 'b', serviceAccount: 'x' },
          ],
        }),
    );

    expect(find(resource, 'id/a_x').inputs.audiences).toEqual(['openshift']);
    expect(find(resource, 'id/b_x').inputs.audiences).toEqual(['api://AzureADTokenExchange']);
  });

  it('takes the names of credentials that existed, and keeps their order', async () => {
    const { find } = await record(
      () =>
        new FederatedCredentials('id', {
          identity,
          issuer,
          subjects: subjects(2),
          importedNames: { 'id/ns-0_app': 'zz-by-hand', 'other/ns-1_app': 'not-ours' },
        }),
    );

    expect(find(resource, 'id/ns-0_app').inputs.federatedIdentityCredentialResourceName).toBe('zz-by-hand');
    expect(find(resource, 'id/ns-1_app').inputs.federatedIdentityCredentialResourceName).toBe('ns-1_app');
    expect(find(resource, 'id/ns-1_app').dependencies).toEqual([`${resource}::id/ns-0_app`]);
  });

  it.each([
    ['no name', { 'id/ns-0_app': 'a b' }, /importedNames\["id\/ns-0_app"\] "a b" is not a valid name/],
    [
      'that of another, which Azure compares without regard to case',
      { 'id/ns-0_app': 'NS-1_app' },
      /importedNames\["id\/ns-1_app"\] "ns-1_app" is the name of the credential id\/ns-0_app already/,
    ],
  ])('refuses an existing name that is %s', async (_what, importedNames, message) => {
    await expect(
      record(
        () => new FederatedCredentials('id', { identity, issuer, subjects: subjects(2), importedNames }),
      ),
    ).rejects.toThrow(message);
  });

  it('makes 20 and refuses 21, before anything is registered but itself', async () => {
    const twenty = await record(
      () => new FederatedCredentials('id', { identity, issuer, subjects: subjects(20) }),
    );
    expect(twenty.names(resource)).toHaveLength(20);

    await expect(
      record(() => new FederatedCredentials('id', { identity, issuer, subjects: subjects(21) })),
    ).rejects.toThrow(
      'FederatedCredentials id: subjects "21 service accounts" cannot be trusted by one identity. Allowed: 1 to 20.',
    );
  });

  it.each([
    [[], /0 service accounts/],
    [[...subjects(1), ...subjects(1)], /subjects\[1\] .* is subjects\[0\] again/],
    // Azure forbids a second credential of one issuer and subject, also with another audience.
    [
      [...subjects(1), { namespace: 'ns-0', serviceAccount: 'app', audience: 'openshift' }],
      /subjects\[1\] .* is subjects\[0\] again/,
    ],
    [
      [{ namespace: 'a', serviceAccount: 'x', audience: '' }],
      /subjects\[0\]\.audience "" cannot be an audience/,
    ],
    [[{ namespace: 'Orders', serviceAccount: 'x' }], /subjects\[0\]\.namespace "Orders" is not a valid name/],
    [
      [{ namespace: 'orders', serviceAccount: '*' }],
      /subjects\[0\]\.serviceAccount "\*" is not a valid name/,
    ],
  ])('refuses %j', async (list, message) => {
    await expect(
      record(() => new FederatedCredentials('id', { identity, issuer, subjects: list })),
    ).rejects.toThrow(message);
  });
});
