import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ManagedCluster } from '@azure/arm-containerservice';
import { RuntimeClosed } from '../../../localcloud/azure/clusterRuntime';
import { all, refusal, TestCloud } from '../support/azure';

const cluster = (change: Partial<ManagedCluster> = {}): ManagedCluster => ({
  location: 'westeurope',
  dnsPrefix: 'dns',
  identity: { type: 'SystemAssigned' },
  agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  oidcIssuerProfile: { enabled: true },
  securityProfile: { workloadIdentity: { enabled: true } },
  ...change,
});

describe('managed clusters, through @azure/arm-containerservice', () => {
  let cloud: TestCloud;
  let clusters: ReturnType<TestCloud['clusters']>['managedClusters'];
  beforeEach(async () => {
    cloud = await TestCloud.start();
    clusters = cloud.clusters().managedClusters;
    await cloud.group('rg');
  });
  afterEach(() => cloud.stop());

  it('creates a cluster: the operation ends when the control plane serves', async () => {
    let open = (): void => undefined;
    cloud.runtime.gate = new Promise((resolve) => {
      open = resolve;
    });
    const poller = clusters.createOrUpdate('rg', 'aks', cluster());
    await poller.submitted();
    expect((await clusters.get('rg', 'aks')).provisioningState).toBe('Creating');
    open();
    const created = await poller;

    expect(created.provisioningState).toBe('Succeeded');
    expect(created.oidcIssuerProfile?.issuerURL).toMatch(
      new RegExp(`^https://westeurope\\.oic\\.prod-aks\\.azure\\.com/${cloud.tenantId}/[0-9a-f-]{36}/$`),
    );
    expect(created.identityProfile?.['kubeletidentity']?.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.nodeResourceGroup).toBe('MC_rg_aks_westeurope');
    expect(cloud.runtime.ensured[0]).toMatchObject({
      name: 'aks',
      resourceId: created.id,
      issuer: created.oidcIssuerProfile?.issuerURL,
      workloadIdentity: true,
      tenantId: cloud.tenantId,
    });
  });

  it('says why a control plane did not start', async () => {
    cloud.runtime.failure = 'etcd is not well';
    const refused = await refusal(Promise.resolve(clusters.createOrUpdate('rg', 'aks', cluster())));
    expect(refused.message).toContain('etcd is not well');
    expect((await clusters.get('rg', 'aks')).provisioningState).toBe('Failed');
  });

  it('gives kubeconfigs of users and administrators', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    const text = (result: { kubeconfigs?: { value?: Uint8Array }[] }) =>
      Buffer.from(result.kubeconfigs?.[0]?.value ?? []).toString('utf8');
    expect(text(await clusters.listClusterUserCredentials('rg', 'aks'))).toContain('# user');
    expect(text(await clusters.listClusterAdminCredentials('rg', 'aks'))).toContain('current-context: aks');

    await clusters.createOrUpdate('rg', 'aks', cluster({ disableLocalAccounts: true }));
    const refused = await refusal(clusters.listClusterAdminCredentials('rg', 'aks'));
    expect(refused.message).toContain('disable local accounts');
  });

  it('tags, lists and switches workload identity on', async () => {
    await clusters.createOrUpdate(
      'rg',
      'aks',
      cluster({ oidcIssuerProfile: undefined, securityProfile: undefined }),
    );
    expect((await clusters.get('rg', 'aks')).oidcIssuerProfile).toEqual({ enabled: false });
    await clusters.createOrUpdate('rg', 'aks', cluster());
    await clusters.updateTags('rg', 'aks', { tags: { a: 'b' } });

    const read = await clusters.get('rg', 'aks');
    expect(read.tags).toEqual({ a: 'b' });
    expect(read.securityProfile?.workloadIdentity?.enabled).toBe(true);
    expect(cloud.runtime.ensured.map((spec) => spec.workloadIdentity)).toEqual([false, true, true]);
    expect((await all(clusters.list())).map((each) => each.name)).toEqual(['aks']);
    expect((await all(clusters.listByResourceGroup('rg'))).map((each) => each.name)).toEqual(['aks']);
  });

  it('never switches the issuer off', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    const off = clusters.createOrUpdate('rg', 'aks', cluster({ oidcIssuerProfile: { enabled: false } }));
    expect(await refusal(Promise.resolve(off))).toMatchObject({ code: 'OIDCIssuerFeatureCannotBeDisabled' });
  });

  it.each([
    ['workload identity without issuer', { oidcIssuerProfile: undefined }, 'BadRequest'],
    ['a version that it cannot run', { kubernetesVersion: '1.20' }, 'K8sVersionNotSupported'],
    ['no system pool', { agentPoolProfiles: [] }, 'InvalidParameter'],
    ['no identity', { identity: undefined }, 'BadRequest'],
    ['no dnsPrefix', { dnsPrefix: undefined }, 'BadRequest'],
    ['a region that is not there', { location: 'moon' }, 'LocationNotAvailableForResourceType'],
    ['a property that is not known', { fqdnSubdomain: 'x' }, 'InvalidRequestContent'],
  ])('refuses %s', async (_what, change, code) => {
    const refused = await refusal(Promise.resolve(clusters.createOrUpdate('rg', 'aks', cluster(change))));
    expect(refused).toMatchObject({ status: 400, code });
  });

  it('keeps no password that it is given', async () => {
    const created = await clusters.createOrUpdate(
      'rg',
      'aks',
      cluster({
        servicePrincipalProfile: { clientId: 'msi', secret: 'needle-1' },
        windowsProfile: { adminUsername: 'admin', adminPassword: 'needle-2' },
      }),
    );
    expect(created.servicePrincipalProfile).toEqual({ clientId: 'msi' });
    expect(created.windowsProfile).toMatchObject({ adminUsername: 'admin' });
    const files = readdirSync(cloud.stateDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.filter((file) => readFileSync(file).includes('needle-'))).toEqual([]);
  });

  it('refuses to change what cannot be changed', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    const changed = clusters.createOrUpdate('rg', 'aks', cluster({ dnsPrefix: 'other' }));
    expect(await refusal(Promise.resolve(changed))).toMatchObject({
      status: 409,
      code: 'PropertyChangeNotAllowed',
    });
  });

  it('assigns an identity that exists to a cluster', async () => {
    const identity = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg', 'id-app', { location: 'westeurope' });
    const assigned = (id: string) =>
      cluster({ identity: { type: 'UserAssigned', userAssignedIdentities: { [id]: {} } } });
    const created = await clusters.createOrUpdate('rg', 'aks', assigned(identity.id ?? ''));
    expect(Object.values(created.identity?.userAssignedIdentities ?? {})).toEqual([
      { clientId: identity.clientId, principalId: identity.principalId },
    ]);
    const lost = clusters.createOrUpdate('rg', 'aks-2', assigned(`${identity.id ?? ''}x`));
    expect(await refusal(Promise.resolve(lost))).toMatchObject({ status: 404, code: 'ResourceNotFound' });
  });

  it('deletes a cluster with its control plane and its nodes’ group', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    await clusters.delete('rg', 'aks');

    expect(await refusal(clusters.get('rg', 'aks'))).toMatchObject({ status: 404 });
    expect(cloud.runtime.removed).toEqual([cloud.runtime.ensured[0]?.id]);
    const groups = (await all(cloud.resources().resourceGroups.list())).map((group) => group.name);
    expect(groups).toEqual(['rg']);
  });

  it('starts the clusters it remembers after a restart', async () => {
    const { id } = await clusters.createOrUpdate('rg', 'aks', cluster());
    await cloud.restart();
    const read = await cloud.clusters().managedClusters.listClusterUserCredentials('rg', 'aks');
    expect(read.kubeconfigs).toHaveLength(1);
    expect(cloud.runtime.ensured.map((spec) => spec.resourceId)).toEqual([id, id]);
    expect(cloud.runtime.ensured[1]).toEqual(cloud.runtime.ensured[0]);
  });

  it('goes on after a restart with a creation that was given up when it was stopped', async () => {
    cloud.runtime.failure = new RuntimeClosed();
    const poller = clusters.createOrUpdate('rg', 'aks', cluster());
    await poller.submitted();
    expect((await clusters.get('rg', 'aks')).provisioningState).toBe('Creating');

    cloud.runtime.failure = undefined;
    await cloud.restart();
    expect((await poller).provisioningState).toBe('Succeeded');
  });

  it('serves the issuer’s documents without credentials, at the issuer’s own name', async () => {
    const { oidcIssuerProfile } = await clusters.createOrUpdate('rg', 'aks', cluster());
    const issuer = oidcIssuerProfile?.issuerURL ?? '';
    const discovery = await cloud.raw(`${issuer}.well-known/openid-configuration`);
    expect(discovery).toMatchObject({ status: 200, body: { issuer } });
    expect((await cloud.raw(`${issuer}openid/v1/jwks`)).status).toBe(200);
    expect((await cloud.raw(`${issuer}x/.well-known/openid-configuration`)).status).toBe(404);
  });
});
