import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { refusal, withCloud } from '../../support/azure';
import { directory, GRAPH_ROOT } from '../../support/directory';
import { clusterWith } from '../../support/kubernetes/cloud';

const run = promisify(execFile);

const ARM = 'https://management.azure.com';
const TOKEN = '/metadata/identity/oauth2/token';

const managedIdentityOperator = 'f1a07417-d97a-45cb-824c-7a7467783830';

describe('the metadata service of nodes', () => {
  const cloud = withCloud({ fresh: true });

  /** A cluster with the Key Vault add-on, with the URL of its nodes' proxy. */
  const cluster = async (name: string, change: Partial<ReturnType<typeof clusterWith>> = {}) => {
    const parameters = { ...clusterWith(true), ...change };
    const created = await cloud.clusters().managedClusters.createOrUpdate('rg', name, parameters);
    const id = created.oidcIssuerProfile?.issuerURL?.split('/').at(-2) ?? '';
    return {
      proxy: new URL(cloud.azure.nodeProxy(id)),
      kubelet: created.identityProfile?.['kubeletidentity'] ?? {},
      addon: created.addonProfiles?.['azureKeyvaultSecretsProvider']?.identity ?? {},
    };
  };
  /**
   * The claims of a token that the vendor's client gets in a process with the environment of the cluster's pods. The
   * client keeps its first proxy as long as its process runs.
   */
  const signIn = async (
    proxy: URL,
    id: { clientId?: string; objectId?: string; resourceId?: string } = {},
  ): Promise<Record<string, unknown>> => {
    const script = `
      const { ManagedIdentityCredential } = require('@azure/identity');
      new ManagedIdentityCredential(${JSON.stringify({ ...id, retryOptions: { maxRetries: 0 } })})
        .getToken('${ARM}/.default')
        .then(({ token }) => console.log(token), ({ message }) => { console.error(message); process.exit(1); });`;
    const { stdout } = await run(process.execPath, ['-e', script], {
      env: { PATH: process.env['PATH'], HTTPS_PROXY: proxy.href, HTTP_PROXY: proxy.href },
    });
    return decodeJwt(stdout.trim());
  };
  const last = () => cloud.azure.control.audit().at(-1);

  const ask = (
    proxy: URL,
    query: string,
    { path = TOKEN, method = 'GET', headers = {}, host = '169.254.169.254' } = {},
  ): Promise<{ status: number; body: Record<string, string> }> =>
    new Promise((resolve, reject) => {
      const { hostname, port, username, password } = proxy;
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      const request = http.request(
        {
          ...{ host: hostname, port, method, path: `http://${host}${path}?${query}` },
          headers: {
            host,
            metadata: 'true',
            ...(username === '' ? {} : { 'proxy-authorization': authorization }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const json = response.headers['content-type']?.startsWith('application/json') === true;
            const body = json ? (JSON.parse(text) as Record<string, string>) : { text };
            resolve({ status: response.statusCode ?? 0, body });
          });
        },
      );
      request.on('error', reject);
      request.end();
    });
  const good = `api-version=2018-02-01&resource=${encodeURIComponent(`${ARM}/`)}`;

  it('issues a token of an identity on the node by its client, object or resource id', async () => {
    const { proxy, addon, kubelet } = await cluster('aks');
    for (const id of [
      { clientId: addon.clientId },
      { objectId: addon.objectId },
      { resourceId: addon.resourceId },
    ]) {
      expect(await signIn(proxy, id)).toMatchObject({ appid: addon.clientId, oid: addon.objectId });
    }
    const claims = await signIn(proxy, { clientId: kubelet.clientId });
    expect(claims).toMatchObject({ oid: kubelet.objectId });
    expect(String(claims['xms_mirid']).toLowerCase()).toBe(kubelet.resourceId?.toLowerCase());
    expect(last()).toMatchObject({
      ...{ grant: 'managed identity', outcome: 'issued', cluster: 'aks', clientId: kubelet.clientId },
      tokenId: claims['uti'],
    });
    for (const version of ['2018-10-01', '2021-12-13'])
      expect(
        await ask(proxy, `${good.replace('2018-02-01', version)}&client_id=${kubelet.clientId ?? ''}`),
      ).toMatchObject({ status: 200 });
  });

  it('has the groups of the identity in its token', async () => {
    const { proxy, kubelet } = await cluster('aks');
    const { post } = directory(cloud);
    const { id } = await post('/groups', {
      ...{ displayName: 'nodes', mailNickname: 'nodes', mailEnabled: false, securityEnabled: true },
    });
    await post(`/groups/${id}/members/$ref`, {
      '@odata.id': `${GRAPH_ROOT}/directoryObjects/${kubelet.objectId ?? ''}`,
    });
    expect(await signIn(proxy, { clientId: kubelet.clientId })).toMatchObject({ groups: [id] });
  });

  it('issues tokens for 24 hours, in the form of the metadata service', async () => {
    const { proxy, addon } = await cluster('aks');
    const { status, body } = await ask(proxy, `${good}&client_id=${addon.clientId ?? ''}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ client_id: addon.clientId, expires_in: '86399', ext_expires_in: '86399', token_type: 'Bearer' },
      resource: `${ARM}/`,
    });
    const { exp, nbf, aud } = decodeJwt(body['access_token'] ?? '');
    expect(body).toMatchObject({ expires_on: String(exp), not_before: String(nbf) });
    expect(aud).toBe(`${ARM}/`);
    expect(Object.keys(body).sort()).toEqual([
      ...['access_token', 'client_id', 'expires_in', 'expires_on', 'ext_expires_in', 'not_before'],
      ...['resource', 'token_type'],
    ]);
  });

  it('gives a request that names no identity the only one of its node, and refuses if there are several', async () => {
    const single = await cluster('aks-one', clusterWith(false));
    expect(await signIn(single.proxy)).toMatchObject({ oid: single.kubelet.objectId });

    const several = await cluster('aks-several');
    expect(await ask(several.proxy, good)).toEqual({
      status: 400,
      body: {
        error: 'invalid_request',
        error_description:
          'Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request',
      },
    });
    expect(last()).toMatchObject({ grant: 'managed identity', outcome: 'refused', cluster: 'aks-several' });
  });

  it('refuses an identity that is on no node of the cluster, also one of another cluster', async () => {
    const [own, other] = [await cluster('aks-own'), await cluster('aks-other')];
    const identities = cloud.identities().userAssignedIdentities;
    const free = await identities.createOrUpdate('rg', 'id-free', { location: 'westeurope' });
    for (const clientId of [free.clientId, other.addon.clientId, 'nobody']) {
      expect(await ask(own.proxy, `${good}&client_id=${clientId ?? ''}`)).toEqual({
        status: 400,
        body: { error: 'invalid_request', error_description: 'Identity not found' },
      });
    }
    await expect(signIn(own.proxy, { clientId: other.addon.clientId })).rejects.toThrow('Identity not found');
  });

  it('takes identities off the nodes with the add-on, their deletion and the cluster’s', async () => {
    const { managedClusters } = cloud.clusters();
    const { proxy, addon, kubelet } = await cluster('aks');
    const byAddon = `${good}&client_id=${addon.clientId ?? ''}`;
    const byKubelet = `${good}&client_id=${kubelet.clientId ?? ''}`;
    expect(await ask(proxy, byAddon)).toMatchObject({ status: 200 });
    await managedClusters.createOrUpdate('rg', 'aks', clusterWith(false));
    expect(await ask(proxy, byAddon)).toMatchObject({ status: 400 });
    expect(await ask(proxy, byKubelet)).toMatchObject({ status: 200 });
    await managedClusters.delete('rg', 'aks');
    expect(await ask(proxy, byKubelet)).toMatchObject({ status: 400 });
  });

  it.each([
    ['without the header Metadata', good, { headers: { metadata: 'True' } }, 400, 'bad_request_102'],
    [
      'that came by X-Forwarded-For',
      good,
      { headers: { 'x-forwarded-for': '10.0.0.1' } },
      400,
      'invalid_request',
    ],
    ['of an unknown version', good.replace('2018-02-01', '2017-12-01'), {}, 400, 'invalid_request'],
    ['without a version', good.replace('api-version', 'version'), {}, 400, 'invalid_request'],
    ['without a resource', 'api-version=2018-02-01', {}, 400, 'invalid_request'],
    ['for an unknown resource', `${good}x`, {}, 400, 'invalid_resource'],
    ['with a repeated parameter', `${good}&resource=x`, {}, 400, 'invalid_request'],
    ['by two ids', `${good}&client_id=a&mi_res_id=b`, {}, 400, 'invalid_request'],
    ['of instance data', good, { path: '/metadata/instance' }, 404, 'Not found'],
    ['that posts', good, { method: 'POST' }, 405, 'invalid_request'],
  ])('refuses a request %s', async (_what, query, options, status, error) => {
    const { proxy } = await cluster('aks');
    expect(await ask(proxy, query, options)).toMatchObject({ status, body: { error } });
  });

  it.each([
    ['/metadata/identity/oauth2/TOKEN', 404, 'Not found'],
    ['/metadata/Identity/oauth2/token', 404, 'Not found'],
    ['/metadata/./identity/oauth2/token', 404, 'Not found'],
    ['/x/../metadata/identity/oauth2/token', 404, 'Not found'],
    ['/metadata//identity/oauth2/token', 404, 'Not found'],
    ['/metadata/identity/oauth2/token/', 404, 'Not found'],
    ['/metadata/identity/oauth2/%74oken', 404, 'Not found'],
    ['/metadata\\identity\\oauth2\\token', 404, 'Not found'],
    ['/metadata/identity%2Foauth2/token', 400, 'BadRequest'],
  ])('knows the path of a token in one spelling only, and not as %s', async (path, status, error) => {
    const { proxy, kubelet } = await cluster('aks');
    const query = `${good}&client_id=${kubelet.clientId ?? ''}`;
    expect(await ask(proxy, query, { path: '/METAdata/identity/oauth2/token' })).toMatchObject({
      status: 200,
    });
    expect(await ask(proxy, query, { path })).toMatchObject({ status, body: { error } });
  });

  it('answers only processes of nodes, and passes plain requests to nothing else', async () => {
    const { proxy } = await cluster('aks');
    const stranger = new URL(`http://127.0.0.1:${proxy.port}`);
    const forged = new URL(proxy);
    forged.username = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
    for (const from of [stranger, forged])
      expect(await ask(from, good)).toMatchObject({ status: 403, body: { error: 'access_denied' } });
    const elsewhere = await ask(proxy, good, { host: '168.63.129.16' });
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.body['text']).toContain('169.254.169.254');
  });

  it('puts a user’s own identity on the nodes as the kubelet’s, if the cluster may assign it', async () => {
    const identities = cloud.identities().userAssignedIdentities;
    const make = (name: string) => identities.createOrUpdate('rg', name, { location: 'westeurope' });
    const [own, kubelet] = [await make('id-cluster'), await make('id-kubelet')];
    const identityProfile = { kubeletidentity: { resourceId: kubelet.id ?? '' } };
    const identity = { type: 'UserAssigned' as const, userAssignedIdentities: { [own.id ?? '']: {} } };
    const attempt = (change: object) => refusal(cluster('aks', { identityProfile, ...change }));
    expect(await attempt({})).toMatchObject({
      code: 'CustomKubeletIdentityOnlySupportedOnUserAssignedMSICluster',
    });
    expect(await attempt({ identity })).toMatchObject({
      code: 'CustomKubeletIdentityMissingPermissionError',
    });
    await cloud.authorization().roleAssignments.create(kubelet.id ?? '', managedIdentityOperator, {
      principalId: own.principalId ?? '',
      principalType: 'ServicePrincipal',
      roleDefinitionId: managedIdentityOperator,
    });
    const wrong = { kubeletidentity: { ...identityProfile.kubeletidentity, clientId: own.clientId } };
    expect(await attempt({ identity, identityProfile: wrong })).toMatchObject({
      code: 'CustomKubeletIdentityPropertyError',
    });
    const none = { kubeletidentity: { resourceId: `${kubelet.id ?? ''}x` } };
    expect(await attempt({ identity, identityProfile: none })).toMatchObject({ code: 'BadRequest' });

    const created = await cluster('aks', { identity, identityProfile });
    expect(await signIn(created.proxy, { clientId: kubelet.clientId })).toMatchObject({
      oid: kubelet.principalId,
    });
  });
});
