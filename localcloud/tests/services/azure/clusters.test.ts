import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { TokenCredential } from '@azure/identity';
import { RuntimeClosed } from '../../../azure/clusterRuntime';
import type { TestCloud } from '../../support/azure';
import { all, clusterWithIssuer as cluster, refusal, withCloud } from '../../support/azure';

const GROUP = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';

describe('managed clusters, through @azure/arm-containerservice', () => {
  const cloud = withCloud({ fresh: true });
  let clusters: ReturnType<TestCloud['clusters']>['managedClusters'];
  beforeEach(() => {
    clusters = cloud.clusters().managedClusters;
  });

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

  it('returns kubeconfigs of users and administrators', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    const text = (result: { kubeconfigs?: { value?: Uint8Array }[] }) =>
      Buffer.from(result.kubeconfigs?.[0]?.value ?? []).toString('utf8');
    expect(text(await clusters.listClusterUserCredentials('rg', 'aks'))).toContain('# user');
    expect(text(await clusters.listClusterAdminCredentials('rg', 'aks'))).toContain('current-context: aks');

    await clusters.createOrUpdate('rg', 'aks', cluster({ disableLocalAccounts: true }));
    const refused = await refusal(clusters.listClusterAdminCredentials('rg', 'aks'));
    expect(refused.message).toContain('disable local accounts');
  });

  it('tags and lists clusters, and enables workload identity', async () => {
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

  it('enables issuer and workload identity on a cluster created without them, and changes nothing else', async () => {
    await clusters.createOrUpdate(
      'rg',
      'aks',
      cluster({
        oidcIssuerProfile: undefined,
        securityProfile: { imageCleaner: { enabled: true, intervalHours: 48 } },
        aadProfile: { managed: true, enableAzureRbac: true, adminGroupObjectIDs: [GROUP] },
        disableLocalAccounts: true,
        apiServerAccessProfile: { authorizedIPRanges: ['203.0.113.0/24'] },
        autoUpgradeProfile: { upgradeChannel: 'patch' },
        tags: { owner: 'somebody else' },
      }),
    );
    const before = await clusters.get('rg', 'aks');
    const changed = await clusters.createOrUpdate(
      'rg',
      'aks',
      {
        ...before,
        oidcIssuerProfile: { enabled: true },
        securityProfile: { ...before.securityProfile, workloadIdentity: { enabled: true } },
      },
      { ifMatch: before.eTag },
    );

    expect(changed.oidcIssuerProfile?.issuerURL).toMatch(/^https:.*\/$/);
    expect(changed.eTag).not.toBe(before.eTag);
    const { oidcIssuerProfile, securityProfile, eTag, systemData, agentPoolProfiles, ...rest } = before;
    expect(oidcIssuerProfile).toEqual({ enabled: false });
    expect([eTag, systemData, agentPoolProfiles].every((each) => each !== undefined)).toBe(true);
    expect(changed).toMatchObject({
      ...rest,
      securityProfile: { ...securityProfile, workloadIdentity: { enabled: true } },
    });
    expect(cloud.runtime.ensured.map((spec) => spec.workloadIdentity)).toEqual([false, true]);
    expect(cloud.runtime.ensured[1]?.id).toBe(cloud.runtime.ensured[0]?.id);
  });

  it('honours If-Match and If-None-Match', async () => {
    const created = await clusters.createOrUpdate('rg', 'aks', cluster(), { ifNoneMatch: '*' });
    await clusters.updateTags('rg', 'aks', { tags: { changed: 'meanwhile' } });
    const read = await clusters.get('rg', 'aks');
    expect(read.eTag).not.toBe(created.eTag);
    expect(read.agentPoolProfiles?.[0]?.eTag).toMatch(/^[0-9a-f-]{36}$/);

    const failed = { status: 412, code: 'PreconditionFailed' };
    const put = (options: { ifMatch?: string; ifNoneMatch?: string }, name = 'aks') =>
      refusal(Promise.resolve(clusters.createOrUpdate('rg', name, cluster(), options)));
    expect(await put({ ifMatch: created.eTag })).toMatchObject(failed);
    expect(await put({ ifNoneMatch: '*' })).toMatchObject(failed);
    expect(await put({ ifMatch: '*' }, 'aks-that-is-not-there')).toMatchObject(failed);
    expect(await put({ ifNoneMatch: 'x' })).toMatchObject({ status: 400 });
    const stale = { ifMatch: created.eTag };
    expect(await refusal(clusters.updateTags('rg', 'aks', { tags: {} }, stale))).toMatchObject(failed);
    expect(await refusal(Promise.resolve(clusters.delete('rg', 'aks', stale)))).toMatchObject(failed);
    expect((await clusters.get('rg', 'aks')).tags).toEqual({ changed: 'meanwhile' });
    await clusters.createOrUpdate('rg', 'aks', cluster(), { ifMatch: read.eTag });
  });

  it('runs the Secrets Store driver if the add-on is enabled, with its own identity', async () => {
    const addon = (enabled: boolean, config?: Record<string, string>) =>
      cluster({ addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config } } });
    const config = { enableSecretRotation: 'true', rotationPollInterval: '2m' };
    const created = await clusters.createOrUpdate('rg', 'aks', addon(true, config));
    const profile = created.addonProfiles?.['azureKeyvaultSecretsProvider'];
    expect(profile).toMatchObject({ enabled: true, config });
    expect(profile?.identity?.resourceId).toContain('azurekeyvaultsecretsprovider-aks');

    await clusters.createOrUpdate('rg', 'aks', cluster());
    await clusters.createOrUpdate('rg', 'aks', addon(false));
    expect(cloud.runtime.ensured.map((spec) => spec.secretsStore)).toEqual([true, true, false]);
    const wrong = clusters.createOrUpdate('rg', 'aks', addon(true, { rotationPollInterval: 'soon' }));
    expect((await refusal(Promise.resolve(wrong))).message).toContain("is 'soon'");
  });

  it('never disables the issuer', async () => {
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
    [
      'an invalid range',
      { apiServerAccessProfile: { authorizedIPRanges: ['here'] } },
      'InvalidRequestContent',
    ],
    ['a group that is no GUID', { aadProfile: { adminGroupObjectIDs: ['us'] } }, 'InvalidRequestContent'],
    ['a region that is not there', { location: 'moon' }, 'LocationNotAvailableForResourceType'],
    [
      'an add-on that would install something',
      { podIdentityProfile: { enabled: true } },
      'InvalidRequestContent',
    ],
  ])('refuses %s', async (_what, change, code) => {
    const refused = await refusal(Promise.resolve(clusters.createOrUpdate('rg', 'aks', cluster(change))));
    expect(refused).toMatchObject({ status: 400, code });
  });

  it('stores no password', async () => {
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

  it('deletes a cluster with its control plane and its node resource group', async () => {
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

  it('waits after a restart for the clusters that served before, and lists their pods that are not ready', async () => {
    await clusters.createOrUpdate('rg', 'aks', cluster());
    cloud.runtime.unready = ['orders/orders-1'];
    let serve: () => void = () => undefined;
    cloud.runtime.gate = new Promise<void>((resolve) => (serve = resolve));
    await cloud.restart();
    const pods = async (credential: TokenCredential) => {
      const token = await credential.getToken('https://management.azure.com/.default');
      const url = `https://127.0.0.1:${cloud.azure.azurePort}/_local/pods`;
      const options = {
        ca: readFileSync(cloud.azure.caFile),
        headers: { authorization: `Bearer ${token?.token ?? ''}` },
      };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        https.get(url, options, resolve).once('error', reject);
      });
      return { status: answer.statusCode, body: await json(answer) };
    };
    const listing = pods(cloud.administrator());

    expect(await Promise.race([listing, delay(300, 'waits')])).toBe('waits');
    serve();
    expect(await listing).toEqual({
      status: 200,
      body: { value: [{ cluster: 'aks', pod: 'orders/orders-1' }] },
    });
    expect((await pods(cloud.principal('reads-nothing').credential)).status).toBe(403);
  });

  it('continues a creation after a restart', async () => {
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
