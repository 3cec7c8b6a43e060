import type { IdentityBinding, ManagedCluster } from '@azure/arm-containerservice';
import type { TestCloud } from '../../support/azure';
import { all, clusterWithIssuer, groupId, refusal, withCloud } from '../../support/azure';

const CREDENTIAL = 'aks-identity-binding';

describe('identity bindings of managed clusters, through @azure/arm-containerservice', () => {
  const cloud = withCloud();
  let bindings: ReturnType<TestCloud['clusters']>['identityBindings'];

  const identityId = (name: string): string =>
    `${groupId('rg')}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const binding = (name: string): IdentityBinding => ({
    properties: { managedIdentity: { resourceId: identityId(name) } },
  });
  const put = (cluster: string, name: string, identity: string) =>
    Promise.resolve(bindings.createOrUpdate('rg', cluster, name, binding(identity)));
  const identity = (name: string) =>
    cloud.identities().userAssignedIdentities.createOrUpdate('rg', name, { location: 'westeurope' });
  const credentialsOf = (name: string) =>
    all(cloud.identities().federatedIdentityCredentials.list('rg', name));
  const cluster = (name: string, change: Partial<ManagedCluster> = {}) =>
    cloud.clusters().managedClusters.createOrUpdate('rg', name, clusterWithIssuer(change));

  beforeAll(async () => {
    await cluster('aks');
    bindings = cloud.clusters().identityBindings;
  });

  it('creates, reads, lists and deletes a binding, as long-running operations', async () => {
    const app = await identity('id-life');
    const poller = bindings.createOrUpdate('rg', 'aks', 'orders', binding('id-life'));
    await poller.submitted();
    expect((await bindings.get('rg', 'aks', 'orders')).properties?.provisioningState).toBe('Creating');
    expect(await poller).toMatchObject({ name: 'orders' });

    const read = await bindings.get('rg', 'aks', 'orders');
    expect(read.eTag).toMatch(/^[0-9a-f-]{36}$/);
    expect(read.properties).toEqual({
      managedIdentity: {
        resourceId: app.id,
        objectId: app.principalId,
        clientId: app.clientId,
        tenantId: cloud.tenantId,
      },
      oidcIssuer: {
        oidcIssuerUrl: `https://ib.oic.prod-aks.azure.com/${cloud.tenantId}/${app.clientId ?? ''}`,
      },
      provisioningState: 'Succeeded',
    });
    const names = async () =>
      (await all(bindings.listByManagedCluster('rg', 'aks'))).map((each) => each.name);
    expect(await names()).toContain('orders');

    const deletion = bindings.delete('rg', 'aks', 'orders');
    await deletion.submitted();
    expect((await bindings.get('rg', 'aks', 'orders')).properties?.provisioningState).toBe('Deleting');
    await deletion;
    expect(await names()).not.toContain('orders');
    expect(await refusal(bindings.get('rg', 'aks', 'orders'))).toMatchObject({
      status: 404,
      code: 'ResourceNotFound',
    });
    await bindings.delete('rg', 'aks', 'orders');
  });

  it('answers in each api-version, with Retry-After, and keeps the identity of a binding', async () => {
    await identity('id-first');
    await identity('id-second');
    const request = (method: string, name: string, version: string) =>
      cloud.arm(
        method,
        `${groupId('rg')}/providers/Microsoft.ContainerService/managedClusters/aks/identityBindings/kept?api-version=${version}`,
        method === 'PUT' ? binding(name) : undefined,
      );
    const created = await request('PUT', 'id-first', '2025-06-02-preview');
    expect(created).toMatchObject({ status: 201, headers: { 'retry-after': '1' } });
    await put('aks', 'kept', 'id-first');
    expect(await request('PUT', 'ID-FIRST', '2026-04-01')).toMatchObject({ status: 200 });
    expect(await request('PUT', 'id-second', '2026-04-01')).toMatchObject({
      status: 400,
      body: { error: { code: 'PropertyChangeNotAllowed' } },
    });
    expect(await request('GET', '', '2026-03-01')).toMatchObject({
      status: 400,
      body: { error: { code: 'NoRegisteredProviderFound' } },
    });
    const deleted = await request('DELETE', '', '2026-04-01');
    expect(deleted).toMatchObject({ status: 202, headers: { 'retry-after': '1' } });
  });

  it.each([
    ['a hyphen', 'orders-ib'],
    ['a capital letter', 'Orders'],
    ['a digit first', '1orders'],
    ['64 characters', 'a'.repeat(64)],
  ])('refuses a name with %s', async (_what, name) => {
    await identity('id-named');
    expect(await refusal(put('aks', name, 'id-named'))).toMatchObject({ status: 400, code: 'BadRequest' });
  });

  it('refuses an identity that does not exist or cannot be named, and members that it does not have', async () => {
    await identity('id-app');
    const lost = await refusal(put('aks', 'orders', 'id-none'));
    expect(lost).toMatchObject({ status: 400, code: 'BadRequest' });
    expect(lost.message).toContain('id-none');
    const underscore = await refusal(put('aks', 'orders', 'id_app'));
    expect(underscore).toMatchObject({ status: 400, code: 'InvalidRequestContent' });
    const subjects = { allowedSubjects: [{ namespaceSelector: { matchLabels: ['a=b'] } }] };
    const reply = await cloud.arm(
      'PUT',
      `${groupId('rg')}/providers/Microsoft.ContainerService/managedClusters/aks/identityBindings/orders?api-version=2026-04-01`,
      { properties: { ...binding('id-app').properties, ...subjects } },
    );
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain("Could not find member 'properties.allowedSubjects'");
    expect(await refusal(put('aks-none', 'orders', 'id-app'))).toMatchObject({ status: 404 });
  });

  it('refuses a cluster whose API server is integrated in a virtual network', async () => {
    await identity('id-vnet');
    await cluster('aks-vnet', { apiServerAccessProfile: { enableVnetIntegration: true } });
    expect((await refusal(put('aks-vnet', 'orders', 'id-vnet'))).message).toContain('VNet integration');
  });

  it('makes one credential of the identity, for every cluster, and leaves it there', async () => {
    await identity('id-shared');
    await cluster('aks-2');
    await put('aks', 'shared', 'id-shared');
    const [first, ...others] = await credentialsOf('id-shared');
    expect(others).toEqual([]);
    const { properties } = await bindings.get('rg', 'aks', 'shared');
    expect(first).toMatchObject({ name: CREDENTIAL, issuer: properties?.oidcIssuer?.oidcIssuerUrl });

    await put('aks-2', 'other', 'id-shared');
    expect(await credentialsOf('id-shared')).toEqual([first]);
    await bindings.delete('rg', 'aks', 'shared');
    await cloud.clusters().managedClusters.delete('rg', 'aks-2');
    expect(await credentialsOf('id-shared')).toEqual([first]);
  });

  it('makes one credential of the identity for two clusters that bind it at once', async () => {
    await identity('id-raced');
    await cluster('aks-3');
    const created = await Promise.all([put('aks', 'raced', 'id-raced'), put('aks-3', 'raced', 'id-raced')]);
    expect(created.map(({ properties }) => properties?.provisioningState)).toEqual([
      'Succeeded',
      'Succeeded',
    ]);
    expect(await credentialsOf('id-raced')).toEqual([expect.objectContaining({ name: CREDENTIAL })]);
  });

  it('does not make the credential of an identity that has the most already', async () => {
    await identity('id-full');
    const { federatedIdentityCredentials } = cloud.identities();
    for (let index = 1; index <= 20; index++) {
      await federatedIdentityCredentials.createOrUpdate('rg', 'id-full', `credential-${index}`, {
        issuer: 'https://issuer.example.test',
        subject: `subject-${index}`,
        audiences: ['api://AzureADTokenExchange'],
      });
    }
    const full = await refusal(put('aks', 'full', 'id-full'));
    expect(full).toMatchObject({ status: 400 });
    expect(full.message).toContain('at most 20');
    expect(await refusal(bindings.get('rg', 'aks', 'full'))).toMatchObject({ status: 404 });
  });

  it('is deleted with its cluster, even while it is created', async () => {
    await identity('id-gone');
    await cluster('aks-gone');
    await put('aks-gone', 'orders', 'id-gone');
    cloud.azure.control.clock.auto = false;
    await bindings.createOrUpdate('rg', 'aks-gone', 'late', binding('id-gone')).submitted();
    await cloud.clusters().managedClusters.delete('rg', 'aks-gone');
    cloud.azure.control.clock.auto = true;
    cloud.azure.control.clock.advance(5000);
    await cluster('aks-gone');
    expect(await all(bindings.listByManagedCluster('rg', 'aks-gone'))).toEqual([]);
  });

  it('needs rights on bindings of the cluster and on credentials of the identity', async () => {
    const { id = '' } = await identity('id-rights');
    const { id: clusterId = '' } = await cloud.clusters().managedClusters.get('rg', 'aks');
    const owner = cloud.principal('binds');
    const own = cloud.clusters(owner.credential).identityBindings;
    const attempt = () =>
      refusal(Promise.resolve(own.createOrUpdate('rg', 'aks', 'rights', binding('id-rights'))));
    const grant = async (actions: string[], scope: string) => {
      const { roleDefinitions, roleAssignments } = cloud.authorization();
      const role = await roleDefinitions.createOrUpdate(groupId('rg'), crypto.randomUUID(), {
        roleName: `may ${actions.join()}`,
        permissions: [{ actions }],
        assignableScopes: [groupId('rg')],
      });
      await roleAssignments.create(scope, crypto.randomUUID(), {
        roleDefinitionId: role.id ?? '',
        principalId: owner.objectId,
        principalType: 'ServicePrincipal',
      });
    };

    expect(await attempt()).toMatchObject({ status: 403, code: 'AuthorizationFailed' });
    await grant(['Microsoft.ContainerService/managedClusters/identityBindings/*'], clusterId);
    await grant(['Microsoft.ContainerService/locations/*/read'], groupId('rg'));
    expect(await attempt()).toMatchObject({ status: 403, code: 'LinkedAuthorizationFailed' });
    expect(await credentialsOf('id-rights')).toEqual([]);
    await grant(['Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/*'], id);
    await own.createOrUpdate('rg', 'aks', 'rights', binding('id-rights'));
    await own.delete('rg', 'aks', 'rights');
  });

  it('honours If-Match and If-None-Match', async () => {
    await identity('id-etag');
    await put('aks', 'tagged', 'id-etag');
    const { eTag = '' } = await bindings.get('rg', 'aks', 'tagged');
    const conditional = (headers: Record<string, string>) =>
      refusal(
        Promise.resolve(
          bindings.createOrUpdate('rg', 'aks', 'tagged', binding('id-etag'), { requestOptions: { headers } }),
        ),
      );
    expect(await conditional({ 'if-none-match': '*' })).toMatchObject({ status: 412 });
    await put('aks', 'tagged', 'id-etag');
    expect(await conditional({ 'if-match': eTag })).toMatchObject({ status: 412 });
  });
});
